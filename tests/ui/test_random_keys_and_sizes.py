"""What random keys and sizes once found: nothing of it ends the app."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.geometry import Size
from textual.widgets import Static

from coi_tui.model.errors import StoreError
from coi_tui.screens.workbench import WorkbenchScreen
from tests.ui.helpers import demo
from tests.ui.helpers import trip as open_list

pytestmark = pytest.mark.painted


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
