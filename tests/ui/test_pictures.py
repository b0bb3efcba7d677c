"""The timeline on the screen, the settings, and the export sheet."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.papers.paper_sheets import PinSheet
from coi_tui.screens.papers.reader_screen import ReaderScreen
from coi_tui.screens.settings.setting_sheets import SettingSheet
from coi_tui.screens.settings.settings_screen import SettingsScreen
from coi_tui.screens.settings.theme_sheet import ThemeSheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet, MessageSheet
from coi_tui.screens.sheets.export_sheet import APPENDIX, ExportSheet
from coi_tui.screens.views.timeline_screen import TimelineScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.widgets.timeline import TimelineView

from .helpers import demo, places, trip


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_the_timeline_goes_over_papers_and_back_to_a_row(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size, stage="cards") as t:
        await t.go("1/0")
        await t.press("T")
        screen = await t.on(TimelineScreen)
        await t.until(lambda: "[1] Timeline" in t.text, "the picture")
        assert screen.cursor == "1/0"
        lane = screen.picture.lane(1)
        await t.press("right")
        assert screen.cursor == lane[[n.address for n in lane].index("1/0") + 1].address
        await t.press("down")
        assert screen.cursor.startswith("2/")
        await t.press("left", "left", "left", "left")
        assert screen.cursor == screen.picture.lane(2)[0].address
        shown = screen.query_one("#about").text  # type: ignore[attr-defined]
        assert screen.here is not None
        assert screen.here.title in shown
        await t.press("s")
        await t.until(lambda: "Written:" in t.text, "the file")
        written = tmp_path / "demo.svg"
        assert ET.fromstring(written.read_text()).tag.endswith("svg")
        at = screen.cursor
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        assert bench.chain.address == at
        await t.press("T")
        await t.on(TimelineScreen)
        await t.press("T")
        await t.on(WorkbenchScreen)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_every_paper_can_be_brought_into_view_under_the_years(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size, stage="cards") as t:
        await t.press("T")
        screen = await t.on(TimelineScreen)
        for node in screen.picture.nodes:
            screen.cursor = node.address
            screen._draw()
            await t.until(lambda: screen.view.drawing is not None, "the drawing")
            await t.pilot.pause()
            (at,) = (n for n, line in enumerate(t.lines) if f">{marks(node.verdict)}" in line)
            assert node.name.split()[0][:6] in t.lines[at + 1]
            heads = [line for line in t.lines[:4] if str(node.year) in line]
            assert len(heads) == 1, "the year is not above"
            x = t.lines[at].index(">")
            assert abs(heads[0].index(str(node.year)) - x - 1) <= screen.view.drawing.cell * node.nth  # type: ignore[union-attr]


def marks(verdict: str) -> str:
    return {"proposed": "?", "accepted": "+", "pinned": "P"}[verdict]


async def test_links_between_branches_are_drawn_for_the_paper_under_the_cursor(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("1/0")
        await t.press("T")
        screen = await t.on(TimelineScreen)
        others = {e.later for e in screen.picture.edges if e.earlier == "1/0" and not e.later.startswith("1/")}
        assert others
        drawing = screen.view.drawing
        assert drawing is not None
        lines = drawing.text.split("\n")[1:]
        for address in others:
            row, x = drawing.spots[address]
            assert "^" in lines[row - 1][x : x + 6]
        await t.press("down")
        assert screen.view.drawing is not drawing
        assert "unconfirmed" in t.text


async def test_the_reader_opens_from_the_timeline_and_a_click_goes_to_a_paper(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.press("T")
        screen = await t.on(TimelineScreen)
        drawing = screen.view.drawing
        assert drawing is not None
        row, x = drawing.spots["2/0"]
        await t.pilot.click(TimelineView, offset=(x + 4, row + 2))
        await t.until(lambda: screen.cursor == "2/0", "the click")
        await t.press("o")
        reader = await t.on(ReaderScreen)
        assert screen.here is not None
        assert reader.paper.id == screen.here.paper
        await t.press("escape")
        await t.on(TimelineScreen)
        await t.press("question_mark")
        from coi_tui.screens.help_screen import HelpScreen

        shown = await t.on(HelpScreen)
        assert any("Links within a chain are always drawn" in note for note in shown.notes)
        await t.press("escape", "enter")
        bench = await t.on(WorkbenchScreen)
        assert bench.chain.address == "2/0"


async def test_a_reference_taken_in_the_reader_goes_to_the_place_before_the_paper(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        oldest = t.bench.session.state.chain(1)[0]
        await t.go(f"1/{oldest}")
        await t.press("T")
        screen = await t.on(TimelineScreen)
        assert screen.cursor == f"1/{oldest}"
        await t.press("o")
        reader = await t.on(ReaderScreen)
        reader.dismiss("arXiv:1706.03762")
        sheet = await t.on(PinSheet)
        assert sheet.address == f"1/{oldest - 1}"
        await t.press("escape")
        assert (await t.on(WorkbenchScreen)).chain.address == f"1/{oldest}"


async def test_the_timeline_of_a_session_without_papers(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24)) as t:
        await t.press("T")
        await t.on(TimelineScreen)
        await t.until(lambda: "no paper in this session" in t.text, "the words")
        await t.press("s", "enter", "left", "escape")
        await t.on(WorkbenchScreen)
        assert not (tmp_path / "demo.svg").exists()


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_a_setting_is_changed_checked_and_holds_at_once(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size) as t:
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: bool(screen.all), "the settings")
        await t.press("j", "j", "enter")
        assert screen.section == "Costs"
        at = [s.key for s in screen.shown].index("budget_usd")
        await t.press(*["j"] * at, "enter")
        await t.on(SettingSheet)
        await t.press("ctrl+u", *"-4", "enter")
        sheet = await t.on(SettingSheet)
        await t.until(lambda: "must be at least 0" in " ".join(t.text.replace("║", " ").split()), "the reason")
        assert sheet.query_one(Input).value == "-4"
        assert "Nothing was changed" in sheet.refusal
        assert not places(tmp_path).config_file.exists()
        await t.press("backspace")
        await t.until(lambda: not sheet.refusal, "another value to be open again")
        await t.press("ctrl+u", *"2.5", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: "budget_usd is 2.5" in t.text, "the word")
        assert tomllib.loads(places(tmp_path).config_file.read_text()) == {"budget_usd": 2.5}
        assert t.bench.session.core.cap().usd == 2.5
        await t.press("enter")
        await t.on(SettingSheet)
        await t.press("ctrl+u", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: not t.bench.session.core.cap(), "the default")
        await t.press("escape", "escape")
        await t.on(WorkbenchScreen)


async def test_a_yes_or_no_is_switched_and_a_theme_taken_up(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: bool(screen.all), "the settings")
        await t.press(*["j"] * 4, "enter")
        assert screen.section == "Display"
        keys = [s.key for s in screen.shown]
        await t.press(*["j"] * keys.index("display.motion"), "space")
        await t.until(lambda: t.app.animation_level == "none", "no motion")
        await t.press(*["k"] * (keys.index("display.motion") - keys.index("display.theme")), "enter")
        await t.on(ThemeSheet)
        await t.press("j")
        assert t.app.theme == "coi-light", "shown at once"
        await t.press("escape")
        await t.on(SettingsScreen)
        assert t.app.theme == "coi-dark"
        await t.press("enter")
        await t.on(ThemeSheet)
        await t.press("j", "j", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: screen.setting is not None and screen.setting.value == "16", "the kept value")
        assert t.app.theme == "coi-16"
        await t.press("escape", "escape")
        await t.on(HomeScreen)


async def test_the_check_of_services_names_no_key(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: bool(screen.all), "the settings")
        await t.press("c")
        await t.until(lambda: "starter library" in screen.check.findings, "the check")
        assert "OPENAI_API_KEY is not set" in screen.check.findings
        for n in range(8):
            await t.press("j")
            assert screen.query_one("#about").text, n  # type: ignore[attr-defined]


async def test_check_35_an_export_warns_of_what_is_stale_or_undecided_and_overwrites_nothing_unasked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        session = t.bench.session
        main = session.exports.snapshot().branch
        text = session.edits.text_of(f"{main}/dir")
        session.edits.save(f"{main}/dir", text.replace("## text\n", "## text\nA sentence of mine. "))
        t.bench.refresh_rows()
        await t.press("s")
        sheet = await t.on(ExportSheet)
        await t.until(lambda: any(f"{main}/idea" in warning.addresses for warning in sheet.found), "the warnings")
        bib, appendix = (sheet.rows.index(name) for name in ("bib", APPENDIX))
        await t.press(*["j"] * bib, "space", *["j"] * (appendix - bib), "space", "enter")
        await t.on(WorkbenchScreen)
        proposal, references = (tmp_path / "demo.md").read_text(), (tmp_path / "demo.bib").read_text()
        assert "demo.md" in t.status
        warnings = proposal.partition(" Warnings\n")[2].partition("\n### ")[0]
        for address, fresh in session.core.fresh.items():
            if fresh.status in ("stale", "upstream") and address.startswith(f"{main}/") and not address.endswith(".cands"):
                assert address in warnings, address
        undecided = [s.address for s in session.state.slots.values() if s.verdict == "proposed"]
        assert undecided
        assert all(a in warnings for a in undecided if a.startswith(f"{main}/"))
        cited = set(re.findall(r"\\\[(\d+)\\\]", proposal))
        assert cited
        assert cited == set(re.findall(r"\(#ref-(\d+)\)", proposal)) <= set(re.findall(r'<span id="ref-(\d+)">', proposal))
        assert references.count("@") >= len(cited)
        (tmp_path / "demo.md").write_text("my own words")
        await t.press("s")
        await t.on(ExportSheet)
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("enter")
        await t.on(ExportSheet)
        assert (tmp_path / "demo.md").read_text() == "my own words"
        sheet = await t.on(ExportSheet)
        sheet.query_one("#where", Input).value = str(tmp_path / "none" / "x")
        await t.press("enter")
        await t.until(lambda: "cannot be written" in " ".join(t.text.replace("║", " ").split()), "the reason")
        if isinstance(t.app.screen, MessageSheet):
            await t.press("escape")
        sheet.query_one("#where", Input).value = str(tmp_path / "demo.md")
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(WorkbenchScreen)
        assert (tmp_path / "demo.md").read_text() != "my own words"
