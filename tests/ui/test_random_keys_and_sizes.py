"""Random keys, bursts of them and terminals of any size: nothing ends the app, and nothing
unexpected is told.

Keys of a burst come without a pause between them, as over a slow line: many of them reach a screen
that is coming or leaving.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual import events
from textual.command import CommandList
from textual.geometry import Size
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from coi_tui.app import CoiApp
from coi_tui.model.errors import StoreError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.configured_app import ConfiguredApp
from coi_tui.screens.palette import Palette
from coi_tui.screens.places import EveryAction
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from tests.ui.helpers import Trip, demo, seeded
from tests.ui.helpers import trip as open_list

pytestmark = pytest.mark.painted

STEPS = 120
SMALL = [(1, 1), (1, 20), (3, 3), (30, 1), (60, 1), (80, 2), (118, 1), (59, 16), (60, 16)]
USUAL = [(60, 16), (80, 24), (120, 36), (200, 60)]
BARRED = {"ctrl+q", "ctrl+z", "ctrl+c"}
TEXT = ["a", "é", "漢", "space", "backspace", "left", "home", "end", "slash", "delete"]
OFTEN = [
    "enter",
    "escape",
    "q",
    "ctrl+p",
    "question_mark",
    "colon",
    "j",
    "k",
    "down",
    "up",
    "tab",
    "pageup",
    "pagedown",
    *TEXT,
]
EVERY = sorted(
    {key for actions in EveryAction().values() for a in actions for key in a.keys.split(",") if key}
    - BARRED
)


def keys_of(place: str) -> list[str]:
    return sorted(
        {key for a in EveryAction().get(place, ()) for key in a.keys.split(",") if key} - BARRED
    )


def any_key(trip: Trip, dice: random.Random) -> str:
    screens = trip.app.screen_stack
    own = keys_of(getattr(screens[-1], "PLACE", "")) if screens else []
    return dice.choice(dice.choice([OFTEN, own or OFTEN, EVERY]))


def key_event(key: str) -> events.Key:
    return events.Key(key, key if len(key) == 1 else None)


async def step(trip: Trip, dice: random.Random) -> str:
    """One key, a burst, or another size; what it was."""
    kind = dice.random()
    if kind < 0.3:
        key = any_key(trip, dice)
        await trip.pilot.press(key)
        return key
    if kind < 0.8:
        burst = [any_key(trip, dice) for _ in range(dice.randint(2, 8))]
        for key in burst:
            trip.app.post_message(key_event(key))
        await trip.pilot.pause()
        return " ".join(burst)
    size = dice.choice(
        [dice.choice(SMALL), dice.choice(USUAL), (dice.randint(1, 200), dice.randint(1, 60))]
    )
    await trip.pilot.resize_terminal(*size)
    return str(size)


@pytest.mark.parametrize("seed", [0])
async def test_random_keys_and_sizes_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    failed: list[str] = []

    def heard(app: CoiApp, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            failed.append(f"{event.worker.name}: {event.worker.error!r}")

    monkeypatch.chdir(tmp_path)  # an export may be among the keys
    monkeypatch.setattr(CoiApp, "on_worker_state_changed", heard)
    monkeypatch.setattr(
        CoiApp, "leave", lambda app: None
    )  # from the list and from the palette: these would rightly end it
    monkeypatch.setattr(CoiApp, "action_quit", lambda app: None)
    dice, done = random.Random(seed), list[str]()
    async with demo(tmp_path, stage="ideas") as trip:
        for _ in range(STEPS):
            done.append(await step(trip, dice))
            assert not failed, f"{failed} after {done[-6:]}"
            assert trip.app.is_running, f"the app ended after {done[-6:]}"
        await trip.pilot.resize_terminal(120, 36)
        for desk in list(trip.app.sessions.controllers.values()):
            desk.session.runs.stop(now=True)
        await trip.until(
            lambda: not any(desk.busy for desk in trip.app.sessions.controllers.values()),
            "jobs to end",
        )


FROM_THE_WORKBENCH = [
    "question_mark",
    "ctrl+p",
    "T",
    "dollar_sign",
    "e",
    "h",
    "g",
    "l",
    "comma",
    "E",
]
FROM_THE_LIST = ["question_mark", "n", "comma", "i", "E"]


async def through_sizes(trip: Trip, opens: list[str]) -> None:
    """Open each screen and take it through the smallest sizes, with keys that move in it."""
    below = trip.app.screen
    for key in opens:
        await trip.press(key)
        for size in SMALL:
            await trip.pilot.resize_terminal(*size)
            await trip.pilot.press("down", "pageup")
        await trip.pilot.resize_terminal(120, 36)
        while trip.app.screen is not below:
            await trip.app.pop_screen()


async def test_every_screen_of_a_session_takes_the_smallest_sizes(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as trip:
        await trip.go("1/idea")
        await through_sizes(trip, FROM_THE_WORKBENCH)
        assert trip.app.is_running


@pytest.mark.parametrize("stage", ["", "ideas"])
async def test_the_list_of_sessions_takes_the_smallest_sizes(tmp_path: Path, stage: str) -> None:
    if stage:
        await seeded(tmp_path, stage)
    async with open_list(tmp_path) as trip:
        await through_sizes(trip, FROM_THE_LIST)
        assert trip.app.is_running


def test_no_attribute_has_a_name_that_textual_takes_for_the_handler_of_a_key() -> None:
    places: list[type[Any]] = [CoiApp, ConfiguredApp, CoiScreen, *subclasses(CoiScreen)]
    found = {
        f"{kind.__name__}.{name}"
        for kind in places
        for name in [*vars(kind), *kind.__annotations__]
        if name.startswith(("key_", "_key_"))
    }
    assert not found


def subclasses(kind: type[Any]) -> list[type[Any]]:
    below: list[type[Any]] = kind.__subclasses__()
    return [each for direct in below for each in (direct, *subclasses(direct))]


async def test_a_palette_that_is_closed_before_it_comes_up_ends_nothing(tmp_path: Path) -> None:
    async with open_list(tmp_path) as trip:
        palette = Palette()
        pushed = trip.app.push_screen(palette)
        trip.app._screen_stack.remove(
            palette
        )  # as when a session comes up in this moment, and what stands over its place is closed
        await pushed
        await trip.pilot.pause()
        assert trip.app.is_running


async def test_a_palette_that_leaves_while_commands_are_gathered_ends_nothing(
    tmp_path: Path,
) -> None:
    async with open_list(tmp_path) as trip:
        await trip.press("ctrl+p")
        palette, gone = await trip.on(Palette), asyncio.Event()

        async def gather() -> None:
            await gone.wait()
            palette.query_one(CommandList)

        palette.run_worker(gather)
        await (
            palette.query(CommandList).remove()
        )  # as in the moment in which the screen is closed and its workers are not yet cancelled
        gone.set()
        await trip.idle()
        assert trip.app.is_running


def click_at(x: int, y: int, option: int | None = None) -> events.Click:
    style = Style(meta={} if option is None else {"option": option})
    return events.Click(
        None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y, style=style
    )


async def test_a_click_on_what_has_gone_since_it_was_drawn_hits_nothing(tmp_path: Path) -> None:
    async with open_list(tmp_path) as trip:
        await trip.press("ctrl+p")
        palette = await trip.on(Palette)
        palette.query_one(CommandList).post_message(click_at(5, 5, option=500))
        palette.post_message(click_at(500, 500))
        await trip.pilot.pause()
        assert trip.app.is_running
        assert trip.app.screen is palette


async def test_the_palette_turns_no_pages_where_there_are_none(tmp_path: Path) -> None:
    async with open_list(tmp_path) as trip:
        await trip.press("ctrl+p")
        palette = await trip.on(Palette)
        for size in SMALL:
            await trip.pilot.resize_terminal(*size)
            for page in ("page_up", "page_down"):
                await trip.app.run_action(f"command_list('{page}')", palette)
        assert trip.app.is_running


async def test_where_a_person_is_that_cannot_be_kept_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk it ended the app."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    async with demo(tmp_path, stage="ideas") as trip:
        bench = trip.bench
        monkeypatch.setattr(type(bench.session.core), "remember", full)
        await trip.press("down")
        bench.place.keep()
        assert trip.app.is_running


async def test_a_terminal_without_columns_or_rows_is_not_believed(tmp_path: Path) -> None:
    """Broken bytes may read as a window of no size; the next true size may then never be told, as
    it has not changed."""
    async with open_list(tmp_path) as trip:
        for size in (Size(0, 0), Size(80, 0), Size(0, 24)):
            trip.app.post_message(events.Resize(size, size))
            await trip.pilot.pause()
        assert trip.app.size.area > 0
        await trip.press("question_mark")
        assert trip.app.screen.size == trip.app.size


async def test_a_key_that_comes_before_its_screen_is_made_does_nothing(tmp_path: Path) -> None:
    """Leaving at once closed the session that the screen was about to show."""
    async with demo(tmp_path, stage="ideas") as trip:
        (controller,) = trip.app.sessions.controllers.values()
        screen = WorkbenchScreen(controller, "")
        trip.app.push_screen(screen)
        await screen.action_act("back")
        await trip.pilot.pause()
        assert trip.app.is_running
        assert trip.app.screen is screen
        assert controller.session.state.value("topic#text")
        await screen.action_act("down")


async def test_a_button_pressed_on_what_was_just_taken_away_ends_nothing(tmp_path: Path) -> None:
    """It is on the screen until the next frame; Textual looks for the place of a selection in what
    holds it, which is nothing."""
    async with demo(tmp_path) as t:
        taken = Static("words that go")
        await t.bench.mount(taken, before=0)
        await t.idle()
        at = taken.region.offset
        with t.app.batch_update():  # no frame comes in between
            await taken.remove()
            assert t.app.get_widget_at(*at)[0] is taken
            assert taken.parent is None
            for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
                await t.app.on_event(
                    kind(
                        None, at.x, at.y, 0, 0, 1, False, False, False, screen_x=at.x, screen_y=at.y
                    )
                )
        await t.idle()
        assert t.app.is_running
