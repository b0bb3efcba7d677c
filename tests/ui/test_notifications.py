"""Notifications that are shown late: a busy program must not stand still over one whose time ended
before it was drawn."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from tests.ui.helpers import trip as open_list


async def test_a_notification_whose_time_ends_while_it_is_made_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual asks several times whether it is over and then takes the time left; a timer below
    zero would never come to rest."""
    async with open_list(tmp_path) as trip:
        for asked in range(12):
            start, ticks = time.time(), itertools.count(1)
            monkeypatch.setattr(
                "textual.notifications.time", lambda start=start, ticks=ticks: start + next(ticks)
            )
            trip.app.notify("Saved.", timeout=asked + 0.5)
            await trip.pilot.pause()
        monkeypatch.undo()
        await trip.press("question_mark")
        assert trip.app.is_running
        assert type(trip.app.screen).__name__ == "CommandSheet"
