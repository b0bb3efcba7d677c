"""Several sources as one: asked one after the other until one has an answer, or searched together.

``SourceFallback`` asks the next service only where the one before is unavailable or has nothing.
``CombinedSources`` searches the researcher's own papers and a service together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import known_ids
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.papers import Paper, PaperText, TitleMatch
from coi_tui.services.sources.people import joined_by_name
from coi_tui.services.sources.types import (
    UNAVAILABLE,
    CitationList,
    People,
    ReferenceLists,
    SearchResult,
    Source,
)

A = TypeVar("A", SearchResult, TitleMatch, CitationList, ReferenceLists, People)
REASONS = {
    "unreachable": "could not be reached",
    "limited": "limits the rate of calls (429)",
    "server": "had an internal error",
    "offline": "is not asked while offline",
    "refused": "has used up its budget of today",
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

    def unavailable(self, source: Source, error: ServiceError) -> str:
        """Note a source that cannot be asked just now, and why. Any other error says something
        about the request (a wrong key) and is raised."""
        if error.kind not in UNAVAILABLE and not isinstance(error, QuotaSpent):
            raise error
        self.errors.append(error)
        self.reasons.append(f"{source.name} {REASONS[error.kind]}")
        return self.reasons[-1]

    def check(self, *, answered: bool) -> None:
        """Raises ServiceError where nothing was found but not every source could be asked: that is
        a failure, not an empty answer. Offline it is one only where nobody ``answered``."""
        for first in self.errors:
            if first.kind != "offline" or not answered:
                why = f"{first.message} In all: {'; '.join(self.reasons)}."
                raise ServiceError(first.service, first.kind, why, first.hint) from first


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
        content: Callable[[A], object],
        empty: Callable[[A], str] = lambda found: found.note,
    ) -> tuple[A, list[A]]:
        """The first answer with ``content``, its note after the reasons why it came from there;
        ``empty`` says why another was passed over. Where none has any: the first answer with all
        reasons for its note, and all answers. ServiceError where a source was unavailable."""
        skipped, answers = _Skipped(), list[A]()
        for source in self._sources:
            try:
                found = await ask(source)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if not content(found):
                answers.append(found)
                why = empty(found)
                named = why.startswith(source.name)
                skipped.reasons.append(why if named else f"{source.name}: {why or 'nothing'}")
                continue
            note = found.note
            if skipped.reasons:
                note = f"{'; '.join(skipped.reasons)}; from {source.name}{note and f': {note}'}"
            changed = {"note": note}
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
            lambda found: f"{found.source} found nothing",
        )
        return found.model_copy(update={"source": self.name}) if empty else found

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any
        had."""
        found, empty = await self._first(
            lambda source: source.match(title, year, authors), lambda found: found.paper
        )
        return max(empty, key=lambda m: m.score, default=found)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it; the next are asked only for unknown ones
        and for missing abstracts."""
        papers: list[Paper | None] = [None] * len(ids)
        skipped, answered = _Skipped(), False
        for source in self._sources:
            try:
                await _fill_in(papers, list(map(_shared_id, ids, papers)), source)
                answered = True
            except ServiceError as error:
                skipped.unavailable(source, error)
        if None in papers:
            skipped.check(answered=answered)
        return papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.citations(paper, limit))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.references(paper, limit))

    async def _list(self, ask: Callable[[Source], Awaitable[CitationList]]) -> CitationList:
        """One source's whole list. Where none has one: an answer that says so of all, and
        ``withheld`` if any list is kept back."""
        found, empty = await self._first(ask, lambda listed: listed.papers)
        shown = next((listed for listed in empty if listed.withheld), found)
        return shown.model_copy(update={"note": found.note, "source": ""}) if empty else found

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """The lists of the first source that knows any: those of different services are not
        mixed."""
        found, _ = await self._first(
            lambda source: source.reference_lists(papers), lambda found: any(found.lists.values())
        )
        return found

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The people of the first source that knows any: the ids of different services are not
        mixed."""
        found, _ = await self._first(
            lambda source: source.people(papers, most, each), lambda found: found.people
        )
        return found

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has; the next is asked only where less than an abstract was
        found. The notes of all that were asked."""
        skipped = _Skipped()
        best = await best_text(paper, self._sources, skipped.unavailable)
        if best.kind == "none":
            skipped.check(answered=len(skipped.errors) < len(self._sources))
        return best


class CombinedSources:
    """The researcher's own papers and a service, searched together, the own ones first; one paper
    found twice is one paper.

    Lists of citations come from the service alone, so that lists are not mixed.
    """

    def __init__(self, own: Source, service: Source) -> None:
        self._own, self._service = own, service

    @property
    def name(self) -> str:
        return f"{self._own.name} and {self._service.name}"

    async def search(self, query: str, limit: int) -> SearchResult:
        """All papers that were found, and who answered. Raises ServiceError where one fails."""
        own = await self._own.search(query, limit)
        found = await self._service.search(query, limit)
        notes = (f"{a.source}: {len(a.papers)}{a.note and f', {a.note}'}" for a in (own, found))
        return found.model_copy(
            update={
                "source": f"{own.source} and {found.source}",
                "papers": tuple(merge_papers([*own.papers, *found.papers])[:limit]),
                "note": "; ".join(notes),
                "lacking": "",
            }
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The own paper of that title, else the service's; else the closest that any had."""
        own = await self._own.match(title, year, authors)
        if own.paper is not None:
            return own
        found = await self._service.match(title, year, authors)
        return found if found.paper is not None or found.score > own.score else own

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, what it lacks (its abstract above all)
        filled in from the other."""
        papers: list[Paper | None] = [None] * len(ids)
        for source in (self._own, self._service):
            await _fill_in(papers, ids, source)
        return papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._service.citations(paper, limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._service.references(paper, limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return await self._service.reference_lists(papers)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """From the service; where that goes by names alone, with what the own papers hold of the
        same people."""
        found = await self._service.people(papers, most, each)
        if not found.by_name:
            return found
        return joined_by_name(found, await self._own.people(papers, most, each), each)

    async def text(self, paper: Paper) -> PaperText:
        """The best that either has: full text, else an abstract, else a summary; the notes of both
        if both were asked."""
        sources = (self._service, self._own)
        return await best_text(paper, sources, lambda _, error: error.message)


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
        best = max(best, text, key=lambda t: KINDS.index(t.kind))
        if best.kind in ("abstract", "full text"):
            break
    return best.model_copy(update={"note": "; ".join(filter(None, notes))})


async def _fill_in(papers: list[Paper | None], ids: Sequence[str], source: Source) -> None:
    """Ask a source for the papers of ``ids`` that are unknown or lack an abstract; nothing is asked
    where none does."""
    lacking = [n for n, paper in enumerate(papers) if paper is None or paper.abstract is None]
    if not lacking:
        return
    records = await source.papers([ids[n] for n in lacking])
    for n, record in zip(lacking, records, strict=True):
        known = papers[n]
        papers[n] = fill_gaps(known, record) if known and record else known or record


def _shared_id(paper_id: str, paper: Paper | None) -> str:
    """The id to ask for: a paper that is known by now goes by one that the next source understands
    as well."""
    ids = known_ids(paper) if paper is not None else {}
    return next((f"{scheme}:{ids[scheme]}" for scheme in SHARED_IDS if scheme in ids), paper_id)
