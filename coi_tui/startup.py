"""What makes opening and typing quick, with what each brings. Times were taken on two cores that others used as well."""

from __future__ import annotations

import gc
import sys
from functools import cache
from importlib import import_module


def share_the_interpreter() -> None:
    """Let a thread that ranks papers or drafts texts give way sooner than Python's 5 ms: the event loop has keys to answer."""
    sys.setswitchinterval(0.0005)


def import_session() -> None:
    """Import what the first opening needs while a person looks at the list: Enter takes 250 ms with it and 750 ms without. For a thread."""
    import_module("coi_tui.session.session")
    import_module("coi_tui.screens.workbench.workbench")


@cache
def spare_the_collector() -> None:
    """Leave modules and the first session out of the garbage collector's passes, once.

    A pass over all of them takes over 100 ms: one key in twenty waited 150 ms for it on a session of a thousand rows, and so did the shell
    at the end of the program.
    """
    gc.freeze()
