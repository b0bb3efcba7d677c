"""Looks: themes, ASCII only, motion, no colour. Meaning never hangs on any of them, and choices are
kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from textual.color import Color
from textual.widgets import Input

from coi_tui.config_file import Display, read_display
from coi_tui.screens.configured_app import TOOLKIT
from coi_tui.screens.home.topic_sheet import TopicSheet
from coi_tui.screens.settings_screen import SettingsScreen
from coi_tui.screens.sheets.choice_sheet import AskChoice
from coi_tui.widgets.chain_tree import ROWS

from .helpers import demo, places, trip

pytestmark = pytest.mark.painted


@pytest.mark.parametrize(
    ("text", "env", "shown"),
    [
        ("", {}, Display()),
        ("", {"TERM": "linux"}, Display(ascii=True)),
        ("[display]\nascii = false", {"TERM": "linux"}, Display()),
        ('[display]\ntheme = "16"\nmotion = false', {}, Display("16", motion=False)),
        ("", {"TEXTUAL_ANIMATIONS": "none"}, Display(motion=False)),
        ('[display]\ntheme = "pink"\nascii = 3', {}, Display()),
        ("no toml [", {}, Display()),
    ],
)
def test_what_is_read_before_the_first_frame(
    tmp_path: Path, text: str, env: dict[str, str], shown: Display
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    assert read_display(file, env) == shown
    assert read_display(tmp_path / "none", env).theme == "dark"


async def test_a_theme_is_chosen_in_the_settings_and_repaints_what_is_below(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        bench = t.bench
        before = bench.styles.background
        await t.command("settings")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all, "the settings")
        screen.begin_at(screen.keys().index("display.theme"))
        await t.press("enter")
        await t.on(AskChoice)
        await t.press("j", "enter")
        await t.on(SettingsScreen)
        await t.until(lambda: bench.styles.background != before, "the theme behind")
        styles = {str(s.style) for a in bench.chain.rows for s in bench.chain.drawn(a).spans}
        assert ROWS[TOOLKIT["light"]].attention in styles
        kept = tomllib.loads(places(tmp_path).config_file.read_text())
        assert kept == {"display": {"theme": "light"}}
    async with trip(tmp_path) as t:
        assert t.app.theme == TOOLKIT["light"]


async def test_ascii_only_paints_nothing_else_of_ours(tmp_path: Path) -> None:
    config = places(tmp_path).config_file
    config.parent.mkdir(parents=True)
    config.write_text("[display]\nascii = true\n")
    async with demo(tmp_path, stage="ideas") as t:
        for key in ("enter", "w", "c", "h", "g", "l", "dollar_sign"):
            await t.press(key)
            painted = "".join(
                segment.text
                for strip in t.app.screen._compositor.render_strips(t.app.screen.size)
                for segment in strip.apply_filter(t.app._plain, Color(0, 0, 0))
            )
            assert painted.isascii(), sorted({c for c in painted if not c.isascii()})
            await t.press("escape")
        assert t.app._plain in t.app.get_line_filters()


async def test_without_motion_no_cursor_blinks(tmp_path: Path) -> None:
    config = places(tmp_path).config_file
    config.parent.mkdir(parents=True)
    config.write_text("[display]\nmotion = false\n")
    async with trip(tmp_path) as t:
        assert t.app.animation_level == "none"
        await t.press("n")
        await t.on(TopicSheet)
        assert not any(field.cursor_blink for field in t.app.screen.query(Input))
