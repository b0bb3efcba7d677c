"""Sources in an order of preference, asked one after the other: the next only where the one before is away or has nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import known_ids
from coi_tui.literature.types import UNAVAILABLE, CitationList, SearchResult, Source, TitleMatch
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.papers import Paper, PaperText

WHY_AWAY = {
    "unreachable": "could not be reached", "limited": "limits the rate of calls (429)", "server": "has a fault of its own",
    "offline": "is not asked while offline",
}  # fmt: skip
SHARED_IDS = ("arXiv", "DOI", "PMID")
"""Ids that every service understands; a service's own mean nothing to the next."""


class _Missed:
    """Why the sources that were asked so far gave nothing."""

    def __init__(self) -> None:
        self.why: list[str] = []
        self.lost: list[ServiceError] = []

    def away(self, source: Source, error: ServiceError) -> None:
        """Remember a source that cannot be asked just now; anything else says something of the request and is raised (wrong key)."""
        spent = isinstance(error, QuotaSpent)
        if error.kind not in UNAVAILABLE and not spent:
            raise error
        self.lost.append(error)
        self.why.append(f"{source.name} {'has spent its budget of today' if spent else WHY_AWAY[error.kind]}")

    def empty(self, why: str) -> None:
        self.why.append(why)

    def told(self, source: str, note: str) -> str:
        """The note of the answer that was taken at last; the note as it was where no other source had been asked."""
        if not self.why:
            return note
        said = f"{'; '.join(self.why)}; from {source}"
        return f"{said}: {note}" if note else said

    def check(self) -> None:
        """Raises ServiceError where nothing was found but not every source could be asked: that is a failure, not an empty answer."""
        if not self.lost:
            return
        first = self.lost[0]
        raise ServiceError(first.service, first.kind, f"{first.message} In all: {'; '.join(self.why)}.", first.hint) from first


class SourceFallback:
    """Several sources as one. A list comes whole from one source and says from which; a fault that is no absence is told as it is."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)

    @property
    def name(self) -> str:
        return ", then ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> SearchResult:
        """The first answer that holds papers. ServiceError where none does and a source was away."""
        missed, answers = _Missed(), []
        for source in self._sources:
            try:
                found = await source.search(query, limit)
            except ServiceError as error:
                missed.away(source, error)
                continue
            if found.papers:
                return found.model_copy(update={"note": missed.told(source.name, found.note)})
            answers.append(found)
            missed.empty(f"{source.name} found nothing")
        missed.check()
        dates = [found.asked_at for found in answers if found.asked_at]
        return SearchResult(
            query=query, source=self.name, asked_at=min(dates, default=None), total=answers[0].total, note="; ".join(missed.why),
            kept=any(found.kept for found in answers),
        )  # fmt: skip

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The first source's paper of that title, else the next one's; else the closest that any had."""
        missed, closest = _Missed(), TitleMatch()
        for source in self._sources:
            try:
                found = await source.match(title, year, authors)
            except ServiceError as error:
                missed.away(source, error)
                continue
            if found.paper is not None:
                return found.model_copy(update={"note": missed.told(source.name, found.note)})
            missed.empty(f"{source.name} knows no such paper")
            closest = found if not closest.note else max(closest, found, key=lambda m: m.score)
        missed.check()
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it; the next are asked for unknown ones and for missing abstracts alone."""
        held: list[Paper | None] = [None] * len(ids)
        missed = _Missed()
        for source in self._sources:
            lacking = [n for n, paper in enumerate(held) if paper is None or paper.abstract is None]
            if not lacking:
                break
            try:
                more = await source.papers([_asked(ids[n], held[n]) for n in lacking])
            except ServiceError as error:
                missed.away(source, error)
                continue
            for n, paper in zip(lacking, more, strict=True):
                mine = held[n]
                held[n] = paper if mine is None else fill_gaps(mine, paper) if paper is not None else mine
        if any(paper is None for paper in held):
            missed.check()
        return held

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.citations(paper, limit))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(lambda source: source.references(paper, limit))

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has; the next is asked only below an abstract. The notes of all that were asked."""
        missed = _Missed()

        def failed(source: Source, error: ServiceError) -> str:
            missed.away(source, error)
            return missed.why[-1]

        best = await best_text(paper, self._sources, failed)
        if best.kind == "none":
            missed.check()
        return best

    async def _list(self, ask: Callable[[Source], Awaitable[CitationList]]) -> CitationList:
        """One source's whole list. Where none has one: an answer that says so of all, and ``withheld`` if any list is kept back."""
        missed, answers = _Missed(), []
        for source in self._sources:
            try:
                listed = await ask(source)
            except ServiceError as error:
                missed.away(source, error)
                continue
            if listed.papers:
                note = missed.told(source.name, listed.note)
                return listed.model_copy(update={"note": note, "source": listed.source or source.name})
            answers.append(listed)
            missed.empty(listed.note if listed.note.startswith(source.name) else f"{source.name}: {listed.note or 'no list'}")
        missed.check()
        told = next((listed for listed in answers if listed.withheld), answers[0])
        return told.model_copy(update={"note": "; ".join(missed.why), "source": ""})


