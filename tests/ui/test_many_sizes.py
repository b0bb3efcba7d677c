"""Sizes that follow each other faster than screens are laid out: each screen comes to rest at the
last one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual import events
from textual._compositor import Compositor
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen
from tests.ui.helpers import Trip, demo

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


@dataclass
class Layouts:
    """How often the widgets of screens were given their places, and for which sizes."""

    by_screen: dict[str, int] = field(default_factory=dict)
    sizes: set[Size] = field(default_factory=set)

    @property
    def most(self) -> int:
        return max(self.by_screen.values(), default=0)


@contextmanager
def counted() -> Iterator[Layouts]:
    """Count layouts, each by its screen; not those of scrolling alone. The app ends where they
    would not."""
    made, reflow = Layouts(), Compositor.reflow

    def counting(compositor: Compositor, parent: Widget, size: Size) -> Any:
        name = type(parent).__name__
        made.by_screen[name] = made.by_screen.get(name, 0) + 1
        made.sizes.add(size)
        assert made.most < ENDLESS, f"{name} does not come to rest at {size}: {made}"
        return reflow(compositor, parent, size)

    with patch.object(Compositor, "reflow", counting):
        yield made


async def at_rest(pilot: Pilot[None], made: Layouts, size: Size) -> None:
    """Wait until the screen has a size and nothing is laid out any more."""
    quiet, before = 0, made.most
    while quiet < QUIET and pilot.app.is_running:
        await asyncio.sleep(PAUSE_S)
        quiet = quiet + 1 if made.most == before and pilot.app.screen.outer_size == size else 0
        before = made.most


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
                with counted() as made:
                    tell(screen, before)
                    screen.call_later(lambda: None)
                    tell(screen, here)
                    await at_rest(trip.pilot, made, here)
                assert trip.app.is_running
                assert made.sizes <= {here}, "one that is no longer true is not laid out at all"
