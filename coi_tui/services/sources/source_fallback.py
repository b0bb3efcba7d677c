"""Several sources as one: asked one after the other until one has an answer, which is cut to what
was known by a day."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self, TypeVar

from coi_tui.literature.ids import known_ids
from coi_tui.literature.paper_records import fill_gaps, is_until, known_by, merge_papers
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.papers import Citations, Paper, PaperText
from coi_tui.services.sources.types import (
    MATCH_ROWS,
    UNAVAILABLE,
    CitationList,
    Direction,
    People,
    Person,
    ReferenceLists,
    SearchResult,
    Source,
)

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
MORE, MOST = 4, 100
"""Of those found first all may be later than the cut, so so many times as many are asked for, at
most 100."""
A = TypeVar("A", SearchResult, CitationList, ReferenceLists, People)
"""An answer of a source."""


class TimeCut:
    """Answers as they would have been on the last day of ``cut``, for studies of what could have
    been thought of then; as they are where it is empty."""

    def __init__(self, cut: str) -> None:
        self._cut = cut

    def asked(self, number: int) -> int:
        """How many to ask for where so many are wanted."""
        return min(MOST, number * MORE) if self._cut else number

    def known(self, papers: Sequence[Paper]) -> list[Paper]:
        """The papers that were known then."""
        return [paper for paper in papers if known_by(paper, self._cut)]

    def __call__(self, answer: A, each: int = MOST) -> A:
        """An answer with what was known then, of each person the first ``each`` papers. Citation
        counts are left out, since they were counted later."""
        if not self._cut:
            return answer
        if isinstance(answer, People):
            people = tuple(self._person(person, each) for person in answer.people)
            return answer.model_copy(update={"people": people})
        known = list(map(self.paper, answer.papers))
        remaining = tuple(filter(None, known))
        update: dict[str, Any] = {"papers": remaining}
        if left := len(known) - len(remaining):
            out = f"{left} left out: published after {self._cut}, or without a date"
            update["note"] = "; ".join(filter(None, (answer.note, out)))
        if isinstance(answer, SearchResult | CitationList):
            update["total"] = None
        if isinstance(answer, CitationList):
            ids = {paper.id for paper in remaining} | {answer.paper}
            links = (link for link in answer.links if {link.citing, link.cited} <= ids)
            update["links"] = tuple(links)
        return answer.model_copy(update=update)

    def paper(self, paper: Paper | None) -> Paper | None:
        """The paper, where it was known then."""
        if not self._cut or paper is None:
            return paper
        known = known_by(paper, self._cut)
        return paper.model_copy(update={"citations": Citations()}) if known else None

    def _person(self, person: Person, each: int) -> Person:
        """As known then: without counts and affiliation, which are of today. The papers of a list
        bear a year alone, so those of the cut's own year are known only where it was over."""
        papers = [paper for paper in person.papers if is_until(paper.year, self._cut)]
        return Person(id=person.id, name=person.name, papers=tuple(papers[:each]))


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
        first = next((e for e in self.errors if e.kind != "offline" or not answered), None)
        if first is None:
            return
        if len(self.reasons) > 1 or answered:
            why = f"{first.message} In all: {'; '.join(self.reasons)}."
            raise ServiceError(first.service, first.kind, why, first.hint) from first
        raise first


def _content(answer: SearchResult | CitationList | ReferenceLists | People) -> bool:
    """Whether an answer holds anything."""
    if isinstance(answer, ReferenceLists):
        return any(answer.lists.values())
    return bool(answer.people if isinstance(answer, People) else answer.papers)


