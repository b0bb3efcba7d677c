"""The age of a list stands where it is decided over; a plan can ask the services anew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.papers import Citations, Paper
from coi_tui.screens.papers.paper_lists import CandidatesScreen, heading_words
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session

from .helpers import TOPIC, Trip, places

ONLINE = Settings(source="openalex")
NOW = "2026-11-21T09:00:00Z"
PAPERS = [
    Paper(
        id=f"arXiv:2401.0000{n}",
        title=f"A paper on chains of thought, number {n}",
        year=2024,
        abstract="It studies chains.",
        citations=Citations(count=7, source="OpenAlex", read="2026-11-18"),
        source="OpenAlex",
    )
    for n in (1, 2, 3)
]


def session_with_list(folder: Path, settings: Settings = ONLINE) -> str:
    """A session whose anchor list was answered from the library three days after it was given."""
    with Session.create(
        "kept",
        TOPIC,
        paths=places(folder),
        settings=settings,
        keys=Keys(),
        bounds=CoiSettings(branches=1),
    ) as s:
        question = {"text": "chains of thought"}
        entries = [
            {
                "paper": p.id,
                "score": 0.5,
                "year": p.year,
                "readable": True,
                "rank": n,
                "fits": True,
                "can_grow": True,
            }
            for n, p in enumerate(PAPERS, start=1)
        ]
        tried = {
            "query": "chains of thought",
            "source": "OpenAlex",
            "date": "2026-11-18",
            "hits": 3,
            "total": 3,
            "note": "",
            "kept": True,
        }
        listed = {"entries": entries, "tries": [tried], "ranked": "ranked locally", "note": ""}
        s.core.journal.write(
            [
                Version(
                    actor="coi",
                    address="Q1",
                    content=question,
                    meanings=meanings_of(question),
                    origin="drafter",
                ),
                Version(
                    actor="coi",
                    address="1/0.cands",
                    content=listed,
                    meanings=meanings_of(listed),
                    origin="source",
                ),
            ],
            PAPERS,
        )
        return str(s.core.file.path)


@asynccontextmanager
async def opened(
    folder: Path, size: tuple[int, int] = (120, 36), **settings: Any
) -> AsyncIterator[Trip]:
    chosen = ONLINE.model_copy(update=settings)
    path = session_with_list(folder, chosen)
    app = CoiApp(places(folder), chosen, Keys(), session=path)
    async with app.run_test(size=size, notifications=True) as pilot:
        there = Trip(app, pilot)
        await there.on(WorkbenchScreen)
        there.bench.session.core.clock = lambda: NOW
        yield there
    app.sessions.close_all()


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((120, 36), "3 candidates   answered 3 d ago, from the library"),
        ((80, 24), "3 candidates   answered 3 d ago, from the library"),
        ((60, 16), "3, answered 3 d ago, from the library"),
    ],
)
async def test_the_picker_tells_the_age_of_its_list_in_its_first_line(
    tmp_path: Path, size: tuple[int, int], said: str
) -> None:
    async with opened(tmp_path, size) as t:
        await t.go("1/0")
        await t.press("c")
        await t.on(CandidatesScreen)
        await t.until(lambda: said in t.lines[0], "the age in the header")
        assert "Papers for 1/0" in t.lines[0]


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (
            120,
            "20 candidates, looked at 100 of 5,230 citing papers   answered 3 d ago, from the library",
        ),
        (61, "20, looked at 100 of 5,230 citing papers, 3 d old, library"),
        (50, "20, answered 3 d ago, from the library"),
        (30, "20, 3 d old, library"),
        (5, "20, 3 d old, library"),
    ],
)
def test_of_a_heading_that_is_too_long_the_words_go_first(width: int, said: str) -> None:
    assert (
        heading_words(
            20, "looked at 100 of 5,230 citing papers", "answered 3 d ago, from the library", width
        )
        == said
    )


def test_a_heading_without_age_says_count_and_reach() -> None:
    assert heading_words(1, "", "", 10) == "1 candidate"
    assert (
        heading_words(2, "looked at 2 of 9 cited papers", "", 10)
        == "2 candidates, looked at 2 of 9 cited papers"
    )


async def test_the_detail_tells_age_source_and_day(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        await t.go("1/0")
        assert (
            "LIST",
            "answered 3 d ago, from the library (OpenAlex, 2026-11-18)",
        ) in t.bench.detail.parts


async def test_a_plan_can_ask_anew_and_keeps_that_while_it_is_looked_at(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        sheet = PlanSheet(t.bench.session.planner.to_stage("chains"))
        plans: list[object] = []
        t.app.push_screen(sheet, plans.append)
        await t.on(PlanSheet)
        assert "an answer in the library up to 30 days old is used instead" in " ".join(
            sheet.summary().split()
        )
        await t.press("a")
        assert sheet.plan.anew
        assert "OpenAlex, asked even where the library has an answer" in sheet.summary()
        await t.press("a")
        assert not sheet.plan.anew
        await t.press("a", "enter")
        await t.on(WorkbenchScreen)
        assert plans == [sheet.plan]
        assert sheet.plan.anew


async def test_ticking_does_not_forget_that_it_asks_anew(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        s = t.bench.session
        s.edits.save("Q1", "other words")
        assert not s.planner.to_refresh(
            ["1/0.cands"]
        ).may_be_kept  # a list made again is asked for in any case
        plan = replace(s.planner.to_refresh(["1/0.cands"]), kept_days=30)
        sheet = PlanSheet(
            plan, lambda ticked: replace(s.planner.to_refresh(ticked, exactly=True), kept_days=30)
        )
        t.app.push_screen(sheet)
        await t.on(PlanSheet)
        await t.press("a", "space", "space")
        assert sheet.plan.goal.addresses == ("1/0.cands",)
        assert sheet.plan.anew


@pytest.mark.parametrize("settings", [{"offline": True}, {"answers_days": 0}])
async def test_where_no_kept_answer_would_be_used_the_key_says_so(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    async with opened(tmp_path, **settings) as t:
        sheet = PlanSheet(t.bench.session.planner.to_stage("chains"))
        t.app.push_screen(sheet)
        await t.on(PlanSheet)
        await t.press("a")
        assert "days old is used" not in sheet.summary()
        assert not sheet.plan.anew
        assert "no cached answer would be used" in sheet.why_off("anew")


async def test_the_palette_switches_the_session_and_undo_switches_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        session = t.bench.session
        assert not session.is_offline
        await t.bench.runs.switch_network()
        assert session.is_offline
        assert "nothing leaves this machine" in t.status
        assert "offline" in t.lines[0]
        await t.press("u")
        await t.until(lambda: not session.is_offline, "online again")


async def test_with_the_settings_offline_the_switch_says_where_to_change_it(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        await t.bench.action_act("network")
        await t.until(lambda: "The settings say that everything is offline" in t.text, "the reason")
