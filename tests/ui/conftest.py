"""Settings of the tests of screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.screen import Screen

from benchmarks.pilots import look_often
from coi_tui.screens import terminal

look_often()

_paint = Compositor.render_update


def _nothing(self: Compositor, full: bool = False, screen_stack: list[Screen[object]] | None = None, simplify: bool = False) -> None:
    """In place of what goes to the terminal with each frame."""
    visible_screen_stack.set(screen_stack or [])
    self._dirty_regions.clear()


@pytest.fixture(autouse=True)
def no_frames(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No frame is painted for a terminal that nobody sees, which is half of the work of these tests: what a test reads off the screen is
    painted when it reads it. Tests that are about painting are marked with ``painted``."""
    if request.node.get_closest_marker("painted") is None:
        monkeypatch.setattr(Compositor, "render_update", _nothing)


@pytest.fixture(scope="session")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for copies that no program of the system took."""
    return tmp_path_factory.mktemp("copies")


@pytest.fixture(autouse=True)
def copies_stay_with_the_tests(copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the system's folder of temporary files."""
    monkeypatch.setattr(terminal, "COPIES", copies)
