"""Queued plans: queued on their sheet, listed, run when told, removed; and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.runs.plan_screens import PlanSheet, QueueScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen

from .helpers import Trip, demo, places
from .test_answer_cache import opened


async def put_off(t: Trip, stage: str = "cards") -> None:
    t.bench.runs.open_plan(t.bench.session.planner.to_stage(stage))
    await t.on(PlanSheet)
    await t.press("l")
    await t.on(WorkbenchScreen)
    await t.until(lambda: any(q.goal["until"] == stage for q in t.bench.session.state.queue), "the plan to wait")
    await t.idle()


async def test_l_puts_a_plan_off_and_the_session_says_so_where_one_looks(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        t.bench.runs.open_plan(t.bench.session.planner.to_stage("cards"))
        sheet = await t.on(PlanSheet)
        assert "Offline now: l queues this plan until the network is there." in sheet.summary()
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await put_off(t)
        assert "Queued: " in t.status
        assert t.bench.controller.job is None
        assert "1 plan queued" in t.lines[0]
        assert "offline" in t.lines[0]
        await t.go("topic")
        assert any(name == "1 PLAN QUEUED" for name, _ in t.bench.detail.parts)
        await t.press("q")
        await t.on(HomeScreen)
        await t.until(lambda: "1 plan queued" in t.text, "the row of the list of sessions")


async def test_offline_a_waiting_plan_says_why_it_cannot_run_and_stays(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        await put_off(t)
        await t.press("Q")
        screen = await t.on(QueueScreen)
        await t.until(lambda: screen.at is not None, "the row")
        assert "works offline" in screen.why_off("choose")
        assert any("works offline" in text for _, text in screen.about_pane.parts)
        await t.press("enter")
        assert t.app.screen is screen
        assert len(t.bench.session.state.queue) == 1


async def test_online_it_opens_as_the_plan_of_today_and_runs_only_by_enter_there(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        await put_off(t)
        session = t.bench.session
        session.settings = session.core.usual_settings.model_copy(update={"offline": False})
        await t.press("Q")
        screen = await t.on(QueueScreen)
        await t.until(lambda: screen.at is not None and ("SEARCH", "OpenAlex") in screen.about_pane.parts, "the plan of today")
        await t.press("enter")
        sheet = await t.on(PlanSheet)
        assert (sheet.plan.source, sheet.plan.queued) == ("OpenAlex", session.state.queue[0].seq)
        assert "already queued" in sheet.why_off("later")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert t.bench.controller.job is None
        assert len(session.state.queue) == 1


async def test_x_takes_a_plan_out_and_u_brings_it_back(tmp_path: Path) -> None:
    async with opened(tmp_path, offline=True) as t:
        await put_off(t)
        await put_off(t, "ideas")
        await t.press("Q")
        screen = await t.on(QueueScreen)
        await t.until(lambda: screen.at == 0, "the rows")
        await t.press("j", "x")
        await t.until(lambda: len(t.bench.session.state.queue) == 1, "it to be taken out")
        assert t.bench.session.state.queue[0].goal["until"] == "cards"
        await t.press("u")
        await t.until(lambda: len(t.bench.session.state.queue) == 2, "it to be back")
        await t.until(lambda: screen.count == 2, "both rows")


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


async def test_where_nothing_is_set_up_nothing_waits_for_a_network(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        assert "no plan is queued" in t.bench.why_off("queue")
        t.bench.runs.open_plan(t.bench.session.planner.to_stage("anchors"))
        sheet = await t.on(PlanSheet)
        assert "no service that needs the network" in sheet.why_off("later")
        assert "queues this plan" not in sheet.summary()
        await t.press("l")
        assert t.app.screen is sheet


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_a_plan_that_waits_survives_the_app(tmp_path: Path, size: tuple[int, int]) -> None:
    async with opened(tmp_path, size, offline=True) as t:
        await put_off(t)
        path = str(t.bench.session.core.file.path)
    app = CoiApp(places(tmp_path), Settings(source="openalex", offline=True), Keys(), session=path)
    async with app.run_test(size=size, notifications=True) as pilot:
        t = Trip(app, pilot)
        await t.on(WorkbenchScreen)
        await t.press("Q")
        screen = await t.on(QueueScreen)
        await t.until(lambda: screen.at == 0, "the row")
        assert "1  Run kept to cards" in t.text
        assert "Queued plans" in t.lines[0]
        assert "offline: none can run" in t.lines[0]
    app.sessions.close_all()
