"""The HTTP cache in the library: when an answer stands for a new one, and when it does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.model.text import digest
from coi_tui.services.sources.types import HttpAnswer, HttpRequest, PdfText
from coi_tui.session.papers.library import HttpCache
from coi_tui.store.library_file import LibraryFile

REQUEST = HttpRequest(url="https://service.example/works", params=(("search", "words"),))


class Bench:
    """A cache over a service that numbers its answers, or ``fails`` with a kind of error."""

    def __init__(self, library: LibraryFile) -> None:
        self.library, self.day, self.days = library, "2026-03-01", 30
        self.fails, self.asked, self.told = "", 0, list[str]()
        self.payload: Any = None

    async def json(self, request: HttpRequest) -> HttpAnswer:
        self.asked += 1
        if self.fails:
            raise ServiceError("S", self.fails, "no answer")
        return HttpAnswer(status=200, payload=self.payload or {"n": self.asked})

    async def pdf_text(self, url: str) -> PdfText:
        self.asked += 1
        return PdfText(kind="full text" if "good" in url else "none", text="words")

    def cache(self) -> HttpCache:
        return HttpCache(self, self.library, self.days, lambda: self.day, self.told.append)

    async def ask(self, *, fresh: bool = False) -> tuple[Any, str]:
        answer = await self.cache().json(REQUEST.model_copy(update={"fresh": fresh}))
        return answer.payload, answer.answered[:10]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with LibraryFile(tmp_path / "library.db") as library:
        yield Bench(library)


async def test_an_answer_stands_for_so_many_days(bench: Bench) -> None:
    assert await bench.ask() == ({"n": 1}, "")
    bench.day = "2026-03-30"
    assert await bench.ask() == ({"n": 1}, "2026-03-01")
    bench.day = "2026-03-31"
    assert await bench.ask() == ({"n": 2}, "")
    assert await bench.ask() == ({"n": 2}, "2026-03-31")
    bench.day = "2026-03-01"
    assert (await bench.ask())[0] == {"n": 3}, "an answer of the future: a clock was wrong"
    bench.days = 0
    assert (await bench.ask())[0] == {"n": 4}


async def test_an_answer_that_was_stored_with_its_time_is_as_old_as_its_day(bench: Bench) -> None:
    stored = {"status": 200, "payload": {"n": 0}}
    bench.library.remember_reply(f"answer {digest(REQUEST.key())}", stored, "2026-03-01T10:00:00Z")
    assert (await bench.ask())[0] == {"n": 0}


async def test_who_wants_a_fresh_answer_gets_one_or_an_error(bench: Bench) -> None:
    await bench.ask()
    assert (await bench.ask(fresh=True))[0] == {"n": 2}
    assert (await bench.ask())[0] == {"n": 2}
    bench.fails = "unreachable"
    with pytest.raises(ServiceError):
        await bench.ask(fresh=True)


async def test_an_old_answer_stands_in_for_a_service_that_is_away_and_no_other(
    bench: Bench,
) -> None:
    await bench.ask()
    bench.day, bench.fails = "2026-09-01", "server"
    assert await bench.ask() == ({"n": 1}, "2026-03-01")
    assert bench.told == ["S is unavailable; its stored answer of 2026-03-01 is used instead"]
    bench.fails = "refused"
    with pytest.raises(ServiceError):
        await bench.ask()


@pytest.mark.parametrize("payload", [{"total": 0, "data": []}, {"results": None}, [None, None]])
async def test_what_is_not_known_today_is_asked_for_tomorrow(bench: Bench, payload: Any) -> None:
    bench.payload = payload
    await bench.ask()
    await bench.ask()
    assert bench.asked == 2


async def test_the_text_of_a_pdf_is_fetched_once(bench: Bench) -> None:
    for url in ("good", "good", "bad", "bad"):
        await bench.cache().pdf_text(url)
    assert bench.asked == 3