class SourcesInOrder(Source):
    """Several sources as one: the researcher's ``own`` papers are searched together with the first
    service that has an answer; ``cut`` leaves out what was published later.

    The next service is asked only where the one before is unavailable or has nothing; errors other
    than "not available just now" are raised, so that no other hides a wrong key or request. A list
    comes whole from one service and names it.
    """

    def __init__(
        self,
        services: Sequence[Source],
        own: Source | None = None,
        cut: str = "",
        registries: Sequence[Source] = (),
    ) -> None:
        self._services, self._registries = services, registries
        self._own, self._cut = own, TimeCut(cut)
        self._names = ", then ".join(service.name for service in services)
        self.name = f"{own.name} and {self._names}" if own else self._names

    def published_since(self, day: str) -> Self:
        new = super().published_since(day)
        new._services = [service.published_since(day) for service in self._services]
        return new

    async def _first(
        self, ask: Callable[[Source], Awaitable[A]], each: int = MOST, own: bool = False
    ) -> tuple[A, list[A]]:
        """The first answer that holds anything, its note after the reasons why it came from there.
        Where none does: the first answer with all reasons for its note, and all answers.
        The own papers are asked last where ``own`` says so. ServiceError where a service was unavailable."""
        skipped, answers = _Skipped(), list[A]()
        for source in (*self._services, *([self._own] if own and self._own else [])):
            try:
                found = self._cut(await ask(source), each)
            except ServiceError as error:
                skipped.unavailable(source, error)
                continue
            if not _content(found):
                answers.append(found)
                why = found.note.removeprefix(f"{source.name} ") or "nothing found"
                skipped.reasons.append(f"{source.name}: {why}")
                continue
            changed = {"source": found.source or source.name}
            if skipped.reasons:
                note = found.note and f": {found.note}"
                changed["note"] = f"{'; '.join(skipped.reasons)}; from {source.name}{note}"
            return found.model_copy(update=changed), []
        skipped.check(answered=bool(answers))
        if len(answers) > 1:
            answers[0] = answers[0].model_copy(update={"note": "; ".join(skipped.reasons)})
        return answers[0], answers

    async def search(self, query: str, limit: int) -> SearchResult:
        """The first answer that has papers, after those of the own papers; one paper found twice is
        one paper."""
        most = self._cut.asked(limit)
        found, empty = await self._first(lambda service: service.search(query, most))
        update: dict[str, object] = {"papers": found.papers[:limit]}
        if len(empty) > 1:
            update["source"] = self._names
        if self._own is not None:
            own = self._cut(await self._own.search(query, most))
            notes = (f"{a.source}: {len(a.papers)}{a.note and f', {a.note}'}" for a in (own, found))
            update = {
                "source": f"{own.source} and {update.get('source', found.source)}",
                "papers": tuple(merge_papers([*own.papers, *found.papers])[:limit]),
                "note": "; ".join(notes),
                "lacking": "",
            }
        return found.model_copy(update=update)

    async def match(
        self, title: str, year: int | None, authors: Sequence[str] = ()
    ) -> Paper | None:
        """The own paper of that title, else that of the first service that has one."""
        if self._own and (own := self._cut.paper(await self._own.match(title, year, authors))):
            return own

        async def ask(service: Source) -> SearchResult:
            paper = await service.match(title, year, authors)
            return SearchResult(query=title, papers=(paper,) if paper else ())

        return next(iter((await self._first(ask))[0].papers), None)

    async def registered(self, title: str) -> SearchResult:
        """Those of every registry."""
        most = self._cut.asked(MATCH_ROWS)
        answers = [self._cut(await one.search(title, most)) for one in self._registries]
        return SearchResult(
            query=title,
            source=", then ".join([self.name, *(one.name for one in self._registries)]),
            asked_at=next((answer.asked_at for answer in answers), None),
            papers=tuple(paper for answer in answers for paper in answer.papers),
        )

    async def noticed(self, papers: Sequence[Paper]) -> list[Paper]:
        """By what the registries say of their DOIs, each asked for once."""
        by_doi = {f"DOI:{doi}": p for p in papers if (doi := known_ids(p).get("DOI"))}
        answers = [await registry.papers(list(by_doi)) for registry in self._registries]
        return [
            paper.model_copy(update={"notices": record.notices})
            for records in answers
            for paper, record in zip(by_doi.values(), records, strict=True)
            if record is not None and record.notices
        ]

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, the own papers first; the next are asked
        only for unknown ones and for missing abstracts."""
        papers: list[Paper | None] = [None] * len(ids)
        if self._own is not None:
            await _fill_in(papers, ids, self._own)
        skipped, answered = _Skipped(), False
        for service in self._services:
            try:
                await _fill_in(papers, list(map(_shared_id, ids, papers)), service)
                answered = True
            except ServiceError as error:
                skipped.unavailable(service, error)
        if None in papers:
            skipped.check(answered=answered)
        return list(map(self._cut.paper, papers))

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        """One service's whole list, else what is known of the own papers. Where none has one: an answer
        that says so of all, and ``withheld`` if any list is withheld."""

        def ask(source: Source) -> Awaitable[CitationList]:
            lists = source.citations if direction == "citing" else source.references
            return lists(paper, limit)

        found, empty = await self._first(ask, own=True)
        shown = next((listed for listed in empty if listed.withheld), found)
        return shown.model_copy(update={"note": found.note})

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """The lists of the first service that knows any: those of different services are not
        mixed."""
        known = self._cut.known(papers)
        return (await self._first(lambda service: service.reference_lists(known)))[0]

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The people of the first service that knows any: the ids of different services are not
        mixed."""
        known, more = self._cut.known(papers), self._cut.asked(each)
        return (await self._first(lambda service: service.people(known, most, more), each))[0]

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has, the own papers asked last; the next is asked only where
        less than an abstract was found. The notes of all that were asked."""
        skipped = _Skipped()
        best, notes = PaperText(paper=paper.id, kind="none"), []
        for source in filter(None, (*self._services, self._own)):
            try:
                text = await source.text(paper)
            except ServiceError as error:
                notes.append(skipped.unavailable(source, error))
                continue
            notes.append(text.note)
            best = max(best, text, key=lambda t: KINDS.index(t.kind))
            if best.kind in ("abstract", "full text"):
                break
        if best.kind == "none":
            skipped.check(answered=len(skipped.errors) < len(self._services))
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
