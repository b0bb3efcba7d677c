"""What is known of a plan beforehand: the size of a PDF, and minutes where a server on own hardware has no price."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.engine.steps import Cost
from coi_tui.model.calls import Call
from coi_tui.session.papers.imported_pdfs import read_pdf
from coi_tui.session.runs.estimates import Measures, Pace, estimated, minutes
from tests.support.desk import Desk, copy_of
from tests.support.own_pdfs import pdf_of

MAIN, READER = "my-main", "my-reader"
LOCAL = "http://localhost:11434"
FAR = "http://models.example.org"


def calls(
    prompt: str, tokens: list[tuple[int, int]], model: str = MAIN, **more: object
) -> list[Call]:
    return [
        Call.model_validate(
            {
                "key": f"{prompt} {model} {n}",
                "kind": "chat",
                "address": "1/dir",
                "step": "x",
                "prompt": prompt,
                "model_asked": model,
                "prompt_tokens": given,
                "completion_tokens": said,
                "seconds": 10.0,
                "started": f"2026-01-01T00:{n:02d}:00Z",
                **more,
            }
        )
        for n, (given, said) in enumerate(tokens)
    ]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A finished session of three branches whose models are asked by these names."""
    desk = copy_of(tmp_path)
    asked_at(desk, FAR)
    return desk


def asked_at(desk: Desk, url: str, prices: dict[str, Price] | None = None) -> None:
    llm = LlmSettings(
        base_url=url,
        main=RoleSettings(model=MAIN),
        reader=RoleSettings(model=READER),
        prices=prices or {},
    )
    desk.session.settings = Settings(llm=llm)
    desk.session.core.keys = Keys(llm="sk-any")


def test_the_size_of_an_attached_pdf_is_known_and_a_small_one_leaves_room_for_a_long_reply(
    desk: Desk,
) -> None:
    s = desk.session
    asked_at(desk, FAR, {READER: Price(input=0.15, output=0.6)})
    before = s.planner.to_refresh(["1/0.card"], again=True).stop_usd
    read = asyncio.run(read_pdf("x.pdf", pdf_of("Any", "word " * 3_000)))
    s.decisions.attach("1/0", read)
    plan = s.planner.to_refresh(["1/0.card"])
    size = 600 + -(-len(read.own.text) // 4)
    assert plan.lines[0].cost.prompt_tokens == (size, 2 * size)
    assert plan.stop_usd == before


def test_own_hardware_without_a_price_tells_minutes_or_that_there_is_no_measure(desk: Desk) -> None:
    s = desk.session
    asked_at(desk, LOCAL)
    assert s.planner.to_refresh(["1/dir"], again=True).time == "not known yet for this server"
    s.core.file.commit(
        calls=calls("coi_direction", [(80, 20)] * 4)
    )  # 100 tokens in ten seconds each, one after the other
    assert (
        s.planner.to_refresh(["1/dir"], again=True).time
        == "about 2-6 minutes (10 tokens a second, from 4 earlier calls)"
    )
    said = s.planner.to_refresh([f"{b}/idea" for b in (1, 2, 3)], again=True).time
    assert said == "about 24-70 minutes (10 tokens a second, from 4 earlier calls)"
    asked_at(desk, LOCAL, {MAIN: Price(input=1.0, output=0.0)})
    assert s.planner.to_refresh(["1/dir"], again=True).time == ""
    asked_at(desk, FAR)
    assert s.planner.to_refresh(["1/dir"], again=True).time == "", (
        "elsewhere a missing price is no reason to promise minutes"
    )
    s.core.keys = Keys()
    desk.session.settings = Settings()
    assert s.planner.to_refresh(["1/dir"], again=True).time == ""


def test_calls_side_by_side_share_the_time() -> None:
    apart = Measures(calls("p", [(80, 20)] * 3)).pace(MAIN)
    beside = Measures(calls("p", [(80, 20)] * 3, started="2026-01-01T00:00:00Z")).pace(MAIN)
    unknown = Measures(calls("p", [(80, 20)] * 3, started="")).pace(MAIN)
    assert apart == unknown == Pace(10.0, 3)
    assert beside == Pace(30.0, 3)


def test_ranges_of_time_in_words() -> None:
    found = [
        minutes(*pair)
        for pair in ((1, 59), (30, 60), (200, 500), (170, 180), (3_000, 7_200), (7_000, 20_000))
    ]
    assert found == [
        "under a minute",
        "about 1 minute",
        "about 3-9 minutes",
        "about 3 minutes",
        "about 1-2 hours",
        "about 2-6 hours",
    ]
    both = estimated(
        [Cost("main", (1, 1), (600, 600)), Cost("reader", (1, 1), (600, 600))],
        {"main": Pace(10, 3), "reader": Pace(40, 5)},
    )
    assert both == "about 1-3 minutes (10-40 tokens a second, from 8 earlier calls)"
