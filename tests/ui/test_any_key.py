"""Keys in any order: without a confirmed plan nothing runs, nothing breaks, and the session stays sound."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coi_tui.screens.bench.workbench import Workbench
from coi_tui.screens.home.home import HomeScreen
from coi_tui.screens.runs.plan_sheet import PlanSheet

from .helpers import demo

KEYS = (
    *"aacccpxLbmAlhhKuUwrRgyiojjjjkk12", "less_than_sign", "greater_than_sign", "right_square_bracket", "left_square_bracket",
    "enter", "enter", "enter", "space", "tab", "escape", "down", "down", "left", "right", "question_mark",
    "slash", "n", "N", "t", "t", "equals_sign", "z", "3", "4", "ctrl+c",
)  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2])
async def test_check_22_keys_that_confirm_no_plan_run_nothing(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    async with demo(tmp_path, (80, 24), stage="directions") as t:
        session, calls = t.bench.session, len(t.bench.session.file.calls())
        events = len(session.file.job_events())
        seen: set[str] = set()
        for _ in range(150):
            seen.add(type(t.app.screen).__name__)
            key = dice.choice(KEYS)
            if isinstance(t.app.screen, PlanSheet) and key in ("enter", "y"):
                key = "escape"
            if t.app.screen.query("#reason") and dice.random() < 0.4:
                key = "escape"  # a text field takes most keys as text
            if isinstance(t.app.screen, HomeScreen):
                await t.press("enter")
                await t.on(Workbench)
                session = t.bench.session
            await t.pilot.press(key)
        assert len(session.file.calls()) == calls
        assert len(session.file.job_events()) == events
        assert session.verify() == []
        assert len(seen) > 3, "the keys should reach several screens"
