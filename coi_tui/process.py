"""The process: what makes opening and typing quick, the thread of long computations, and what the log
holds of errors that nothing caught.

Times were taken on two cores that others used as well.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    import asyncio


def share_the_interpreter() -> None:
    """Let a thread that ranks papers or drafts texts give way sooner than Python's 5 ms: the event
    loop has keys to answer."""
    sys.setswitchinterval(0.0005)


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


# -- computations

P = ParamSpec("P")
T = TypeVar("T")

# Python lets one thread compute at once: with several, the event loop waits its turn behind each of
# them before it may answer a key, and together they are done no sooner.
_ONE = ThreadPoolExecutor(max_workers=1, thread_name_prefix="computing")


async def run_in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``work`` gives or raises. Work that has begun is done even if nobody waits for it any
    more."""
    import asyncio

    return await asyncio.get_running_loop().run_in_executor(_ONE, partial(work, *args, **kwargs))


async def within(seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``work`` gives or raises, in a thread of its own that is left behind where it takes
    longer: a file that is only in a cloud may never come. Raises TimeoutError."""
    import asyncio

    done = Future[T]()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001  whoever waits gets it
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wait_for(asyncio.wrap_future(done), seconds)


# -- errors that nothing caught

# A message of an exception may quote what a person wrote or what is in a paper, and so may local
# variables. The log therefore gets the kinds of the errors and the places in the code, and nothing
# else.
LOG = logging.getLogger("coi_tui")
MOST_PLACES, MOST_ERRORS = 60, 8
ExcInfo = tuple[type[BaseException] | None, BaseException | None, TracebackType | None]


def record(error: BaseException) -> str:
    """The error, its causes and the members of groups, each with its places, the innermost
    last."""
    lines, left, seen = list[str](), [error], list[BaseException]()
    while left and len(seen) < MOST_ERRORS:
        one = left.pop(0)
        if one in seen:
            continue
        seen.append(one)
        kind = f"{type(one).__module__}.{type(one).__qualname__}".removeprefix("builtins.")
        places = list(traceback.walk_tb(one.__traceback__))[-MOST_PLACES:]
        lines.append(kind)
        lines += [
            f"  {frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_qualname}"
            for frame, line in places
        ]
        cause = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        left += [*getattr(one, "exceptions", ()), *filter(None, [cause])]
    return "\n".join(lines)


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
