"""A session with a chain and an idea, and papers that come into the world after it was made."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from coi_tui.engine.recorder import Listener, silent
from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.news import News, news_of
from coi_tui.methods.services import ServiceSet
from coi_tui.model.papers import Link, Paper
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    Fetch,
    HttpAnswer,
    HttpRequest,
    PdfText,
)
from tests.support.desk import TOPIC, Desk, chains, copy_of
from tests.support.world import MemorySource, World

SAID = "We build on it where others fail"


@dataclass
class SayingSource(MemorySource):
    """Gives a sentence with each citation, as Semantic Scholar does. With a ``fetch`` every request
    goes through it first, so that it is recorded."""

    fetch: Fetch | None = None

    def _listed(self, paper: Paper, direction: Direction, ids: list[str]) -> CitationList:
        found = super()._listed(paper, direction, ids)
        links = tuple(Link(**{**vars(link), "contexts": (SAID,)}) for link in found.links)
        return found.model_copy(update={"links": links})

    async def _ask(self, kind: str, what: str) -> None:
        if self.fetch is not None:
            await self.fetch.json(HttpRequest(url=f"memory://{kind}", params=(("of", what),)))
        await super()._ask(kind, what)


@dataclass
class CountedFetch:
    """Counts what is sent."""

    sent: int = 0

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.sent += 1
        return HttpAnswer(status=200, payload={})

    async def pdf_text(self, url: str) -> PdfText:
        raise AssertionError


class RecordedDesk(Desk):
    """A desk whose source of papers is asked through a fetch that the session records."""

    counted: CountedFetch

    @property
    def tools(self) -> ServiceSet:
        def source_for(fetch: Fetch) -> SayingSource:
            return SayingSource(self.world, fetch=fetch, lists=True)

        return replace(super().tools, source_for=source_for, fetch=self.counted)


def new_paper(number: int, like: Paper, published: str = "2026-03-02", words: str = "") -> Paper:
    """A paper about the topic, and about what another one is about."""
    return Paper(
        id=f"arXiv:2603.{number:05d}",
        title=f"{like.title} again {number}",
        year=int(published[:4]),
        published=published,
        abstract=f"{like.abstract} It is of {TOPIC}. {words}",
        source="memory library",
    )


def with_new(world: World, cited: str, number: int, **more: str) -> World:
    """A world in which a further paper cites one that was there."""
    paper = new_paper(number, world.papers[cited], **more)
    return world.with_paper(paper, (cited,))


def desk_at(folder: Path, until: str = "review") -> Desk:
    """A finished session of one branch, before anything new was published."""
    desk = copy_of(folder, "one", until)
    desk.source = SayingSource(desk.world, lists=True)
    return desk


def paper_at(desk: Desk, address: str) -> str:
    paper = chains(desk.session).slot(address).paper
    assert paper is not None
    return paper


def look(desk: Desk, listen: Listener = silent) -> Outcome:
    return asyncio.run(desk.go(desk.planner.to_look(), listen=listen))


def looked(desk: Desk) -> News:
    """What a look finds, which must come to its end."""
    outcome = look(desk)
    assert outcome.state == "done", outcome.failed
    return news_of(desk.state)


def ids(news: News) -> list[str]:
    return [paper.id for _, paper in news.papers]
