"""Errors that nothing caught: what the log keeps of them.

A message of an exception may quote what a person wrote or what stands in a paper, and so may local
variables. The log therefore gets the kinds of the errors and the places in the code, and nothing
else.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

LOG = logging.getLogger("coi_tui")
MOST_PLACES, MOST_ERRORS = 60, 8
ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


def record(error: BaseException) -> str:
    """The error and what led to it, each with its places, the innermost last."""
    return "\n".join(
        line for one in _chain(error) for line in (_kind(one), *_places(one.__traceback__))
    )


def _kind(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, then its causes and the members of groups, each once."""
    left, seen = [error], set[int]()
    while left and len(seen) < MOST_ERRORS:
        one = left.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        cause = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        left += [*getattr(one, "exceptions", ()), *([cause] if cause is not None else [])]


def _places(trace: TracebackType | None) -> list[str]:
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(
            f"  {trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno} {code.co_qualname}"
        )
        trace = trace.tb_next
    return found[-MOST_PLACES:]


class LogFormatter(logging.Formatter):
    """Lines of the log; an exception leaves its record."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: ExcInfo | Any) -> str:
        return record(ei[1]) if ei[1] is not None else ""


def log_threads_and_collector() -> None:
    """Send what ends a thread, or fails where objects are thrown away, to the log: Python would
    print it over the screen."""
    threading.excepthook = lambda args: LOG.error("a thread ended", exc_info=args.exc_value)
    sys.unraisablehook = lambda args: LOG.error(
        "an error where nothing can be raised", exc_info=args.exc_value
    )


def log_task(_loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """The handler of an event loop for tasks that nobody waits for."""
    LOG.error("a task failed", exc_info=context.get("exception"))
