"""The fetch of a running task: what is taken from the session and what is asked."""

import asyncio
from dataclasses import dataclass, field

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.services import RecordedFetch
from coi_tui.services.sources.types import HttpAnswer, HttpRequest, PdfText
from tests.support.folding import empty_state
from tests.support.toy import MemoryFile

REQUEST = HttpRequest(url="https://service.example/works", params=(("search", "words"),))


@dataclass
class Service:
    """Numbers its answers; ``fresh`` says which had to be."""

    answered: str = ""
    fresh: list[bool] = field(default_factory=list)

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.fresh.append(request.fresh)
        await asyncio.sleep(0)
        return HttpAnswer(status=200, payload={"n": len(self.fresh)}, answered=self.answered)

    async def pdf_text(self, url: str) -> PdfText:
        raise AssertionError


class Bench:
    """A session that goes on from job to job."""

    def __init__(self, answered: str = "") -> None:
        self.service, self.job = Service(answered), 0
        self.journal = Journal(MemoryFile(), [], {}, [], lambda: "2026-11-20T10:00:00Z")

    def fetch(
        self, again: int = 0, *, anew: bool = False, first_hand: bool = False
    ) -> RecordedFetch:
        """As a task of the job has it."""
        recorder = Recorder(self.journal, Budget(), job=self.job)
        ctx = Context(recorder, empty_state(), "1/+1.cands", "candidates", again=again)
        return RecordedFetch(ctx, self.service, anew=anew, first_hand=first_hand)


async def test_what_the_session_holds_is_not_asked_again() -> None:
    bench = Bench()
    first = await bench.fetch().json(REQUEST)
    assert (first.payload, first.answered) == ({"n": 1}, "2026-11-20T10:00:00Z")
    assert await bench.fetch(first_hand=True).json(REQUEST) == first
    assert bench.service.fresh == [False]


async def test_a_job_that_asks_anew_asks_each_question_once() -> None:
    bench = Bench()
    for job in (1, 1, 2):
        bench.job = job
        await bench.fetch(anew=True).json(REQUEST)
    assert bench.service.fresh == [True, True]


@pytest.mark.parametrize("wish", [{"again": 1}, {"first_hand": True}])
async def test_whoever_wants_a_new_answer_says_so_to_the_cache(wish: dict[str, int]) -> None:
    bench = Bench()
    await bench.fetch(**wish).json(REQUEST)  # type: ignore[arg-type]
    assert bench.service.fresh == [True]


async def test_the_oldest_answer_is_known() -> None:
    bench = Bench("2026-03-01T10:00:00Z")
    fetch = bench.fetch()
    assert (await fetch.json(REQUEST)).answered == "2026-03-01T10:00:00Z"
    bench.service.answered = ""
    await fetch.json(HttpRequest(url="https://service.example/other"))
    assert fetch.oldest == "2026-03-01"
