"""Sizes that follow each other faster than screens are laid out: each screen comes to rest at the last one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from coi_tui.screens.palette import Palette
from coi_tui.screens.runs.generate_sheets import GenerateSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from tests.ui.helpers import Trip, demo

Layouts = list[tuple[str, Size]]
"""The screens that were laid out, each with the size."""
ENDLESS = 60
"""Layouts after two sizes that no screen needs; one that goes on for ever comes to it at once, and holds the whole app."""


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> Layouts:
    """What is laid out for a size; the app ends where that would go on for ever."""
    made: Layouts = []
    lay_out = Screen._screen_resized

    def counted(screen: Screen[Any], size: Size) -> None:
        made.append((type(screen).__name__, size))
        assert len(made) < ENDLESS, made[-6:]
        lay_out(screen, size)

    monkeypatch.setattr(Screen, "_screen_resized", counted)
    return made


def two_sizes(screen: Screen[Any], first: Size, second: Size) -> None:
    """Two sizes with something else between them in the queue of a screen, as where it was busy while they came."""
    screen.post_message(events.Resize(first, first))
    screen.call_later(lambda: None)
    screen.post_message(events.Resize(second, second))


async def at_rest(trip: Trip, screen: Screen[Any], size: Size) -> None:
    await trip.until(lambda: screen.outer_size == size and not screen._message_queue.qsize(), f"{screen} to rest at {size}")


async def test_two_sizes_at_once_do_not_alternate_for_ever(tmp_path: Path, layouts: Layouts) -> None:
    """Textual sends each size that it has laid out to the screen once more. Two of them went round for ever, and no key was heard."""
    async with demo(tmp_path) as trip:
        here = trip.app.size
        for key, on in (("", WorkbenchScreen), ("g", GenerateSheet), ("ctrl+p", Palette)):
            await trip.press(*[key] if key else [])
            await trip.until(lambda on=on: isinstance(trip.app.screen, on), on.__name__)  # type: ignore[misc]
            for screen in trip.app.screen_stack:
                layouts.clear()
                two_sizes(screen, Size(63, 46), here)
                await at_rest(trip, screen, here)
                assert trip.app.is_running
                assert {size for _, size in layouts} <= {here}, "one that is no longer true is not laid out at all"


async def test_of_many_sizes_in_a_row_the_last_is_laid_out(tmp_path: Path, layouts: Layouts) -> None:
    async with demo(tmp_path) as trip:
        await trip.press("g")
        await trip.on(GenerateSheet)
        sizes = [Size(60 + 5 * n, 60 - n) for n in range(30)]
        layouts.clear()
        for size in sizes:
            trip.app.post_message(events.Resize(size, size))
        await trip.until(lambda: trip.app.size == sizes[-1], "the last size")
        for screen in (trip.app.screen, trip.bench):
            await at_rest(trip, screen, sizes[-1])
