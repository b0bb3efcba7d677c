"""The list of sessions, and how one is opened."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.sheets import MessageSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.opening import open_session
from coi_tui.session.recorded_session import RECORDED
from coi_tui.session.session import Session
from tests.support.desk import bare, chains

from .helpers import TOPIC, Trip, places, seeded, trip


async def test_damaged_newer_and_held_sessions_are_shown_in_words(tmp_path: Path) -> None:
    folder = places(tmp_path).sessions
    held = Session.create("held", TOPIC, bare(tmp_path), offline=True)
    (folder / "broken.coi.db").write_bytes(b"no database at all, only words" * 40)
    async with trip(tmp_path, (80, 24)) as t:
        assert "! damaged" in t.text
        assert "open elsewhere" in t.text
        home = await t.on(HomeScreen)
        await t.to(MessageSheet, *["down"] * [p.name for p in home.items].index("broken"), "enter")
        assert "broken" in t.text
        await t.to(HomeScreen, "escape")
        bench = await t.to(
            WorkbenchScreen, "home", *["down"] * [p.name for p in home.items].index("held"), "enter"
        )
        await t.until(lambda: "Read-only" in t.text, "the word")
        await t.press("e")
        assert "read-only" in t.status
        assert bench.session.read_only_reason
    held.close()


async def test_the_list_of_commands_filters_at_every_letter_and_runs_the_one_chosen(
    tmp_path: Path,
) -> None:
    """Letters that are keys elsewhere (``q``, ``y``, ``n``) are words of the filter."""
    async with trip(tmp_path, (80, 24)) as t:
        sheet = await t.to(CommandSheet, "question_mark")
        await t.press(*"queny")
        assert (sheet.words, sheet.shown) == ("queny", [])
        await t.press("ctrl+u", *"start topic")
        assert len(sheet.shown) == 1
        await t.press("escape")
        await t.until(lambda: not sheet.words and len(sheet.shown) > 9, "the filter to end")
        await t.to(HomeScreen, "down", "pagedown", "up", "pageup", "escape")
        await t.to(TopicSheet, "ctrl+p", *"start topic", "enter")


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


async def test_it_begins_at_the_address_that_was_asked_for(
    tmp_path: Path, door: threading.Event
) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path, at="1/idea") as t:
        bench = await opened(t, door)
        assert bench.chain.address == "1/idea"


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


async def test_the_demo_opens_the_recorded_session_and_o_the_same_one(tmp_path: Path) -> None:
    async with trip(tmp_path, demo=True) as t:
        bench = await t.on(WorkbenchScreen)
        await t.idle()
        assert bench.session.name == RECORDED
        await t.go("topic")
        assert "recorded answers of a language model" in " ".join(t.bench.detail.text.split())
        await t.go("1/idea")
        assert "recorded reply of a language model" in t.text
        await t.go("2/+3")
        await t.press("x", *"no", "enter")
        await t.until(lambda: chains(bench.session).slot("2/+3").paper is None, "the reject")
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        bench = await t.to(WorkbenchScreen, "o")
        await t.idle()
        assert bench.session.name == RECORDED
        assert chains(bench.session).slot("2/+3").paper is None
