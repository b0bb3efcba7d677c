"""A session named at the start: what stands on the screen until it is open, leaving before that,
and openings that fail."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.sheets.confirm_sheet import MessageSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.opening import open_session
from coi_tui.session.session import Session
from tests.ui.helpers import Trip, places, seeded, trip


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Sessions open once this is set."""
    event = threading.Event()

    def slowly(*args: Any) -> Session:
        assert event.wait(20)
        return open_session(*args)

    monkeypatch.setattr("coi_tui.screens.open_sessions.open_session", slowly)
    yield event
    event.set()


@asynccontextmanager
async def waiting(folder: Path, **options: Any) -> AsyncIterator[Trip]:
    """The app while the demo session is being opened."""
    app = CoiApp(places(folder), Settings(), Keys(), session="demo", **options)
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        there = Trip(app, pilot)
        await there.on(HomeScreen)
        yield there
    app.sessions.close_all()


async def opened(t: Trip, door: threading.Event) -> WorkbenchScreen:
    door.set()
    bench = await t.on(WorkbenchScreen)
    await t.idle()
    return bench


async def test_the_screen_says_what_is_opened(tmp_path: Path, door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        assert "Opening" in t.text
        await t.press("x", "u", "enter")
        assert not (await opened(t, door)).session.undo_stack.labels()[1], (
            "keys pressed before the session is there change nothing"
        )


async def test_it_begins_at_the_address_that_was_asked_for(
    tmp_path: Path, door: threading.Event
) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path, at="1/idea") as t:
        bench = await opened(t, door)
        assert bench.chain.address == "1/idea"


async def test_a_session_that_cannot_be_opened_is_told_over_the_list(tmp_path: Path) -> None:
    await seeded(tmp_path, "ideas")
    async with trip(tmp_path, session="nowhere") as t:
        said = await t.on(MessageSheet)
        assert "There is no session 'nowhere'" in t.text
        await t.press("escape")
        home = await t.on(HomeScreen)
        await t.until(lambda: home.loaded, "the list")
        assert [peek.name for peek in home.items] == ["demo"]
        assert said not in t.app.screen_stack
        assert not any(isinstance(screen, WorkbenchScreen) for screen in t.app.screen_stack)


async def test_enter_pressed_twice_opens_a_session_once(
    tmp_path: Path, door: threading.Event
) -> None:
    await seeded(tmp_path, "ideas")
    async with trip(tmp_path) as t:
        await t.press("enter", "enter")
        door.set()
        bench = await t.on(WorkbenchScreen)
        await t.idle()
        assert not bench.session.read_only_reason
        assert sum(isinstance(screen, WorkbenchScreen) for screen in t.app.screen_stack) == 1
