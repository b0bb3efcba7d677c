"""What the program sets in the interpreter, with what each brings. Times are medians on two shared cores."""

from __future__ import annotations

import gc
import sys


def end_at_once() -> None:
    """Leave all objects to the operating system: Python's last collection over every module takes 100 ms, in which the shell waits."""
    gc.freeze()


def share_the_interpreter() -> None:
    """Let a thread that ranks papers or drafts texts give way sooner than Python's 5 ms: the event loop has keys to answer."""
    sys.setswitchinterval(0.0005)
