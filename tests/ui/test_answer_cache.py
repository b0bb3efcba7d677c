"""The age of a list stands where it is decided over; a plan can ask the services anew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.papers import Citations, Paper
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


async def test_a_plan_can_ask_anew_and_keeps_that_while_it_is_looked_at(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        sheet = PlanSheet(t.bench.session.planner.to_stage("chains"))
        plans: list[object] = []
        t.app.push_screen(sheet, plans.append)
        await t.on(PlanSheet)
        await t.press("a")
        assert sheet.plan.anew
        assert "OpenAlex, every time anew" in sheet.summary()
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
        plan = s.planner.to_refresh(["1/0.cands"])
        sheet = PlanSheet(plan, lambda ticked: s.planner.to_refresh(ticked, exactly=True))
        t.app.push_screen(sheet)
        await t.on(PlanSheet)
        await t.press("a", "space", "space")
        assert sheet.plan.goal.addresses == ("1/0.cands",)
        assert sheet.plan.anew


async def test_the_palette_switches_the_session_and_undo_switches_back(tmp_path: Path) -> None:
    async with opened(tmp_path) as t:
        session = t.bench.session
        assert not session.core.is_offline
        await t.bench.runs.do_network()
        assert session.core.is_offline
        assert "nothing leaves this machine" in t.status
        assert "offline" in t.lines[0]
        await t.press("u")
        await t.until(lambda: not session.core.is_offline, "online again")


async def test_with_the_settings_offline_the_switch_says_where_to_change_it(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        await t.bench.action_act("network")
        await t.until(lambda: "The settings say that everything is offline" in t.text, "the reason")
