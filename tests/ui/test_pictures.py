"""The settings and the export sheet."""

from __future__ import annotations

import tomllib
from pathlib import Path

from textual.widgets import Input

from coi_tui.screens.forms import APPENDIX, ExportSheet
from coi_tui.screens.settings_screen import SettingsScreen
from coi_tui.screens.sheets import AskText, ConfirmSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.fields import Tick

from .helpers import demo, places


async def test_a_setting_is_changed_checked_and_holds_at_once(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.command("settings")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: bool(screen.all), "the settings")
        screen.lines.highlighted = screen.place_of("budget_usd")
        await t.press("enter")
        await t.on(AskText)
        await t.press("ctrl+u", *"-4", "enter")
        await t.until(
            lambda: "must be greater than or" in " ".join(t.text.replace("║", " ").split()),
            "the reason",
        )
        sheet = await t.on(AskText)
        assert sheet.query_one(Input).value == "-4"
        assert "Nothing was changed" in sheet.effect
        assert not places(tmp_path).config_file.exists()
        await t.press("ctrl+u", *"2.5", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: "budget_usd is 2.5" in t.text, "the word")
        assert tomllib.loads(places(tmp_path).config_file.read_text()) == {"budget_usd": 2.5}
        assert t.bench.session.core.cap().usd == 2.5
        await t.press("enter")
        await t.on(AskText)
        await t.press("ctrl+u", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: not t.bench.session.core.cap(), "the default")
        await t.press("escape", "escape")
        await t.on(WorkbenchScreen)


async def test_check_35_an_export_warns_of_what_is_stale_or_undecided_and_overwrites_nothing_unasked(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        session = t.bench.session
        main = session.exports.snapshot().branch
        assert main is not None
        text = session.edits.text_of(f"{main}/dir")
        session.edits.save(
            f"{main}/dir", text.replace("## text\n", "## text\nA sentence of mine. ")
        )
        t.bench.refresh_rows()
        await t.press("s")
        sheet = await t.on(ExportSheet)
        await t.until(lambda: f"{main}/idea" in t.text, "the warnings")
        for name in ("bib", APPENDIX):
            sheet.query_one(f"#{name}", Tick).value = True
        await t.press("enter")
        await t.on(WorkbenchScreen)
        proposal, references = (
            (tmp_path / "demo.md").read_text(),
            (tmp_path / "demo.bib").read_text(),
        )
        assert "demo.md" in t.status
        warnings = proposal.partition(" Warnings\n")[2].partition("\n### ")[0]
        assert f"{main}/idea" in warnings
        undecided = [s.address for s in session.state.filled(main) if s.verdict == "proposed"]
        assert undecided
        assert all(address in warnings for address in undecided)
        assert "@" in references
        (tmp_path / "demo.md").write_text("my own words")
        await t.press("s")
        await t.on(ExportSheet)
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("enter")
        await t.on(ExportSheet)
        assert (tmp_path / "demo.md").read_text() == "my own words"
        sheet = await t.on(ExportSheet)
        sheet.query_one("#where", Input).value = str(tmp_path / "demo.md")
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(WorkbenchScreen)
        assert (tmp_path / "demo.md").read_text() != "my own words"
