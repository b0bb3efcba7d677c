"""Exports: from the list of sessions as from the workbench, all files or none, and the path for the
clipboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens import terminal as clipboard
from coi_tui.screens.sheets.export_sheet import NOTES, ExportSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.widgets.fields import Tick
from tests.ui.helpers import demo


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a program of the desktop was handed."""
    texts: list[str] = []

    def takes(text: str) -> str:
        texts.append(text)
        return "a program"

    monkeypatch.setattr(clipboard, "copy_with_tool", takes)
    return texts


async def test_y_on_the_workbench_copies_the_path_until_the_cursor_moves(
    tmp_path: Path, copied: list[str]
) -> None:
    async with demo(tmp_path) as t:
        await t.press("s")
        await t.on(ExportSheet)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: "y copies the path" in t.status, "the word")
        await t.press("y")
        await t.until(lambda: copied, "the copy")
        assert copied == [str(tmp_path / "demo.md")]
        await t.press("y")
        await t.until(lambda: len(copied) == 2, "the copy of the row")
        assert copied[1] == t.bench.detail.text


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
