"""A job that takes its time: deciding goes on, it can be stopped, and leaving leaves the session
sound."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.engine.scheduler import Goal, Outcome
from coi_tui.model.errors import BudgetStop
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.runs.run_sheets import PlanSheet
from coi_tui.screens.session_controller import Job
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.services.llm.chat import ChatReply, ChatRequest
from coi_tui.session import wording
from coi_tui.session.runs import service_setup
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.session.wording import Verdict
from coi_tui.widgets.panes import JobStrip

from .helpers import Trip, demo, places


class Gate:
    """The built-in drafter behind a gate: while it is closed, calls wait."""

    def __init__(self) -> None:
        self.model = service_setup.drafter()
        self.kind = self.model.kind
        self.open = asyncio.Event()
        self.open.set()
        self.waiting = 0

    def model_for(self, role: str) -> str:
        return self.model.model_for(role)

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.waiting += 1
        try:
            await self.open.wait()
            return await self.model.complete(request)
        finally:
            self.waiting -= 1

    async def aclose(self) -> None:
        return None


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(service_setup, "drafter", lambda: made)
    return made


async def start(t: Trip, gate: Gate, stage: str) -> None:
    """Start a job and wait until its calls stand at the closed gate."""
    gate.open.clear()
    t.app.push_screen(PlanSheet(t.bench.session.planner.to_stage(stage)), t.bench.runs.start)
    await t.on(PlanSheet)
    await t.press("enter")
    await t.on(WorkbenchScreen)
    await t.until(lambda: gate.waiting, "a call at the gate")


async def test_check_25_deciding_goes_on_while_a_job_runs(tmp_path: Path, gate: Gate) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        await t.until(
            lambda: t.bench.query_one(JobStrip).lines and "running" in t.text, "the strip"
        )
        assert "S stop after this call" in t.text
        assert "RUNNING" in t.text
        await t.until(
            lambda: any(wording.state(r) == "running" for r in t.bench.chain.rows.values()),
            "a running mark",
        )
        await t.press("right_square_bracket")
        decided = t.bench.chain.address
        await t.press("a")
        assert t.row(decided).verdict is Verdict.ACCEPTED
        here = t.bench.chain.address
        await t.press("g")
        assert "a job is already running" in t.status
        gate.open.set()
        await t.ended()
        assert t.bench.chain.address == here
        assert not t.bench.query_one(JobStrip).lines
        assert "Done" in t.status


async def test_stop_once_keeps_what_is_finished(tmp_path: Path, gate: Gate) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        await t.press("S")
        assert "S again stops now" in t.status
        assert t.bench.controller.busy
        gate.open.set()
        await t.ended()
        assert t.bench.controller.job is not None
        assert t.bench.controller.job.outcome is not None
        assert t.bench.controller.job.outcome.state == "stopped"
        assert "Stopped as you asked" in t.status
        assert t.bench.session.verify() == []


async def test_leaving_a_screen_ends_no_job(tmp_path: Path, gate: Gate) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        session = t.bench.session
        await t.press("q")
        await t.on(HomeScreen)
        await t.until(lambda: "running" in t.text, "the running session in the list")
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        assert bench.session is session
        await t.press("q")
        await t.on(HomeScreen)
        gate.open.set()
        await t.until(
            lambda: not t.app.sessions.controllers, "the session to be closed after its job"
        )
        await t.until(lambda: "demo: Done" in t.text, "the end to be said")


async def test_quitting_stops_the_job_and_leaves_the_session_sound(
    tmp_path: Path, gate: Gate
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await start(t, gate, "trends")
        await t.press("ctrl+q")
        await t.until(
            lambda: not t.app.sessions.controllers and not t.app.is_running, "the app to leave"
        )
    assert gate.waiting == 0
    with Session.open("demo", paths=places(tmp_path), settings=Settings(), keys=Keys()) as again:
        assert not again.read_only_reason
        assert again.verify() == []
        assert again.core.file.job_events()[-1].state == "stopped"


@pytest.mark.parametrize(
    ("kind", "stop", "remedy"),
    [
        (
            "run",
            BudgetStop("The budget is short.", "Allow at least --budget 2.", "2"),
            "g goes on.",
        ),
        (
            "refresh",
            BudgetStop("The budget is short.", "Raise it ($ b)."),
            "Raise it ($ b). The same key goes on.",
        ),
    ],
)
def test_a_pause_names_the_key_that_goes_on_before_its_cause(
    kind: Literal["run", "refresh"], stop: BudgetStop, remedy: str
) -> None:
    """The app knows no options; ``--budget`` is for the command line."""
    job = Job(Plan("Run it", Goal(kind), (), "a model", "a source", ()))
    job.end(Outcome("waiting", stop=stop))
    assert job.closing() == f"Paused: added 0 items (0 calls), $0.00. {remedy} The budget is short."
