"""Settings of the tests of screens."""

from __future__ import annotations

import os
from collections import defaultdict
from zlib import crc32

import pytest
import textual._wait
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.screen import Screen

from coi_tui.services.llm.offline import DRAFTS

from .helpers import REVIEWER

textual._wait.SLEEP_GRANULARITY = 1 / 200
textual._wait.SLEEP_IDLE = 1 / 1500
"""A pilot waits after each key until the process has been idle for a moment; to look more often
takes a third off the time and changes nothing that is seen."""

_paint = Compositor.render_update


def _nothing(
    self: Compositor,
    full: bool = False,
    screen_stack: list[Screen[object]] | None = None,
    simplify: bool = False,
) -> None:
    """In place of what goes to the terminal with each frame."""
    visible_screen_stack.set(screen_stack or [])
    self._dirty_regions.clear()


@pytest.fixture(autouse=True)
def no_frames(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No frame is painted for a terminal that nobody sees, which is half of the work of these
    tests: what a test reads off the screen is painted when it reads it. Tests that are about
    painting are marked with ``painted``."""
    if request.node.get_closest_marker("painted") is None:
        monkeypatch.setattr(Compositor, "render_update", _nothing)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the sizes of the terminal in which a test is done one is taken, another from test to test;
    ``COI_SIZES=all`` takes all of them.

    Each screen's look at three sizes is held by ``test_snapshots`` and ``test_layout``.
    """
    sizes: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and "size" in getattr(
            getattr(item, "callspec", None), "params", {}
        ):
            sizes[item.nodeid.partition("[")[0]].append(item)
    if os.environ.get("COI_SIZES") == "all":
        return
    left = {
        item
        for name, tests in sizes.items()
        if "test_layout" not in name
        for n, item in enumerate(tests)
        if n != crc32(name.encode()) % len(tests)
    }
    config.hook.pytest_deselected(items=sorted(left, key=lambda item: item.nodeid))
    items[:] = [item for item in items if item not in left]


@pytest.fixture
def reviewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews have points without a model, and refinements answer them."""
    for prompt, draft in REVIEWER.items():
        monkeypatch.setitem(DRAFTS, prompt, draft)
