"""The sheet of criteria: what it counts, sets, refuses and takes away."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.criteria import Criteria
from coi_tui.screens.forms import CriteriaSheet
from coi_tui.session.decisions.criteria import criteria_of
from tests.ui.helpers import demo


async def test_criteria_are_set_from_the_sheet_and_taken_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.bench.action_act("criteria")
        sheet = await t.on(CriteriaSheet)
        assert sheet.why_off("send") == "nothing was changed"
        assert "Minimum citations" in t.text  # every line has room
        await t.press("space", "tab", *"2018-")
        await t.press("enter")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        state = t.bench.session.state
        assert criteria_of(state) == Criteria(no_surveys=True, year_from=2018)
        assert "no surveys" in t.status
        await t.press("u")
        await t.until(lambda: not criteria_of(t.bench.session.state), "the change to be taken back")
