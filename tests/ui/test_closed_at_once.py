"""A screen that is closed before it was shown, as by keys that come in one piece, ends nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.settings_screen import SettingsScreen
from tests.ui.helpers import trip

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
