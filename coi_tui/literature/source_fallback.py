"""Several sources as one: asked one after the other until one has an answer, or searched together.

``SourceFallback`` asks the next service only where the one before is unavailable or has nothing. ``CombinedSources`` searches the
researcher's own papers and a service side by side.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import known_ids
from coi_tui.literature.people import joined_by_name
from coi_tui.literature.types import (
    UNAVAILABLE,
    CitationList,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
)
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.papers import Paper, PaperText

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
        """Note a source that cannot be asked just now. Any other error says something about the request (a wrong key) and is raised."""
        spent = isinstance(error, QuotaSpent)
        if error.kind not in UNAVAILABLE and not spent:
            raise error
        self.errors.append(error)
        self.reasons.append(
            f"{source.name} {'has used up its budget of today' if spent else REASONS[error.kind]}"
        )

    def empty(self, reason: str) -> None:
        """Note a source that answered, but with nothing."""
        self.reasons.append(reason)

    def note(self, source: str, note: str) -> str:
        """The note of the answer that was taken at last, after the reasons why it came from there."""
        if not self.reasons:
            return note
        reasons = f"{'; '.join(self.reasons)}; from {source}"
        return f"{reasons}: {note}" if note else reasons

    def check(self) -> None:
        """Raises ServiceError where nothing was found but not every source could be asked: that is a failure, not an empty answer."""
        if not self.errors:
            return
        first = self.errors[0]
        raise ServiceError(
            first.service,
            first.kind,
            f"{first.message} In all: {'; '.join(self.reasons)}.",
            first.hint,
        ) from first


class SourceFallback:
    """Several sources as one, in order of preference. A list comes whole from one source and names it.

    Errors other than "not available just now" are raised, so that no other source hides a wrong key or request.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)

    @property
    def name(self) -> str:
        return ", then ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> SearchResult:
        """The first answer that holds papers. ServiceError where none does and a source was unavailable."""
        skipped, answers = _Skipped(), []
        for source in self._sources:
            try:
                found = await source.search(query, limit)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if found.papers:
                return found.model_copy(update={"note": skipped.note(source.name, found.note)})
            answers.append(found)
            skipped.empty(f"{source.name} found nothing")
        skipped.check()
        dates = [found.asked_at for found in answers if found.asked_at]
        return SearchResult(
            query=query,
            source=self.name,
            asked_at=min(dates, default=None),
            total=answers[0].total,
            note="; ".join(skipped.reasons),
            cached=any(found.cached for found in answers),
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any had."""
        skipped, closest = _Skipped(), TitleMatch()
        for source in self._sources:
            try:
                found = await source.match(title, year, authors)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if found.paper is not None:
                return found.model_copy(update={"note": skipped.note(source.name, found.note)})
            skipped.empty(f"{source.name} knows no such paper")
            closest = found if not closest.note else max(closest, found, key=lambda m: m.score)
        skipped.check()
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it; the next are asked only for unknown ones and for missing abstracts."""
        papers: list[Paper | None] = [None] * len(ids)
        skipped = _Skipped()
        for source in self._sources:
            asked = [
                _shared_id(paper_id, paper) for paper_id, paper in zip(ids, papers, strict=True)
            ]
            try:
                await _fill_in(papers, asked, source)
            except ServiceError as error:
                skipped.unavailable(source, error)
        if any(paper is None for paper in papers):
            skipped.check()
        return papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.citations(paper, limit))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.references(paper, limit))

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """The lists of the first source that knows any: those of different services are not mixed."""
        skipped = _Skipped()
        for source in self._sources:
            try:
                found = await source.reference_lists(papers)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if any(found.lists.values()):
                return found.model_copy(
                    update={
                        "note": skipped.note(source.name, found.note),
                        "source": found.source or source.name,
                    }
                )
            skipped.empty(f"{source.name}: {found.note or 'no lists'}")
        skipped.check()
        return ReferenceLists(note="; ".join(skipped.reasons))

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The people of the first source that knows any: the ids of different services are not mixed."""
        skipped = _Skipped()
        for source in self._sources:
            try:
                found = await source.people(papers, most, each)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if found.people:
                return found.model_copy(
                    update={
                        "note": skipped.note(source.name, found.note),
                        "source": found.source or source.name,
                    }
                )
            skipped.empty(f"{source.name}: {found.note or 'no people'}")
        skipped.check()
        return People(note="; ".join(skipped.reasons))

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has; the next is asked only where less than an abstract was found. The notes of all that were asked."""
        skipped = _Skipped()

        def failed(source: Source, error: ServiceError) -> str:
            skipped.unavailable(source, error)
            return skipped.reasons[-1]

        best = await best_text(paper, self._sources, failed)
        if best.kind == "none":
            skipped.check()
        return best

    async def _list(self, ask: Callable[[Source], Awaitable[CitationList]]) -> CitationList:
        """One source's whole list. Where none has one: an answer that says so of all, and ``withheld`` if any list is kept back."""
        skipped, answers = _Skipped(), []
        for source in self._sources:
            try:
                listed = await ask(source)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if listed.papers:
                note = skipped.note(source.name, listed.note)
                return listed.model_copy(
                    update={"note": note, "source": listed.source or source.name}
                )
            answers.append(listed)
            skipped.empty(
                listed.note
                if listed.note.startswith(source.name)
                else f"{source.name}: {listed.note or 'no list'}"
            )
        skipped.check()
        shown = next((listed for listed in answers if listed.withheld), answers[0])
        return shown.model_copy(update={"note": "; ".join(skipped.reasons), "source": ""})


class CombinedSources:
    """Sources that are searched together, their papers in order of preference; one paper found twice is one paper.

    Lists of citations come from the ``listing`` source alone, so that lists of different services are not mixed.
    """

    def __init__(self, sources: Sequence[Source], listing: Source) -> None:
        self._sources, self._listing = tuple(sources), listing

    @property
    def name(self) -> str:
        return " and ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> SearchResult:
        """All papers that were found, the first source's first, and who answered. Raises ServiceError where any source fails."""
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
            cached=last.cached,
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any had."""
        closest = TitleMatch()
        for source in self._sources:
            found = await source.match(title, year, authors)
            if found.paper is not None:
                return found
            closest = max(closest, found, key=lambda m: m.score)
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, what it lacks (its abstract above all) filled in from the others."""
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
        """From the listing source; where that goes by names alone, with what the other sources that do so hold of the same people."""
        found = await self._listing.people(papers, most, each)
        for source in self._sources if found.by_name else ():
            if (
                source is not self._listing
                and (more := await source.people(papers, most, each)).by_name
            ):
                found = joined_by_name(found, more, each)
        return found

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has: full text, else an abstract, else a summary; the notes of all that were asked."""
        return await best_text(paper, reversed(self._sources), lambda _, error: error.message)


async def best_text(
    paper: Paper, sources: Iterable[Source], failed: Callable[[Source, ServiceError], str]
) -> PaperText:
    """The best that any source has, asked in order until one has an abstract or more; the notes of all that were asked.

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
    """Ask a source for the papers of ``ids`` that are unknown or lack an abstract; nothing is asked where none does."""
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
    """The id to ask for: a paper that is known by now goes by one that the next source understands as well."""
    ids = known_ids(paper) if paper is not None else {}
    return next((f"{scheme}:{ids[scheme]}" for scheme in SHARED_IDS if scheme in ids), paper_id)
