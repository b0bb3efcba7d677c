"""A screen that is closed before it was shown, as by keys that come in one piece, ends nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.screen import Screen

from coi_tui.screens.command_sheet import CommandSheet
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.home.topic_sheet import TopicSheet
from coi_tui.screens.runs.run_sheets import GenerateSheet
from coi_tui.screens.settings_screen import SettingsScreen
from tests.ui.helpers import demo, trip

SCREENS: dict[str, Callable[[], Screen[Any]]] = {
    "commands": lambda: CommandSheet(HomeScreen()),
    "settings": SettingsScreen,
    "topic": lambda: TopicSheet(""),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_closed_before_it_was_shown_ends_nothing(name: str, tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        for _ in range(3):
            t.app.push_screen(SCREENS[name]())
            t.app.pop_screen()
            await t.pilot.pause()
        await t.on(HomeScreen)
        await t.press("question_mark")
        await t.on(CommandSheet)


async def test_a_screen_that_was_closed_is_not_drawn_for_a_size_that_came_before(
    tmp_path: Path,
) -> None:
    """What is to be done after the next frame may come when the widgets are gone."""
    async with demo(tmp_path) as t:
        await t.press("g")
        sheet, late = await t.on(GenerateSheet), list[bool]()
        t.app.pop_screen()
        sheet.on_resize(events.Resize(t.app.size, t.app.size))
        sheet.call_after_refresh(late.append, True)
        sheet.set_timer(0.001, partial(late.append, True))
        sheet.set_interval(0.001, partial(late.append, True))
        await t.until(lambda: not sheet.is_running, "the sheet to be gone")
        assert t.app.is_running
        assert not late
