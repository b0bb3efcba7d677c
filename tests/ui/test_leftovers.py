"""What is left of screens that were closed: no widget stays in memory, and no work that never began
is warned of."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual._styles_cache import StylesCache
from textual.widget import Widget

from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from tests.ui.helpers import Trip, seeded, trip

OF_PAPERS, OF_TEXTS = ("o", "c"), ("h", "question_mark", "slash", "s", "g", "e")
"""Keys that open something over the workbench."""


def alive() -> list[Widget]:
    """Every widget in memory."""
    for _ in range(3):
        gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, Widget)]


def left_over(t: Trip, before: list[Widget]) -> list[Widget]:
    """The widgets that came and are in memory still, without standing on a screen."""
    known = {id(one) for one in before}
    return [one for one in alive() if id(one) not in known and t.app not in one.ancestors]


def alive_of(some: list[weakref.ref[Widget]]) -> list[str]:
    """The kinds of those that are in memory still."""
    gc.collect()
    return sorted(type(one).__name__ for ref in some if (one := ref()) is not None)


def painted() -> list[StylesCache]:
    """The lines kept for each widget that was painted."""
    return [one for one in gc.get_objects() if isinstance(one, StylesCache)]


async def use_a_session(t: Trip) -> None:
    """Open the session of the list, open and close what keys open, and go back to the list."""
    home = await t.on(HomeScreen)
    await t.until(lambda: home.items, "the list")
    await t.press("enter")
    bench = await t.on(WorkbenchScreen)
    await t.idle()
    for address, keys in (("1/0", OF_PAPERS), ("1/idea", OF_TEXTS)):
        await t.go(address)
        for key in keys:
            await t.press(key)
            await t.until(lambda: t.app.screen is not bench, f"what {key} opens")
            while t.app.screen is not bench:
                await t.press("escape")
    await t.press("q")
    await t.on(HomeScreen)
    await t.until(lambda: not t.app.sessions.controllers, "the session to be closed")
    await t.idle()


async def test_no_widget_of_a_closed_screen_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "coi_tui.screens.open_sessions.freeze_gc", lambda: None
    )  # it would keep the first session's for good
    await seeded(tmp_path, "ideas")
    async with trip(tmp_path) as t:
        before = alive()
        await use_a_session(t)
        first = [
            weakref.ref(one) for one in left_over(t, before)
        ]  # something of what was closed last may be held until the next is
        await use_a_session(t)
        await t.until(
            lambda: not alive_of(first), f"every widget of a closed screen to go: {alive_of(first)}"
        )
        await t.until(
            lambda: len(painted()) <= len(alive()),
            "lines that were painted for a widget to go with it",
        )
        assert any(isinstance(one, HomeScreen) for one in alive()), "the count sees what is there"
