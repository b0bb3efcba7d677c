"""The researcher's imported papers as a source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from heapq import nsmallest
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.computing import run_in_thread
from coi_tui.literature.bibliography_entry import LIBRARY_NAME
from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, WordsSeen, WordTable, content_words
from coi_tui.literature.title_match import match_title
from coi_tui.model.entries import LOCAL
from coi_tui.model.papers import Paper, PaperText, TitleMatch
from coi_tui.services.sources.types import SearchResult, Source, Today

LEAST_SHARE = 0.5
"""An imported paper is a hit when it holds this share of the query's content words."""


class ImportedLibrary(Source):
    """Papers that the researcher imported. It finds papers, matches titles and fills in
    abstracts."""

    name = LIBRARY_NAME

    def __init__(self, papers: Sequence[Paper], *, today: Today) -> None:
        self._papers, self._today = tuple(papers), today

    @cached_property
    def _by_id(self) -> Mapping[Id, Paper]:
        return {pair: p for p in self._papers for pair in (("", p.id), *known_ids(p).items())}

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
        best = nsmallest(limit, places, key=lambda n: (-scores[n], self._papers[n].id))
        return [self._papers[n] for n in best], len(places)

    async def search(self, query: str, limit: int) -> SearchResult:
        papers, total = await run_in_thread(self.nearest, query, limit)
        return SearchResult(
            query=query,
            source=LIBRARY_NAME,
            asked_at=self._today(),
            total=total,
            papers=tuple(papers),
            note=RANKED_LOCALLY,
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await run_in_thread(match_title, title, self._papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        known = await run_in_thread(lambda: self._by_id)
        return [known.get(("", i)) or known.get(normalise_id(i) or ("", "")) for i in ids]

    async def text(self, paper: Paper) -> PaperText:
        (record,) = await self.papers([paper.id])
        if record is None or not record.abstract:
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {LIBRARY_NAME}")
        note = f"abstract from {LIBRARY_NAME}"
        return PaperText(paper=paper.id, kind="abstract", text=record.abstract, note=note)


class LocalRecord(Protocol):
    """Stores answers of this machine with a session."""

    async def local(
        self,
        asked: Mapping[str, Any],
        state: str,
        answer: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> Mapping[str, Any]: ...


class _Found(BaseModel):
    papers: list[Paper | None]


M = TypeVar("M", bound=BaseModel)


class RecordedImports(Source):
    """The imported papers as a running step asks them. Each answer is stored with the session,
    since the papers stay on this machine.

    ``state`` tells one state of the imported papers from another.
    """

    name = LIBRARY_NAME

    def __init__(self, papers: ImportedLibrary, record: LocalRecord, state: str) -> None:
        self._imported, self._record, self._state = papers, record, state

    async def _stored(
        self, model: type[M], ask: str, about: Sequence[Any], answer: Callable[[], Awaitable[M]]
    ) -> M:
        async def as_json() -> Mapping[str, Any]:
            return (await answer()).model_dump(mode="json")

        asked = {LOCAL: "imported papers", "ask": ask, "about": list(about)}
        return model.model_validate(await self._record.local(asked, self._state, as_json))

    async def search(self, query: str, limit: int) -> SearchResult:
        own = self._imported
        return await self._stored(
            SearchResult, "search", [query, limit], lambda: own.search(query, limit)
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        about, own = [title, year, list(authors)], self._imported
        return await self._stored(
            TitleMatch, "match", about, lambda: own.match(title, year, authors)
        )

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        async def found() -> _Found:
            return _Found(papers=await self._imported.papers(ids))

        return (await self._stored(_Found, "papers", ids, found)).papers

    async def text(self, paper: Paper) -> PaperText:
        return await self._stored(PaperText, "text", [paper.id], lambda: self._imported.text(paper))
