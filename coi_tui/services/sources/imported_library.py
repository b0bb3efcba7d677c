"""The researcher's own papers as a source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from coi_tui.literature.list_entries import LIBRARY_NAME
from coi_tui.literature.ranking import RANKED_LOCALLY, LocalPapers
from coi_tui.literature.title_match import match_title
from coi_tui.model.entries import LOCAL
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import Values
from coi_tui.process import run_in_thread
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    SearchResult,
    Source,
    Today,
)


class LocalRecord(Protocol):
    """Stores answers of this machine with a session."""

    async def local(
        self,
        asked: Values,
        state: str,
        answer: Callable[[], Awaitable[Values]],
    ) -> Values: ...


class _Found(BaseModel):
    papers: list[Paper | None]


M = TypeVar("M", bound=BaseModel)


@dataclass(eq=False)
class ImportedLibrary(Source):
    """The imported papers as a source: it finds papers, matches titles, fills in abstracts, and gives
    the links that are ``linked``: known of them on this machine.

    With ``record`` each answer is stored with the session, since the papers stay on this machine;
    ``state`` then tells one state of them from another.
    """

    name = LIBRARY_NAME

    imported: LocalPapers
    linked: Callable[[Paper, Direction], CitationList]
    today: Today
    record: LocalRecord | None = None
    state: str = ""

    async def _answer(
        self, model: type[M], ask: str, about: Sequence[Any], work: Callable[[], M]
    ) -> M:
        """What ``work`` gives for ``about``, or what is stored with the session."""
        if self.record is None:
            return await run_in_thread(work)

        async def as_json() -> Values:
            return (await run_in_thread(work)).model_dump(mode="json")

        asked = {LOCAL: "imported papers", "ask": ask, "about": list(about)}
        return model.model_validate(await self.record.local(asked, self.state, as_json))

    async def search(self, query: str, limit: int) -> SearchResult:
        def work() -> SearchResult:
            papers, total = self.imported.nearest(query, limit)
            return SearchResult(
                query=query,
                source=LIBRARY_NAME,
                asked_at=self.today(),
                total=total,
                papers=tuple(papers),
                note=RANKED_LOCALLY,
            )

        return await self._answer(SearchResult, "search", [query, limit], work)

    async def match(
        self, title: str, year: int | None, authors: Sequence[str] = ()
    ) -> Paper | None:
        def work() -> _Found:
            return _Found(papers=[match_title(title, self.imported.papers, year, authors)])

        about = [title, year, list(authors)]
        return (await self._answer(_Found, "titled", about, work)).papers[0]

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        def work() -> _Found:
            return _Found(papers=self.imported.find(ids))

        return (await self._answer(_Found, "papers", ids, work)).papers

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        found = await self._answer(
            CitationList, direction, [paper.id], partial(self.linked, paper, direction)
        )
        return found.model_copy(update={"asked_at": self.today()})

    async def text(self, paper: Paper) -> PaperText:
        def work() -> PaperText:
            for record in (*self.imported.find([paper.id]), paper):  # last one that was linked
                if record and record.abstract:
                    note = f"abstract from {record.source}"
                    kind, text = record.abstract_kind, record.abstract
                    return PaperText(paper=paper.id, kind=kind, text=text, note=note)
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {LIBRARY_NAME}")

        return await self._answer(PaperText, "text", [paper.id], work)
