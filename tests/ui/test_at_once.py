"""What asks no model runs without a sheet; finished branches stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.sheets import AskChoice
from coi_tui.widgets.panes import StatusLines

from .helpers import Trip, demo


async def generate(t: Trip, *keys: str) -> None:
    await t.press("g")
    await t.on(AskChoice)
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
