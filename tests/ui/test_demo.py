"""``coi demo`` and ``o``: the recorded session comes up, says what it is, and is the person's own
from then on."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.opening import RECORDED

from .helpers import trip


async def test_the_demo_opens_the_recorded_session_and_o_the_same_one(tmp_path: Path) -> None:
    async with trip(tmp_path, demo=True) as t:
        bench = await t.on(WorkbenchScreen)
        await t.idle()
        assert bench.session.name == RECORDED
        await t.go("topic")
        assert "recorded answers of a language model" in " ".join(t.bench.detail.text.split())
        await t.go("1/idea")
        assert "recorded reply of a language model" in t.text
        await t.go("2/+3")
        await t.press("x", *"no", "enter")
        await t.until(lambda: bench.session.state.slot("2/+3").paper is None, "the reject")
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        await t.press("o")
        bench = await t.on(WorkbenchScreen)
        await t.idle()
        assert bench.session.name == RECORDED
        assert bench.session.state.slot("2/+3").paper is None
