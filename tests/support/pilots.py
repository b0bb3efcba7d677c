"""Pilots that look more often whether the app has come to rest: for the tests of screens and for
``benchmarks.keys``."""

from __future__ import annotations

import textual._wait


def look_often() -> None:
    """A pilot waits after each key until the process has been idle for a moment, and looks every
    fiftieth of a second.

    Looking more often takes a third off the time and changes nothing that is seen.
    """
    textual._wait.SLEEP_GRANULARITY = 1 / 200
    textual._wait.SLEEP_IDLE = 1 / 1500
