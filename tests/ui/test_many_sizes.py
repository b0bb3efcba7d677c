"""Sizes that follow each other faster than screens are laid out: each screen comes to rest at the
last one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from textual.geometry import Size
from textual.screen import Screen

from coi_tui.screens.palette import Palette
from coi_tui.screens.runs.generate_sheets import GenerateSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from tests.support.many_sizes import at_rest, counted, some_sizes, tell
from tests.ui.helpers import Trip, demo

FEW = 12
"""Layouts of one screen after one size; six or seven are usual, each two for a sheet over it."""
KINDS: tuple[tuple[str, type[Screen[Any]]], ...] = (
    ("", WorkbenchScreen),
    ("g", GenerateSheet),
    ("ctrl+p", Palette),
)
"""A screen, a sheet over it, and the palette over both, with the keys that show them one after the
other."""


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
                with counted() as made:
                    tell(screen, before)
                    screen.call_later(lambda: None)
                    tell(screen, here)
                    await at_rest(trip.pilot, made, here)
                assert trip.app.is_running
                assert made.sizes <= {here}, "one that is no longer true is not laid out at all"


async def test_after_any_size_a_screen_comes_to_rest_within_a_few_layouts(tmp_path: Path) -> None:
    dice = random.Random(5)
    async with demo(tmp_path) as trip:
        for key, kind in KINDS:
            await show(trip, key, kind)
            for size in some_sizes(dice, 6):
                with counted() as made:
                    tell(trip.app, size)
                    await at_rest(trip.pilot, made, size)
                assert made.most <= FEW, f"{made} at {size}"
            tell(trip.app, Size(120, 36))
