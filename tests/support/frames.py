"""What a screen shows, and frames that nobody sees. Textual has no public way to either: its private
parts are touched here and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import textual._wait
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.screen import Screen
from textual.strip import Strip


def strips(screen: Screen[Any]) -> list[Strip]:
    """What is painted, line by line: the screen on top over those below it."""
    return screen._compositor.render_strips(screen.size)


def lines(screen: Screen[Any]) -> list[str]:
    return ["".join(segment.text for segment in strip) for strip in strips(screen)]


def look_often() -> None:
    """A pilot waits after each key until the process has been idle for a moment; to look more often
    takes a third off the time and changes nothing that is seen."""
    textual._wait.SLEEP_GRANULARITY, textual._wait.SLEEP_IDLE = 1 / 200, 1 / 1500


@contextmanager
def unpainted() -> Iterator[None]:
    """Nothing goes to the terminal with each frame."""

    def nothing(
        compositor: Compositor,
        full: bool = False,
        screen_stack: list[Screen[Any]] | None = None,
        simplify: bool = False,
    ) -> None:
        visible_screen_stack.set(screen_stack or [])
        compositor._dirty_regions.clear()

    with patch.object(Compositor, "render_update", nothing):
        yield
