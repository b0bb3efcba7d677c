"""What asks no model runs without a sheet; finished branches stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.runs.run_sheets import GenerateSheet
from coi_tui.screens.sheets.confirm_sheet import ChangeSheet
from coi_tui.screens.sheets.text_sheets import ReasonSheet
from coi_tui.screens.texts.history_screen import HistoryScreen
from coi_tui.widgets.panes import StatusLines

from .helpers import Trip, demo


async def generate(t: Trip, *keys: str) -> None:
    await t.press("g")
    await t.on(GenerateSheet)
    await t.press(*keys)


async def test_a_plan_of_the_drafter_runs_at_once_with_progress_and_a_key_that_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    say = StatusLines.say

    def record(lines: StatusLines, text: str) -> None:
        told.append(text)
        say(lines, text)

    monkeypatch.setattr(StatusLines, "say", record)
    async with demo(tmp_path, stage="anchors", show_plans=False) as t:
        session = t.bench.session
        await t.go("1/0")
        await generate(t, "c")
        job = t.bench.controller.job
        assert job is not None, "no sheet stands between the key and its work"
        assert any("S stops it; it is free. Sends out: nothing leaves" in text for text in told)
        await t.ended()
        assert len(session.state.chain(1)) > 2
        assert job.done > 2
        assert job.progress() == f"{job.done} steps done"


async def test_rejecting_an_anchor_names_the_rows_that_it_empties(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        await t.go("1/0")
        await t.press("x")
        sheet = await t.on(ReasonSheet)
        assert sheet.effect.startswith("Empties 1/0; detaches 1/-")
        assert "makes stale" in sheet.effect
        assert "Empties 1/0; detaches" in t.text
        assert "Enter reject" in t.text


async def test_another_version_says_what_it_makes_stale_before_it_is_in_use(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        session.edits.save("1/dir", "Another direction.")
        session.edits.save("1/dir", "Yet another direction.")
        await session.runs.run(session.planner.to_refresh(["1/idea"]))
        t.bench.refresh_rows()
        await t.go("1/dir")
        await t.press("h")
        history = await t.on(HistoryScreen)
        await t.until(lambda: history.at is not None, "the versions")
        await t.press("down", "a")
        sheet = await t.on(ChangeSheet)
        assert sheet.text.startswith("Makes stale 1/rivals and 1/idea.")
        before = session.state.in_use("1/dir")
        await t.press("escape")
        await t.on(HistoryScreen)
        assert session.state.in_use("1/dir") == before
        await t.press("a")
        await t.on(ChangeSheet)
        await t.press("enter")
        await t.until(lambda: session.state.in_use("1/dir") != before, "the older version in use")