def _asked(paper_id: str, held: Paper | None) -> str:
    """What to ask for: a paper that is known by now goes by an id that the next source understands as well."""
    ids = known_ids(held) if held is not None else {}
    return next((f"{scheme}:{ids[scheme]}" for scheme in SHARED_IDS if scheme in ids), paper_id)


class CombinedSources:
    """Sources in an order of preference. What the first does not know is asked of the next; one paper found twice is one paper.

    A list of citations is the ``listing`` source's own: lists of different makers are not mixed.
    """

    def __init__(self, sources: Sequence[Source], listing: Source) -> None:
        self._sources, self._listing = tuple(sources), listing

    @property
    def name(self) -> str:
        return " and ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> SearchResult:
        """All that were found, the first source's papers first, and who answered. Raises ServiceError where the listing source fails."""
        answers = [await source.search(query, limit) for source in self._sources]
        papers = merge_papers(p for answer in answers for p in answer.papers)
        notes = "; ".join(f"{a.source}: {len(a.papers)}{f', {a.note}' if a.note else ''}" for a in answers)
        last = answers[-1]
        return SearchResult(
            query=query, source=" and ".join(a.source for a in answers), asked_at=last.asked_at, total=last.total,
            papers=tuple(papers[:limit]), note=notes, kept=last.kept,
        )  # fmt: skip

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        closest = TitleMatch()
        for source in self._sources:
            found = await source.match(title, year, authors)
            if found.paper is not None:
                return found
            closest = max(closest, found, key=lambda m: m.score)
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, what it lacks (its abstract above all) filled from the others."""
        held: list[Paper | None] = [None] * len(ids)
        for source in self._sources:
            lacking = [n for n, p in enumerate(held) if p is None or p.abstract is None]
            if not lacking:
                break
            for n, more in zip(lacking, await source.papers([ids[n] for n in lacking]), strict=True):
                mine = held[n]
                held[n] = more if mine is None else fill_gaps(mine, more) if more is not None else mine
        return held

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._listing.citations(paper, limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._listing.references(paper, limit)

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has: full text, else an abstract, else a summary; the notes of all."""
        return await best_text(paper, reversed(self._sources), lambda _, error: error.message)


KINDS = ("none", "summary", "abstract", "full text")
"""What can be read of a paper, the least first."""


async def best_text(paper: Paper, sources: Iterable[Source], failed: Callable[[Source, ServiceError], str]) -> PaperText:
    """The best that any source has, asked in order until one has an abstract or more; the notes of all that were asked.

    ``failed`` says in words why a source gave nothing, or raises.
    """
    best, notes = PaperText(paper=paper.id, kind="none"), []
    for source in sources:
        try:
            got = await source.text(paper)
        except ServiceError as error:
            notes.append(failed(source, error))
            continue
        notes.append(got.note)
        if KINDS.index(got.kind) > KINDS.index(best.kind):
            best = got
        if best.kind in ("abstract", "full text"):
            break
    return best.model_copy(update={"note": "; ".join(note for note in notes if note)})
