"""Journeys on the workbench, offline: run, decide, edit, refresh, undo, ask why."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from textual.widgets import TextArea

from coi_tui.screens import base
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import ConfirmSheet, MessageSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.session.wording import Verdict

from .helpers import Trip, demo


async def edit(t: Trip, address: str, text: str) -> None:
    """Replace the text at an address through the editor."""
    await t.go(address)
    await t.press("e")
    screen = await t.on(EditScreen)
    screen.query_one(TextArea).text = text
    await t.press("ctrl+s")
    await t.on(WorkbenchScreen)


async def test_stale_upstream_keep_and_wording_only(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        state = t.bench.session.state
        branch = next(b for b in state.branches if state.pairs(b))
        trend = state.pairs(branch)[0]
        await t.go(trend)
        await t.press("e")
        screen = await t.on(EditScreen)
        screen.query_one(TextArea).insert(" Only other words.")
        await t.press("f2", "ctrl+s")
        await t.on(WorkbenchScreen)
        assert wording.state(t.row(f"{branch}/dir")) == "fresh"
        await edit(t, trend, "Another claim altogether.")
        assert wording.state(t.row(f"{branch}/dir")) == "stale"
        assert any(wording.state(r) == "stale upstream" for r in t.bench.chain.rows.values()), (
            "stale upstream is marked too"
        )
        await t.go(f"{branch}/dir")
        await t.press("K")
        assert wording.state(t.row(f"{branch}/dir")) == "kept by you"


async def test_a_text_that_cannot_be_read_back_keeps_the_editor_open(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.press("e")
        screen = await t.on(EditScreen)
        screen.query_one(TextArea).text = "   "
        await t.press("ctrl+s")
        assert isinstance(t.app.screen, EditScreen)
        assert "empty" in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert t.bench.session.edits.draft("topic") == "   ", "what was typed is kept"
        await t.press("e")
        screen = await t.on(EditScreen)
        screen.do_discard()
        await t.on(ConfirmSheet)
        await t.press("enter")
        await t.on(EditScreen)
        screen.do_discard()
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(WorkbenchScreen)
        assert t.bench.session.edits.draft("topic") is None


async def test_hard_case_14_a_key_pressed_before_the_sheet_is_drawn_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "GRACE", math.inf)  # on a busy machine the second key may come late
    async with demo(tmp_path) as t:
        plan = t.bench.session.planner.to_stage("questions")
        t.bench.ask(PlanSheet(plan), t.bench.start)
        await t.pilot.press("enter", "enter")
        assert t.bench.controller.job is None
        sheet = t.app.screen
        assert isinstance(sheet, PlanSheet)
        sheet.listens_from = 0.0
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert t.bench.controller.job is None
        assert t.bench.session.core.file.job_events() == []


async def test_new_rows_move_neither_cursor_nor_folds(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        slot = next(a for a in t.bench.chain.rows if a.startswith("2/") and a.endswith("/0"))
        await t.go("1")
        await t.press("left")
        assert t.bench.chain.nodes["1"].is_collapsed
        await t.go(slot)
        await t.run_to("trends")
        assert t.bench.chain.address == slot
        assert t.bench.chain.nodes["1"].is_collapsed
        await t.press("a")
        assert t.bench.chain.rows[slot].verdict is Verdict.ACCEPTED


async def test_an_error_of_a_worker_is_shown_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path) as t:

        async def broken(*args: object, **kwargs: object) -> None:
            raise RuntimeError("[/red] out of the blue")

        monkeypatch.setattr(t.bench.session.runs, "run", broken)
        t.bench.start(t.bench.session.planner.to_stage("questions"))
        await t.on(MessageSheet)
        assert "RuntimeError: [/red] out of the blue" in t.text
        await t.press("escape")
        bench = await t.on(WorkbenchScreen)
        assert not bench.controller.busy
        await t.press("w")
