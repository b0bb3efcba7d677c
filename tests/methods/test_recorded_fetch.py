"""The fetch of a running step: what is taken from the session, what from the library, what is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.events import Event
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Recorder
from coi_tui.literature.types import HttpAnswer, HttpRequest, PdfText
from coi_tui.methods.recorded_calls import RecordedFetch
from coi_tui.model.errors import ServiceError
from coi_tui.model.state import State
from tests.support.toy import MemoryFile

REQUEST = HttpRequest(url="https://service.example/works", params=(("search", "words"),))


@dataclass
class Service:
    """Numbers its answers. ``fails`` names the kind of error that it ends with instead."""

    fails: str = ""
    asked: int = 0

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.asked += 1
        await asyncio.sleep(0)
        if self.fails:
            raise ServiceError("service", self.fails, "no answer")
        return HttpAnswer(status=200, payload={"n": self.asked})

    async def pdf_text(self, url: str) -> PdfText:
        raise AssertionError


@dataclass
class Shelf:
    """A library of one answer. Days are numbers; ``day`` is today."""

    held: str = ""
    anew: str = ""
    online: bool = True
    day: int = 100
    kept: list[HttpAnswer] = field(default_factory=list)

    def old(self, answered: str, *, held: bool = False) -> bool:
        return self.online and self.day - int(answered) >= 30

    async def find(self, request: HttpRequest) -> HttpAnswer | None:
        return (
            HttpAnswer(status=200, payload={"n": "kept"}, answered=self.held, kept=True)
            if self.held
            else None
        )

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None:
        self.kept.append(answer)


class Bench:
    """A session that goes on from day to day."""

    def __init__(self, service: Service, shelf: Shelf) -> None:
        self.service, self.shelf, self.file = service, shelf, MemoryFile()
        self.journal = Journal(self.file, [], {}, [], lambda: str(self.shelf.day))
        self.used: list[int] = []
        self.job = 0
        self.heard: list[Event] = []

    async def ask(
        self, *, again: int = 0, first_hand: bool = False, same_job: bool = False
    ) -> HttpAnswer:
        """As a step of the next job does, or of the same one."""
        self.job += not same_job
        ctx = Context(
            Recorder(self.journal, Budget(), job=self.job, listen=self.heard.append),
            State(),
            "1/+1.cands",
            "candidates",
            again=again,
        )
        fetch = RecordedFetch(ctx, self.service, answers=self.shelf, first_hand=first_hand)
        answer = await fetch.json(REQUEST)
        self.used = ctx.used
        return answer


async def test_a_young_answer_is_taken_and_nobody_is_asked() -> None:
    bench = Bench(Service(), Shelf(held="90"))
    answer = await bench.ask()
    assert (answer.payload, answer.answered, answer.kept) == ({"n": "kept"}, "90", True)
    assert bench.service.asked == 0


async def test_an_old_answer_is_asked_for_again_and_the_new_one_kept() -> None:
    bench = Bench(Service(), Shelf(held="70"))
    answer = await bench.ask()
    assert (answer.payload, answer.answered, answer.kept) == ({"n": 1}, "100", False)
    assert [a.payload for a in bench.shelf.kept] == [{"n": 1}]


@pytest.mark.parametrize("kind", ["unreachable", "limited", "server", "offline"])
async def test_an_old_answer_stands_in_for_a_service_that_is_away(kind: str) -> None:
    bench = Bench(Service(fails=kind), Shelf(held="10"))
    answer = await bench.ask()
    assert (answer.payload, answer.answered, answer.kept) == ({"n": "kept"}, "10", True)
    assert "service is unavailable; its answer of 10 from the library is used instead" in [
        e.text for e in bench.heard if e.kind == "note"
    ]


@pytest.mark.parametrize("kind", ["refused", "bad_request", "broken", "not_found"])
async def test_a_fault_of_the_request_is_told(kind: str) -> None:
    with pytest.raises(ServiceError):
        await Bench(Service(fails=kind), Shelf(held="10")).ask()


@pytest.mark.parametrize("way", ["anew", "again", "first hand"])
async def test_whoever_wants_a_new_answer_gets_one_or_an_error(way: str) -> None:
    shelf = Shelf(held="100", anew="job 1" if way == "anew" else "")
    wish = {"again": int(way == "again"), "first_hand": way == "first hand"}
    bench = Bench(Service(), shelf)
    assert (await bench.ask(**wish)).payload == {"n": 1}  # type: ignore[arg-type]
    assert len(shelf.kept) == 1
    with pytest.raises(ServiceError):
        await Bench(Service(fails="unreachable"), shelf).ask(**wish)  # type: ignore[arg-type]


async def test_what_the_session_holds_is_not_asked_again_while_it_is_young() -> None:
    bench = Bench(Service(), Shelf())
    first = await bench.ask()
    bench.shelf.day = 129
    second = await bench.ask()
    assert second == first
    assert bench.service.asked == 1


async def test_what_the_session_holds_grows_old_too_and_the_old_call_stays_in_its_file() -> None:
    bench = Bench(Service(), Shelf())
    await bench.ask()
    bench.shelf.day = 130
    second = await bench.ask()
    assert (second.payload, second.answered) == ({"n": 2}, "130")
    assert len(bench.used) == 1  # the result rests on the new call alone
    assert [c.reply["payload"] for c in bench.file.calls] == [{"n": 1}, {"n": 2}]
    bench.shelf.day = 150
    assert (await bench.ask()).payload == {"n": 2}
    bench.shelf.day = 200
    assert (await bench.ask()).payload == {"n": 3}


async def test_a_service_that_is_away_is_tried_once_a_job_and_again_in_the_next() -> None:
    bench = Bench(Service(fails="unreachable"), Shelf(held="10"))
    for tries in (1, 2, 3):
        assert (await bench.ask()).payload == {"n": "kept"}
        assert (await bench.ask(same_job=True)).payload == {"n": "kept"}
        assert bench.service.asked == tries
    bench.service.fails = ""
    assert (await bench.ask()).payload == {
        "n": 4
    }  # it is back: the answer that stood in has no claim
    assert (await bench.ask()).payload == {"n": 4}


async def test_offline_nothing_is_too_old() -> None:
    bench = Bench(Service(fails="offline"), Shelf(held="1", online=False))
    assert (await bench.ask()).answered == "1"
    assert bench.service.asked == 0


async def test_questions_put_at_the_same_time_are_one_call() -> None:
    bench = Bench(Service(), Shelf())
    recorder = Recorder(bench.journal, Budget())
    fetches = [
        RecordedFetch(
            Context(recorder, State(), f"{n}/0.cands", "s"), bench.service, answers=bench.shelf
        )
        for n in (1, 2)
    ]
    answers = await asyncio.gather(*(fetch.json(REQUEST) for fetch in fetches))
    assert answers[0] == answers[1]
    assert bench.service.asked == 1
