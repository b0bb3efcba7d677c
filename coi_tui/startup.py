"""What makes opening and typing quick, with what each brings. Times were taken on two cores that
others used as well."""

from __future__ import annotations

import gc
import sys
from functools import cache
from importlib import import_module


def share_the_interpreter() -> None:
    """Let a thread that ranks papers or drafts texts give way sooner than Python's 5 ms: the event
    loop has keys to answer."""
    sys.setswitchinterval(0.0005)


def import_session() -> None:
    """Import what the first opening needs while a person looks at the list: Enter takes 250 ms with
    it and 750 ms without. For a thread."""
    import_module("coi_tui.session.session")
    import_module("coi_tui.screens.workbench")


def collect_seldom() -> None:
    """Let the garbage collector look less often: a whole run leaves it 5,000 objects to collect.

    With Python's own thresholds the passes take a sixth of the time that the imports of a command
    take (0.15 s), and of ``coi run`` against services that answer in a second 0.5 s of 20, in which
    nothing is under way.
    """
    gc.set_threshold(10_000, 50, 10)


@cache
def freeze_gc() -> None:
    """Leave modules and the first session out of the garbage collector's passes, once.

    A pass over all of them takes over 100 ms: one key in twenty waited 150 ms for it on a session
    of a thousand rows, and so did the shell at the end of the program, and at the end of ``coi
    run`` 0.4 s of 20.
    """
    gc.freeze()
