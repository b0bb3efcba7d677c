"""A session named at the start: its frame and the last look at the first paint, keys that wait for it, and what is never shown."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.model.errors import StoreError
from coi_tui.screens.bench.workbench import Workbench
from coi_tui.screens.help_screen import HelpScreen
from coi_tui.screens.home.home import HomeScreen
from coi_tui.screens.sheets.message import MessageScreen
from coi_tui.session.queries.last import KEY, MOST_ROWS, remembered_of
from coi_tui.session.session import Session
from coi_tui.session.watch import open_session
from tests.ui.helpers import Trip, demo, places, seeded, trip


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Sessions open once this is set."""
    event = threading.Event()

    def slowly(*args: Any) -> Session:
        assert event.wait(20)
        return open_session(*args)

    monkeypatch.setattr("coi_tui.screens.opening.open_session", slowly)
    yield event
    event.set()


@pytest.fixture
def broken_door(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No session opens; that is known once this is set."""
    event = threading.Event()

    def fails(*args: Any) -> Session:
        assert event.wait(20)
        raise StoreError("The disk is gone.", "Look for it.")

    monkeypatch.setattr("coi_tui.screens.opening.open_session", fails)
    yield event
    event.set()


@asynccontextmanager
async def waiting(folder: Path, size: tuple[int, int] = (120, 36), **options: Any) -> AsyncIterator[Trip]:
    """The app on the workbench of the demo session, which is still being opened."""
    from coi_tui.app import CoiApp

    app = CoiApp(places(folder), Settings(), Keys(), session="demo", **options)
    async with app.run_test(size=size, notifications=True) as pilot:
        there = Trip(app, pilot)
        await there.until(lambda: isinstance(app.screen, Workbench) and app.screen.composed, "the frame")
        await pilot.pause()
        yield there
    app.close_all()


async def left(folder: Path, size: tuple[int, int] = (120, 36), at: str = "1/idea") -> list[str]:
    """Leave the demo session on a row; what stood on the screen."""
    async with demo(folder, size, stage="ideas") as t:
        await t.until(lambda: t.bench._recalled, "the place to be taken up")
        await t.go(at)
        await t.pilot.pause()
        lines = t.lines
        await t.press("q")
        await t.on(HomeScreen)
        await t.idle()
    return lines


async def seat(t: Trip, door: threading.Event) -> Workbench:
    door.set()
    bench = await t.on(Workbench)
    await t.idle()
    await t.until(lambda: bench._recalled, "the place to be taken up")
    return bench


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_what_was_seen_last_stands_there_before_the_session_does(
    tmp_path: Path, door: threading.Event, size: tuple[int, int]
) -> None:  # fmt: skip
    door.set()
    before = await left(tmp_path, size)
    door.clear()
    async with waiting(tmp_path, size) as t:
        shown = t.lines
        assert not t.bench.seated
        assert "opening" in shown[0]
        assert [line for line in shown[1:] if "Idea" in line] or size[0] < 80
        rows = [line[: size[0] // 3].rstrip(" ║│▁▂▃▄▅▆▇█") for line in before[2 : size[1] - 8] if line.strip()]
        again = [line[: size[0] // 3].rstrip(" ║│▁▂▃▄▅▆▇█") for line in shown[2 : size[1] - 8] if line.strip()]
        assert again == rows, "rows stand where they stood"
        bench = await seat(t, door)
        assert bench.chain.address == "1/idea"
        assert t.lines[0] == before[0]


async def test_without_a_last_look_the_frame_says_what_is_opened(tmp_path: Path, door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        assert "Opening demo." in t.text
        assert "nothing" not in t.text, "nobody knows yet what needs the person"
        await t.press("x")
        assert "demo is still being opened" in t.text
        await t.press("question_mark")
        await t.on(HelpScreen)
        await t.press("escape")
        await seat(t, door)
        assert not t.bench.session.decisions()[-1].action.startswith("reject")


async def test_keys_pressed_on_the_last_look_are_carried_out(tmp_path: Path, door: threading.Event) -> None:
    door.set()
    await left(tmp_path, at="1/0")
    door.clear()
    async with waiting(tmp_path) as t:
        await t.press("a", "down")
        below = list(t.bench.chain.rows)
        bench = await seat(t, door)
        await t.until(lambda: bench.session.state.slot("1/0").verdict == "accepted", "the anchor to be accepted")
        await t.until(lambda: bench.chain.address == below[below.index("1/0") + 2], "the cursor to go down past the card")


async def test_keys_are_dropped_where_the_row_is_not_what_was_shown(tmp_path: Path, door: threading.Event) -> None:
    door.set()
    await left(tmp_path, at="1/0")
    door.clear()
    change(
        tmp_path, lambda held: held | {"rows": [[*row[:4], "Another paper", *row[5:]] if row[0] == "1/0" else row for row in held["rows"]]}
    )
    async with waiting(tmp_path) as t:
        assert "Another paper" in t.text
        await t.press("a")
        bench = await seat(t, door)
        await t.until(lambda: "was not done" in t.status, "the sentence about it")
        assert bench.session.state.slot("1/0").verdict == "proposed"
        assert "Another paper" not in t.text


async def test_a_look_from_before_a_decision_is_not_shown(tmp_path: Path, door: threading.Event) -> None:
    door.set()
    await left(tmp_path)
    door.clear()
    with Session.open("demo", paths=places(tmp_path), settings=Settings(), keys=Keys()) as session:
        session.note("1/idea", "thought about it")
    async with waiting(tmp_path) as t:
        assert not t.bench.chain.rows
        await seat(t, door)


async def test_a_look_is_not_shown_where_an_address_was_asked_for(tmp_path: Path, door: threading.Event) -> None:
    door.set()
    await left(tmp_path)
    door.clear()
    async with waiting(tmp_path, at="2") as t:
        assert not t.bench.chain.rows
        assert (await seat(t, door)).chain.address == "2"


BAD: list[Any] = [
    None, [], "rows", {"rows": []}, {"rows": [["1/0", 0]]}, {"rows": [["1/0", 9.5, "", "", "", "", "", "", 0]]},
    {"rows": [["1/0", -1, "", "", "", "", "", "", 0]]}, {"rows": "abc"}, {"parts": [["one"]]}, {"parts": 3}, {"inspected": 7},
    {"inspected": [1, 2]}, {"title": ["x"], "inspected": [[["a"]], 1, 2, 3, 4]}, {"rows": [["topic", 1, *[""] * 6, 0]]},
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
async def test_a_broken_look_does_no_harm(tmp_path: Path, door: threading.Event, bad: Any) -> None:
    door.set()
    await left(tmp_path, (80, 24))
    door.clear()
    change(tmp_path, lambda held: held | bad if isinstance(bad, dict) else bad)
    async with waiting(tmp_path, (80, 24)) as t:
        assert "opening" in t.text
        assert (await seat(t, door)).chain.address == "1/idea"


async def test_a_session_that_cannot_be_opened_is_told_over_the_list(tmp_path: Path) -> None:
    await seeded(tmp_path, "ideas")
    async with trip(tmp_path, session="nowhere") as t:
        said = await t.on(MessageScreen)
        assert "There is no session 'nowhere'" in t.text
        await t.press("escape")
        home = await t.on(HomeScreen)
        await t.until(lambda: home.loaded, "the list")
        assert [peek.name for peek in home.peeks] == ["demo"]
        assert said not in t.app.screen_stack
        assert not any(isinstance(screen, Workbench) for screen in t.app.screen_stack)


async def test_what_was_opened_over_the_frame_goes_with_it(tmp_path: Path, broken_door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        await t.press("question_mark")
        await t.on(HelpScreen)
        broken_door.set()
        await t.on(MessageScreen)
        await t.press("escape")
        await t.on(HomeScreen)
        assert not any(isinstance(screen, HelpScreen | Workbench) for screen in t.app.screen_stack)


async def test_a_read_only_session_keeps_no_look_and_a_long_one_only_what_is_in_sight(tmp_path: Path, door: threading.Event) -> None:
    door.set()
    await left(tmp_path)
    held = kept(tmp_path)
    assert 0 < len(held["rows"]) <= MOST_ROWS
    with Session.open("demo", paths=places(tmp_path), settings=Settings(), keys=Keys()):
        async with trip(tmp_path, session="demo") as t:
            await t.on(Workbench)
            await t.go("topic")
            await t.press("q")
            await t.on(HomeScreen)
    assert kept(tmp_path) == held
    assert remembered_of(places(tmp_path), "demo")[1] is not None


def file_of(folder: Path) -> Path:
    return places(folder).sessions / "demo.coi.db"


def kept(folder: Path) -> Any:
    with sqlite3.connect(file_of(folder)) as connection:
        (value,) = connection.execute("SELECT value FROM ui WHERE key = ?", [KEY]).fetchone()
    return json.loads(value)


def change(folder: Path, how: Any) -> None:
    value = json.dumps(how(kept(folder)))
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE ui SET value = ? WHERE key = ?", [value, KEY])


async def test_one_can_leave_before_the_session_is_there(tmp_path: Path, door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        await t.press("q")
        home = await t.on(HomeScreen)
        door.set()
        await t.idle()
        assert not t.app.desks, "nothing is left open"
        await t.until(lambda: home.loaded and home.peeks, "the list")
        assert home.peeks[0].state == "ok", "and nothing holds it"
        await t.press("enter")
        await t.on(Workbench)


async def test_a_failure_after_leaving_is_told_over_the_one_list(tmp_path: Path, broken_door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        await t.press("escape")
        await t.on(HomeScreen)
        broken_door.set()
        await t.on(MessageScreen)
        assert sum(isinstance(screen, HomeScreen) for screen in t.app.screen_stack) == 1


async def test_what_was_left_too_early_opens_from_the_list_to_be_written(tmp_path: Path, door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with waiting(tmp_path) as t:
        await t.press("q")
        home = await t.on(HomeScreen)
        await t.until(lambda: home.loaded and home.peeks, "the list")
        await t.press("enter")
        door.set()
        bench = await t.on(Workbench)
        await t.idle()
        assert not bench.session.read_only_reason


async def test_enter_pressed_twice_opens_a_session_once(tmp_path: Path, door: threading.Event) -> None:
    await seeded(tmp_path, "ideas")
    async with trip(tmp_path) as t:
        await t.press("enter", "enter")
        door.set()
        bench = await t.on(Workbench)
        await t.idle()
        assert not bench.session.read_only_reason
        assert sum(isinstance(screen, Workbench) for screen in t.app.screen_stack) == 1
