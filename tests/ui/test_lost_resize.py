"""A change of size arrives even where the toolkit's timer for it was lost, as happens when the
process is put aside for a moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.timer import Timer, TimerCallback

from tests.ui.helpers import trip

RESIZE_TIMER = 1 / 100
"""Seconds; a timer of less than this is the one with which Textual waits for further changes of
size."""


async def test_a_lost_resize_timer_costs_no_resize(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = App.set_timer

    def lossy(
        app: App[Any], delay: float, callback: TimerCallback | None = None, **rest: Any
    ) -> Timer:
        return kept(app, delay, callback if delay > RESIZE_TIMER else None, **rest)

    monkeypatch.setattr(App, "set_timer", lossy)
    async with trip(tmp_path, size=(120, 36)) as t:
        for size in ((80, 24), (100, 30)):
            await t.pilot.resize_terminal(*size)
            await t.until(
                lambda size=size: tuple(t.app.screen.outer_size) == size,  # type: ignore[misc]
                f"a screen of {size}",
            )
