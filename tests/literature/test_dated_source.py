"""Records and lists bear the date of the answers they were read from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from coi_tui.literature.cached_answers import DatedSource
from coi_tui.literature.types import (
    CitationList,
    Fetch,
    HttpAnswer,
    HttpRequest,
    PdfText,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
)
from coi_tui.model.papers import Paper, PaperText

PAPER = Paper(id="p", title="A paper")


@dataclass
class Answers:
    """Gives each address an answer of a day; an empty day is now."""

    days: dict[str, str]
    kept: set[str] = field(default_factory=set)

    async def json(self, request: HttpRequest) -> HttpAnswer:
        await asyncio.sleep(0)
        return HttpAnswer(
            status=200, payload={}, answered=self.days[request.url], kept=request.url in self.kept
        )

    async def pdf_text(self, url: str) -> PdfText:
        raise AssertionError


class Pages:
    """A source that asks for each word of a query, and for no word nothing."""

    def __init__(self, fetch: Fetch, today: Callable[[], str]) -> None:
        self.fetch, self.today = fetch, today

    @property
    def name(self) -> str:
        return "pages"

    async def search(self, query: str, limit: int) -> SearchResult:
        for word in query.split():
            await self.fetch.json(HttpRequest(url=word))
        return SearchResult(query=query, source=self.name, note=self.today())

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        await self.fetch.json(HttpRequest(url="old"))
        return CitationList(paper=paper.id, direction="citing", note=self.today())

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return CitationList(paper=paper.id, direction="cited", note=self.today())

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        await self.fetch.json(HttpRequest(url="old"))
        return ReferenceLists(lists={p.id: () for p in papers})

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        await self.fetch.json(HttpRequest(url="old"))
        return TitleMatch(note=self.today())

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        await self.fetch.json(HttpRequest(url="old"))
        return [Paper(id=i, title=self.today()) for i in ids]

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        await self.fetch.json(HttpRequest(url="old"))
        return People(note=self.today())

    async def text(self, paper: Paper) -> PaperText:
        return PaperText(paper=paper.id, kind="none")


def dated(**kept: bool) -> DatedSource:
    answers = Answers(
        {"new": "", "old": "2026-03-01T10:00:00Z", "older": "2026-02-01"},
        {w for w, k in kept.items() if k},
    )
    make: Callable[[Fetch, Callable[[], str]], Source] = Pages
    return DatedSource(make, answers, lambda: "2026-11-21")


async def test_the_oldest_answer_dates_a_list() -> None:
    found = await dated(older=True).search("old older new", 5)
    assert (found.asked_at, found.cached, found.note) == ("2026-02-01", True, "2026-02-01")
    assert (await dated().search("new", 5)).asked_at == "2026-11-21"


async def test_where_nothing_was_asked_nothing_is_dated() -> None:
    found, listed = await dated().search("", 5), await dated().references(PAPER, 5)
    assert (found.asked_at, found.cached, listed.asked_at, listed.cached) == (
        None,
        False,
        None,
        False,
    )
    assert listed.note == "2026-11-21"


async def test_lists_matches_and_records_read_the_day_of_their_answer() -> None:
    source = dated(old=True)
    listed = await source.citations(PAPER, 5)
    assert (listed.asked_at, listed.cached, listed.note) == ("2026-03-01", True, "2026-03-01")
    assert (await source.match("t", None)).note == "2026-03-01"
    people = await source.people([PAPER], 5, 5)
    assert (people.asked_at, people.cached, people.note) == ("2026-03-01", True, "2026-03-01")
    assert [p.title for p in await source.papers(["a"]) if p] == ["2026-03-01"]


async def test_questions_at_the_same_time_do_not_lend_each_other_their_dates() -> None:
    source = dated(old=True)
    one, two = await asyncio.gather(source.search("old", 5), source.search("new", 5))
    assert (one.asked_at, one.cached, two.asked_at, two.cached) == (
        "2026-03-01",
        True,
        "2026-11-21",
        False,
    )
