"""Exports: from the list of sessions as from the workbench, all files or none, and the path for the
clipboard."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.forms import NOTES, ExportSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.fields import Tick
from tests.ui.helpers import demo


async def test_the_appendix_and_notes_are_ticked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        t.bench.session.decide("note", "1/idea", "MY NOTE")
        await t.press("s")
        sheet = await t.on(ExportSheet)
        sheet.query_one(f"#{NOTES}", Tick).value = True
        await t.press("enter")
        await t.on(WorkbenchScreen)
        written = (tmp_path / "demo.md").read_text(encoding="utf-8")
        assert "\n## Appendix\n" in written
        assert "MY NOTE" in written
