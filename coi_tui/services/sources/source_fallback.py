"""Several sources as one: asked one after the other until one has an answer, or searched together.

``SourceFallback`` asks the next service only where the one before is unavailable or has nothing.
``CombinedSources`` searches the researcher's own papers and a service side by side.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import known_ids
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.sources.people import joined_by_name
from coi_tui.services.sources.types import (
    UNAVAILABLE,
    CitationList,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
)

A = TypeVar("A", SearchResult, TitleMatch, CitationList, ReferenceLists, People)
REASONS = {
    "unreachable": "could not be reached",
    "limited": "limits the rate of calls (429)",
    "server": "had an internal error",
    "offline": "is not asked while offline",
}
SHARED_IDS = ("arXiv", "DOI", "PMID")
"""Ids that every service understands; a service's own mean nothing to the next."""
KINDS = ("none", "summary", "abstract", "full text")
"""What can be read of a paper, the least first."""


class _Skipped:
    """Why the sources that were asked so far gave nothing."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self.errors: list[ServiceError] = []

    def unavailable(self, source: Source, error: ServiceError) -> None:
        """Note a source that cannot be asked just now. Any other error says something about the
        request (a wrong key) and is raised."""
        spent = isinstance(error, QuotaSpent)
        if error.kind not in UNAVAILABLE and not spent:
            raise error
        self.errors.append(error)
        self.reasons.append(
            f"{source.name} {'has used up its budget of today' if spent else REASONS[error.kind]}"
        )

    def check(self, *, answered: bool) -> None:
        """Raises ServiceError where nothing was found but not every source could be asked: that is
        a failure, not an empty answer. Offline it is one only where nobody ``answered``."""
        errors = [e for e in self.errors if e.kind != "offline" or not answered]
        if not errors:
            return
        first = errors[0]
        raise ServiceError(
            first.service,
            first.kind,
            f"{first.message} In all: {'; '.join(self.reasons)}.",
            first.hint,
        ) from first


class SourceFallback:
    """Several sources as one, in order of preference. A list comes whole from one source and names
    it.

    Errors other than "not available just now" are raised, so that no other source hides a wrong key
    or request.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)

    @property
    def name(self) -> str:
        return ", then ".join(source.name for source in self._sources)

    async def _first(
        self,
        ask: Callable[[Source], Awaitable[A]],
        holds: Callable[[A], object],
        empty: Callable[[Source, A], str],
    ) -> tuple[A, list[A]]:
        """The first answer that ``holds`` something, its note after the reasons why it came from
        there; ``empty`` says why another was passed over. Where none does: the first answer with
        all reasons for its note, and all answers. ServiceError where a source was unavailable."""
        skipped, answers = _Skipped(), list[A]()
        for source in self._sources:
            try:
                found = await ask(source)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if not holds(found):
                answers.append(found)
                skipped.reasons.append(empty(source, found))
                continue
            changed: dict[str, object] = {}
            if skipped.reasons:
                note = f": {found.note}" if found.note else ""
                changed["note"] = f"{'; '.join(skipped.reasons)}; from {source.name}{note}"
            if not isinstance(found, TitleMatch):
                changed["source"] = found.source or source.name
            return found.model_copy(update=changed), []
        skipped.check(answered=bool(answers))
        return answers[0].model_copy(update={"note": "; ".join(skipped.reasons)}), answers

    async def search(self, query: str, limit: int) -> SearchResult:
        """The first answer that holds papers."""
        found, empty = await self._first(
            lambda source: source.search(query, limit),
            lambda found: found.papers,
            lambda source, _: f"{source.name} found nothing",
        )
        return found.model_copy(update={"source": self.name}) if empty else found

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any
        had."""
        found, empty = await self._first(
            lambda source: source.match(title, year, authors),
            lambda found: found.paper,
            lambda source, _: f"{source.name} knows no such paper",
        )
        return max(empty, key=lambda m: m.score, default=found)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it; the next are asked only for unknown ones
        and for missing abstracts."""
        papers: list[Paper | None] = [None] * len(ids)
        skipped, answered = _Skipped(), False
        for source in self._sources:
            asked = [
                _shared_id(paper_id, paper) for paper_id, paper in zip(ids, papers, strict=True)
            ]
            try:
                await _fill_in(papers, asked, source)
                answered = True
            except ServiceError as error:
                skipped.unavailable(source, error)
        if any(paper is None for paper in papers):
            skipped.check(answered=answered)
        return papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.citations(paper, limit))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.references(paper, limit))

    async def _list(self, ask: Callable[[Source], Awaitable[CitationList]]) -> CitationList:
        """One source's whole list. Where none has one: an answer that says so of all, and
        ``withheld`` if any list is kept back."""
        found, empty = await self._first(
            ask,
            lambda listed: listed.papers,
            lambda source, listed: (
                listed.note
                if listed.note.startswith(source.name)
                else f"{source.name}: {listed.note or 'no list'}"
            ),
        )
        shown = next((listed for listed in empty if listed.withheld), found)
        return shown.model_copy(update={"note": found.note, "source": ""}) if empty else found

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """The lists of the first source that knows any: those of different services are not
        mixed."""
        found, _ = await self._first(
            lambda source: source.reference_lists(papers),
            lambda found: any(found.lists.values()),
            lambda source, found: f"{source.name}: {found.note or 'no lists'}",
        )
        return found

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The people of the first source that knows any: the ids of different services are not
        mixed."""
        found, _ = await self._first(
            lambda source: source.people(papers, most, each),
            lambda found: found.people,
            lambda source, found: f"{source.name}: {found.note or 'no people'}",
        )
        return found

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has; the next is asked only where less than an abstract was
        found. The notes of all that were asked."""
        skipped = _Skipped()

        def failed(source: Source, error: ServiceError) -> str:
            skipped.unavailable(source, error)
            return skipped.reasons[-1]

        best = await best_text(paper, self._sources, failed)
        if best.kind == "none":
            skipped.check(answered=len(skipped.errors) < len(self._sources))
        return best


