"""What the toolkit or a busy machine may do: sizes, early keys, closed screens, bursts."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, Static, TextArea

from coi_tui.model.errors import StoreError
from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.settings_screen import SettingsScreen
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.fields import LineField, TextField

from .helpers import Trip, demo, trip
from .helpers import trip as open_list

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
        await t.to(CommandSheet, "question_mark")


KINDS: tuple[tuple[str, type[Screen[Any]]], ...] = (
    ("", WorkbenchScreen),
    ("g", AskChoice),
    ("ctrl+p", CommandSheet),
)
"""A screen, a sheet over it, and the palette over both, with the keys that show them one after the
other."""
ENDLESS = 60
"""Layouts of one screen after which a size is said not to come to rest."""
QUIET, PAUSE_S = 5, 0.02
"""Pauses without a layout after which a screen is at rest, and how long each is."""


@contextmanager
def counted(screen: Screen[Any]) -> Iterator[list[Size]]:
    """The sizes for which a screen is laid out."""
    made: list[Size] = []
    signal = screen.screen_layout_refresh_signal
    signal.subscribe(screen, lambda laid_out: made.append(laid_out.outer_size), immediate=True)
    yield made
    signal.unsubscribe(screen)


async def at_rest(pilot: Pilot[None], made: list[Size]) -> None:
    """Wait until nothing is laid out any more."""
    quiet, before = 0, len(made)
    while quiet < QUIET:
        await asyncio.sleep(PAUSE_S)
        quiet, before = quiet + 1 if len(made) == before else 0, len(made)
        assert before < ENDLESS, f"it does not come to rest: {made}"


def tell(pump: MessagePump, size: Size) -> None:
    """Tell an app another size, as its driver does; or a screen, as its app does."""
    pump.post_message(events.Resize(size, size))


async def show(trip: Trip, key: str, kind: type[Screen[Any]]) -> None:
    await trip.press(*[key] if key else [])
    await trip.until(lambda: isinstance(trip.app.screen, kind), kind.__name__)
    await trip.idle()


async def test_two_sizes_at_once_do_not_alternate_for_ever(tmp_path: Path) -> None:
    """Textual sends each size that it has laid out to the screen once more. Two of them with
    something else between them in the queue of a screen, as where it was busy while they came, went
    round for ever, and no key was heard."""
    async with demo(tmp_path) as trip:
        here, before = trip.app.size, Size(63, 46)
        for key, kind in KINDS:
            await show(trip, key, kind)
            for screen in trip.app.screen_stack:
                with counted(screen) as made:
                    tell(screen, before)
                    screen.call_later(lambda: None)
                    tell(screen, here)
                    await at_rest(trip.pilot, made)
                assert trip.app.is_running
                assert {*made} <= {here}, "one that is no longer true is not laid out at all"


@pytest.mark.painted
async def test_where_a_person_is_that_cannot_be_kept_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk it ended the app."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    async with demo(tmp_path, stage="ideas") as trip:
        bench = trip.bench
        monkeypatch.setattr(type(bench.session), "remember", full)
        await trip.press("down")
        bench.place.keep()
        assert trip.app.is_running


@pytest.mark.painted
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


@pytest.mark.painted
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


@pytest.mark.painted
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


class Fields(App[None]):
    def compose(self) -> ComposeResult:
        yield LineField(id="line")
        yield TextField(id="text")


BURSTS = [
    (["a", "b", "backspace", "c"], "ac"),
    (["x", "y", "z", "ctrl+u", "n", "o"], "no"),
    (["a", "b", "left", "left", "Z"], "Zab"),
    (["a", "b", "home", "Y", "end", "Z"], "YabZ"),
    (["a", " ", "b", "ctrl+w", "c"], "a c"),
]


@pytest.mark.parametrize("field", ["line", "text"])
@pytest.mark.parametrize(("keys", "text"), BURSTS, ids=["-".join(keys) for keys, _ in BURSTS])
async def test_a_burst_of_keys_is_taken_in_its_order(
    field: str, keys: list[str], text: str
) -> None:
    app = Fields()
    async with app.run_test() as pilot:
        widget = app.query_one(f"#{field}", Input | TextArea)  # type: ignore[arg-type]
        widget.focus()
        await pilot.pause()
        for key in keys:
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert (widget.value if isinstance(widget, Input) else widget.text) == text
