"""Settings, themes, ASCII, motion, and the sheet of exports."""

import re
import tomllib
from pathlib import Path

import pytest
from rich.style import Style
from textual.color import Color
from textual.widgets import Input

from coi_tui.config_file import TOOLKIT, Display, read_display
from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.forms import APPENDIX, PANDOC, ExportSheet, TopicSheet
from coi_tui.screens.settings_screen import SettingsScreen
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.chain_tree import ROWS
from coi_tui.widgets.fields import Tick
from tests.support.desk import chains
from tests.support.frames import strips

from .helpers import demo, places, trip


@pytest.mark.painted
@pytest.mark.parametrize(
    ("text", "env", "shown"),
    [
        ("", {}, Display()),
        ("", {"TERM": "linux"}, Display(ascii=True)),
        ("[display]\nascii = false", {"TERM": "linux"}, Display()),
        ('[display]\ntheme = "16"\nmotion = false', {}, Display(TOOLKIT["16"], motion=False)),
        ("", {"TEXTUAL_ANIMATIONS": "none"}, Display(motion=False)),
        ('[display]\ntheme = "pink"\nascii = 3', {}, Display("pink")),
        ("no toml [", {}, Display()),
    ],
)
def test_what_is_read_before_the_first_frame(
    tmp_path: Path, text: str, env: dict[str, str], shown: Display
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    assert read_display(file, env) == shown
    assert read_display(tmp_path / "none", env).theme == TOOLKIT["dark"]


@pytest.mark.painted
async def test_a_theme_is_chosen_in_the_settings_and_repaints_what_is_below(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        bench = t.bench
        before = bench.styles.background
        await t.command("settings")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all, "the settings")
        screen.lines.highlighted = screen.place_of("display.theme")
        await t.to(AskChoice, "enter")
        await t.to(SettingsScreen, "j", "j", "enter")
        await t.until(lambda: bench.styles.background != before, "the theme behind")
        plain, chain = Style.null(), bench.chain
        rows = (chain.render_label(node, plain, plain) for node in chain.nodes.values())
        styles = {str(span.style) for row in rows for span in row.spans}
        assert ROWS[TOOLKIT["light"]].attention in styles
        kept = tomllib.loads(places(tmp_path).config_file.read_text())
        assert kept == {"display": {"theme": "light"}}
    async with trip(tmp_path) as t:
        assert t.app.theme == TOOLKIT["light"]


@pytest.mark.painted
async def test_ascii_only_paints_nothing_else_of_ours(tmp_path: Path) -> None:
    config = places(tmp_path).config_file
    config.parent.mkdir(parents=True)
    config.write_text("[display]\nascii = true\n")
    async with demo(tmp_path, stage="ideas") as t:
        for key in ("enter", "w", "c", "h", "g", "l", "dollar_sign"):
            await t.press(key)
            painted = "".join(
                segment.text
                for strip in strips(t.app.screen)
                for segment in strip.apply_filter(t.app._plain, Color(0, 0, 0))
            )
            assert painted.isascii(), sorted({c for c in painted if not c.isascii()})
            await t.press("escape")
        assert t.app._plain in t.app.get_line_filters()


@pytest.mark.painted
async def test_without_motion_no_cursor_blinks(tmp_path: Path) -> None:
    config = places(tmp_path).config_file
    config.parent.mkdir(parents=True)
    config.write_text("[display]\nmotion = false\n")
    async with trip(tmp_path) as t:
        assert t.app.animation_level == "none"
        await t.to(TopicSheet, "n")
        assert not any(field.cursor_blink for field in t.app.screen.query(Input))


async def test_a_setting_is_changed_checked_and_holds_at_once(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.command("settings")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: bool(screen.all), "the settings")
        screen.lines.highlighted = screen.place_of("budget_usd")
        await t.to(AskText, "enter")
        await t.press("ctrl+u", *"-4", "enter")
        await t.until(
            lambda: "must be greater than or" in " ".join(t.text.replace("║", " ").split()),
            "the reason",
        )
        sheet = await t.on(AskText)
        assert sheet.query_one(Input).value == "-4"
        assert "Nothing was changed" in sheet.effect
        assert not places(tmp_path).config_file.exists()
        await t.to(SettingsScreen, "ctrl+u", *"2.5", "enter")
        await t.until(lambda: "budget_usd is 2.5" in t.text, "the word")
        assert tomllib.loads(places(tmp_path).config_file.read_text()) == {"budget_usd": 2.5}
        assert t.bench.session.cap().usd == 2.5
        await t.to(AskText, "enter")
        await t.to(SettingsScreen, "ctrl+u", "enter")
        await t.until(lambda: not t.bench.session.cap(), "the default")
        await t.to(WorkbenchScreen, "escape", "escape")


async def test_an_export_warns_of_what_is_stale_or_undecided_and_overwrites_nothing_unasked(
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
        sheet = await t.to(ExportSheet, "s")
        await t.until(lambda: f"{main}/idea" in t.text, "the warnings")
        for name in ("bib", APPENDIX, PANDOC):
            sheet.query_one(f"#{name}", Tick).value = True
        await t.to(WorkbenchScreen, "enter")
        proposal, references = (
            (tmp_path / "demo.md").read_text(),
            (tmp_path / "demo.bib").read_text(),
        )
        assert "demo.md" in t.status
        warnings = proposal.partition(" Warnings\n")[2].partition("\n### ")[0]
        assert f"{main}/idea" in warnings
        undecided = [s.address for s in chains(session).filled(main) if s.verdict == "proposed"]
        assert undecided
        assert not any(address in warnings for address in undecided), "these are only counted"
        cited = set(re.findall(r"\[@(\w+)\]", proposal))
        assert cited
        assert cited <= set(re.findall(r"^@\w+\{(\w+),", references, re.M))
        assert "](#ref-" not in proposal
        (tmp_path / "demo.md").write_text("my own words")
        await t.to(ExportSheet, "s")
        await t.to(ConfirmSheet, "enter")
        await t.to(ExportSheet, "enter")
        assert (tmp_path / "demo.md").read_text() == "my own words"
        sheet = await t.on(ExportSheet)
        sheet.query_one("#where", Input).value = str(tmp_path / "demo.md")
        await t.to(ConfirmSheet, "enter")
        await t.to(WorkbenchScreen, "y")
        assert (tmp_path / "demo.md").read_text() != "my own words"
