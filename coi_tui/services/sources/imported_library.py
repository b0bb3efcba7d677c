"""The researcher's imported papers as a source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from heapq import nsmallest
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.computing import beside
from coi_tui.literature.bibliography_entry import LIBRARY_NAME
from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, WordsSeen, WordTable, content_words
from coi_tui.literature.title_match import match_title
from coi_tui.model.calls import LOCAL
from coi_tui.model.papers import Paper, PaperText
from coi_tui.services.sources.people import people_by_name
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    People,
    ReferenceLists,
    SearchResult,
    TitleMatch,
    Today,
)

LEAST_SHARE = 0.5
"""An imported paper is a hit when it holds this share of the query's content words."""


class ImportedLibrary:
    """Papers that the researcher imported. It knows no citation links; it finds papers, matches
    titles and fills in abstracts."""

    def __init__(self, papers: Sequence[Paper], *, today: Today) -> None:
        self._papers = tuple(papers)
        self._today = today

    @property
    def name(self) -> str:
        return LIBRARY_NAME

    @cached_property
    def _by_id(self) -> Mapping[tuple[str, str], Paper]:
        return {pair: p for p in self._papers for pair in known_ids(p).items()} | {
            ("", p.id): p for p in self._papers
        }

    @cached_property
    def _words(self) -> tuple[WordTable, WordsSeen]:
        table = WordTable(self._papers)
        return table, table.words_seen()

    def nearest(self, query: str, limit: int) -> tuple[list[Paper], int]:
        """The papers that hold at least half of the query's content words, the ``limit`` most
        similar first; and how many hold so many."""
        wanted = content_words(query)
        if not wanted or not self._papers:
            return [], 0
        table, seen = self._words
        hits = table.shared(wanted) >= LEAST_SHARE * len(wanted)
        scores = table.similarities(query, hits, seen)
        places = hits.nonzero()[0].tolist()
        best = nsmallest(
            limit,
            (
                (-score, self._papers[n].id, n)
                for n, score in zip(places, scores[hits].tolist(), strict=True)
            ),
        )
        return [self._papers[n] for _, _, n in best], len(places)

    async def search(self, query: str, limit: int) -> SearchResult:
        papers, total = await beside(self.nearest, query, limit)
        return SearchResult(
            query=query,
            source=LIBRARY_NAME,
            asked_at=self._today(),
            total=total,
            papers=tuple(papers),
            note=RANKED_LOCALLY,
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await beside(match_title, title, self._papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        known = await beside(lambda: self._by_id)
        return [known.get(("", i)) or known.get(normalise_id(i) or ("", "")) for i in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return self._no_list(paper, "citing")

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return self._no_list(paper, "cited")

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return ReferenceLists(note=f"{LIBRARY_NAME} holds no citation links")

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers`` and of the imported ones."""
        return await beside(
            people_by_name,
            papers,
            self._papers,
            most,
            each,
            source=LIBRARY_NAME,
            asked_at=self._today(),
        )

    def _no_list(self, paper: Paper, direction: Direction) -> CitationList:
        return CitationList(
            paper=paper.id, direction=direction, note=f"{LIBRARY_NAME} holds no citation links"
        )

    async def text(self, paper: Paper) -> PaperText:
        record = (await self.papers([paper.id]))[0]
        if record is None or not record.abstract:
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {LIBRARY_NAME}")
        return PaperText(
            paper=paper.id,
            kind="abstract",
            text=record.abstract,
            note=f"abstract from {LIBRARY_NAME}",
        )


class LocalRecord(Protocol):
    """Keeps answers of this machine with a session."""

    async def local(
        self,
        asked: Mapping[str, Any],
        state: str,
        answer: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> Mapping[str, Any]: ...


IMPORTED = "imported papers"
"""What a kept answer of these papers says that it asked."""


class Found(BaseModel):
    """What was asked for by ids, as it is kept."""

    papers: list[Paper | None]


M = TypeVar("M", bound=BaseModel)


class RecordedImports:
    """The imported papers as a running step asks them. Each answer is kept with the session, since
    the papers stay on this machine.

    ``state`` tells one state of the imported papers from another.
    """

    def __init__(self, papers: ImportedLibrary, record: LocalRecord, state: str) -> None:
        self._papers, self._record, self._state = papers, record, state

    @property
    def name(self) -> str:
        return self._papers.name

    async def _kept(
        self, model: type[M], what: str, about: Sequence[Any], answer: Callable[[], Awaitable[M]]
    ) -> M:
        async def as_json() -> Mapping[str, Any]:
            return (await answer()).model_dump(mode="json")

        asked = {LOCAL: IMPORTED, "ask": what, "about": list(about)}
        return model.model_validate(await self._record.local(asked, self._state, as_json))

    async def search(self, query: str, limit: int) -> SearchResult:
        return await self._kept(
            SearchResult, "search", [query, limit], lambda: self._papers.search(query, limit)
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await self._kept(
            TitleMatch,
            "match",
            [title, year, list(authors)],
            lambda: self._papers.match(title, year, authors),
        )

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        async def found() -> Found:
            return Found(papers=await self._papers.papers(ids))

        return (await self._kept(Found, "papers", ids, found)).papers

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await self._papers.citations(paper, limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._papers.references(paper, limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return await self._papers.reference_lists(papers)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        about = [[[paper.id, *paper.authors] for paper in papers], most, each]
        return await self._kept(
            People, "people", about, lambda: self._papers.people(papers, most, each)
        )

    async def text(self, paper: Paper) -> PaperText:
        return await self._kept(PaperText, "text", [paper.id], lambda: self._papers.text(paper))