class CombinedSources:
    """Sources that are searched together, their papers in order of preference; one paper found
    twice is one paper.

    Lists of citations come from the ``listing`` source alone, so that lists of different services
    are not mixed.
    """

    def __init__(self, sources: Sequence[Source], listing: Source) -> None:
        self._sources, self._listing = tuple(sources), listing

    @property
    def name(self) -> str:
        return " and ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> SearchResult:
        """All papers that were found, the first source's first, and who answered. Raises
        ServiceError where any source fails."""
        answers = [await source.search(query, limit) for source in self._sources]
        papers = merge_papers(paper for answer in answers for paper in answer.papers)
        notes = "; ".join(
            f"{a.source}: {len(a.papers)}{f', {a.note}' if a.note else ''}" for a in answers
        )
        last = answers[-1]
        return SearchResult(
            query=query,
            source=" and ".join(a.source for a in answers),
            asked_at=last.asked_at,
            total=last.total,
            papers=tuple(papers[:limit]),
            note=notes,
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any
        had."""
        closest = TitleMatch()
        for source in self._sources:
            found = await source.match(title, year, authors)
            if found.paper is not None:
                return found
            closest = max(closest, found, key=lambda m: m.score)
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, what it lacks (its abstract above all)
        filled in from the others."""
        papers: list[Paper | None] = [None] * len(ids)
        for source in self._sources:
            await _fill_in(papers, ids, source)
        return papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._listing.citations(paper, limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._listing.references(paper, limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return await self._listing.reference_lists(papers)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """From the listing source; where that goes by names alone, with what the other sources that
        do so hold of the same people."""
        found = await self._listing.people(papers, most, each)
        for source in self._sources if found.by_name else ():
            if (
                source is not self._listing
                and (more := await source.people(papers, most, each)).by_name
            ):
                found = joined_by_name(found, more, each)
        return found

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has: full text, else an abstract, else a summary; the notes of
        all that were asked."""
        return await best_text(paper, reversed(self._sources), lambda _, error: error.message)


async def best_text(
    paper: Paper, sources: Iterable[Source], failed: Callable[[Source, ServiceError], str]
) -> PaperText:
    """The best that any source has, asked in order until one has an abstract or more; the notes of
    all that were asked.

    ``failed`` says in words why a source gave nothing, or raises.
    """
    best, notes = PaperText(paper=paper.id, kind="none"), []
    for source in sources:
        try:
            text = await source.text(paper)
        except ServiceError as error:
            notes.append(failed(source, error))
            continue
        notes.append(text.note)
        if KINDS.index(text.kind) > KINDS.index(best.kind):
            best = text
        if best.kind in ("abstract", "full text"):
            break
    return best.model_copy(update={"note": "; ".join(note for note in notes if note)})


async def _fill_in(papers: list[Paper | None], ids: Sequence[str], source: Source) -> None:
    """Ask a source for the papers of ``ids`` that are unknown or lack an abstract; nothing is asked
    where none does."""
    lacking = [n for n, paper in enumerate(papers) if paper is None or paper.abstract is None]
    if not lacking:
        return
    records = await source.papers([ids[n] for n in lacking])
    for n, record in zip(lacking, records, strict=True):
        known = papers[n]
        papers[n] = (
            fill_gaps(known, record)
            if known is not None and record is not None
            else known or record
        )


def _shared_id(paper_id: str, paper: Paper | None) -> str:
    """The id to ask for: a paper that is known by now goes by one that the next source understands
    as well."""
    ids = known_ids(paper) if paper is not None else {}
    return next((f"{scheme}:{ids[scheme]}" for scheme in SHARED_IDS if scheme in ids), paper_id)
