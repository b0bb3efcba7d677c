"""Whether a failed call is tried again, and how long is waited before: one place for language
models and sources of papers."""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TypeVar

from coi_tui.model.errors import ServiceError

T = TypeVar("T")

WORTH_TELLING_S = 2.0
"""Waits shorter than this many seconds are not worth a word."""


@dataclass(eq=False)
class CallTimer:
    """The state of a call, for whoever may want to leave it: ``waiting`` where nothing is under way
    with a server (between two attempts, or before its turn). Once ``left``, it begins no wait any
    more: it ends as cancelled instead. ``key`` is its content key."""

    key: str = ""
    left: bool = False
    _waits: int = 0

    @property
    def waiting(self) -> bool:
        return self._waits > 0

    @contextmanager
    def wait(self) -> Iterator[None]:
        """For the time of a wait."""
        if self.left:
            raise asyncio.CancelledError
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1


current_timer: ContextVar[CallTimer] = ContextVar("current_timer")
"""The timer of the call that this task makes. Where nobody set one, nobody asks."""


def call_timer() -> CallTimer:
    """The timer of the call that this task makes."""
    return current_timer.get(None) or CallTimer()


RETRY_WAIT_S, RETRY_WAIT_MAX_S = 2.0, 20.0
"""The first wait between two attempts, and the longest; each doubles the one before."""
PATIENCE_S = 20.0
"""How long after the first attempt a failure is tried again; a refusal (429) as often as is set."""
ASKED_MAX_S = 60.0
"""No service is waited for longer between two attempts."""
LATER_S = 300.0
"""A service that asks for a longer wait than this is not tried again: no attempt would reach it."""


@dataclass(eq=False)
class Failed(Exception):
    """One attempt that failed. ``error`` is raised when it was the last one.

    ``again``: whether it may pass, and ``most``: how often it may be tried again. ``wait_s``: the
    wait that the service asked for. ``on_wait`` gets a sentence about a wait of some length.
    """

    error: ServiceError
    again: bool = False
    most: int = 1_000
    wait_s: float | None = None
    on_wait: Callable[[str], None] = lambda _text: None


async def retried(
    attempt: Callable[[], Awaitable[T]],
    retries: int,
    wait_s: float = RETRY_WAIT_S,
    patience_s: float = PATIENCE_S,
) -> T:
    """What ``attempt`` returns, tried again up to ``retries`` times while it raises Failed that may
    pass; then that error is raised. Anything else passes at once. After ``patience_s`` only a
    refusal for too many calls is tried again."""
    began, n = time.monotonic(), 0
    while True:
        try:
            return await attempt()
        except Failed as failed:
            last = failed
        # outside the except block, so that no chain of exceptions drags requests and replies along
        late = last.error.kind != "limited" and time.monotonic() - began >= patience_s
        if not last.again or late or n >= min(retries, last.most) or last.wait_s == math.inf:
            raise last.error
        own_s = min(RETRY_WAIT_MAX_S, wait_s * 2.0**n) * random.uniform(0.5, 1)
        next_s = own_s if last.wait_s is None else last.wait_s
        if next_s >= WORTH_TELLING_S:
            last.on_wait(f"{last.error.message.rstrip('.')}; next call in {next_s:.0f} s")
        with call_timer().wait():
            await asyncio.sleep(next_s)
        n += 1


_TOLD = re.compile(
    r"(?:retry|again|wait)[a-z_ -]{0,30}?[ :=](\d+(?:\.\d+)?)"
    r"(?: ?(ms|s|sec\w*|m|min\w*|h|hours?)(?![a-z])|(?! ?[a-z\d.]\S))"
)


def asked_s(headers: Mapping[str, str], words: str = "") -> float | None:
    """Seconds that a service asks to wait by retry-after-ms or Retry-After (seconds or a date), else
    by the words of its error ("try again in 1m3s", "retry_after 2"), at most ``ASKED_MAX_S``;
    infinite from ``LATER_S`` on, None where it asks for nothing."""
    given = {name.lower(): value for name, value in headers.items()}
    seconds, milliseconds = map(as_number, map(given.get, ("retry-after", "retry-after-ms")))
    if milliseconds is not None:
        seconds = milliseconds / 1000
    if seconds is None:
        with suppress(ValueError, TypeError, OverflowError):
            date = parsedate_to_datetime(given.get("retry-after", ""))
            seconds = max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - time.time())
    if seconds is None and (told := _TOLD.search(words.lower())):
        unit = told[2] or "s"
        seconds = float(told[1]) * (0.001 if unit == "ms" else 60 ** "smh".index(unit[0]))
    if seconds is None or seconds < 0:
        return None
    return math.inf if seconds > LATER_S else min(seconds, ASKED_MAX_S)


def as_number(text: str | None) -> float | None:
    """The number in a header; None for anything else."""
    try:
        value = float((text or "").strip().lstrip("$"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None
