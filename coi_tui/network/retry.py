"""Whether a failed call is tried again, and how long is waited before: one place for language models and sources of papers."""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from types import ModuleType
from typing import TypeVar

from coi_tui.model.errors import CoiError

T = TypeVar("T")

WORTH_TELLING_S = 2.0
"""Waits shorter than this many seconds are not worth a word."""

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class Backoff:
    """Growing waits with jitter: about ``base_s`` seconds, twice that, four times ..., never above ``max_s``.

    A wait that the server itself asks for is kept up to ``asked_max_s``.
    """

    def __init__(self, base_s: float, max_s: float, asked_max_s: float = 60.0) -> None:
        self.base_s = base_s
        self.max_s = max_s
        self.asked_max_s = asked_max_s
        self._random = random.Random(0)

    def wait(self, attempt: int) -> float:
        """Seconds to wait after the ``attempt``-th failure, counted from 0: half to all of the full step."""
        return min(self.max_s, self.base_s * 2.0 ** min(attempt, 30)) * self._random.uniform(
            0.5, 1.0
        )

    def asked(self, headers: Mapping[str, str]) -> float | None:
        """Seconds the server asks to wait, within bounds; None where it asks for nothing."""
        seconds = asked_wait(headers)
        return None if seconds is None else min(seconds, self.asked_max_s)


class AttemptFailed(Exception):
    """One attempt that failed. ``error`` is raised when it was the last one.

    ``more`` bounds how often failures of this sort are tried again (None: as often as is set). ``wait_s`` is the wait before the next
    attempt where it does not grow with the attempts; 0 where something else keeps the next attempt waiting.
    """

    def __init__(
        self, error: CoiError, more: int | None = 0, *, wait_s: float | None = None
    ) -> None:
        super().__init__(error.message)
        self.error = error
        self.more = more
        self.wait_s = wait_s


class CallStanding:
    """How a call stands, for whoever may want to leave it: ``waiting`` where nothing is under way with a server (between two attempts, or
    before its turn). Once ``left``, it begins no wait any more: it ends as cancelled instead."""

    def __init__(self) -> None:
        self._waits = 0
        self.left = False

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


standing: ContextVar[CallStanding] = ContextVar("standing")
"""The call that this task makes. Where nobody set one, nobody asks."""


def standing_now() -> CallStanding:
    """How the call of this task stands."""
    return standing.get(None) or CallStanding()


OnRetry = Callable[[float, CoiError], None]
"""Hears of a wait worth a word before a next attempt, and of what made the last one fail."""


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    retries: int,
    backoff: Backoff,
    *,
    patience_s: float | None = None,
    on_retry: OnRetry | None = None,
) -> T:
    """What ``attempt`` returns, tried again up to ``retries`` times while it raises AttemptFailed; then that error is raised.

    Any other exception, cancellation included, passes at once. ``patience_s``: no wait of our own choice leads beyond so many seconds after
    the first attempt began; what the server asked for is waited. Before a wait of some length ``on_retry`` hears of it.
    """
    stamina = retry_library()
    failures = bounded = 0
    began, call = time.monotonic(), standing_now()

    def again(error: Exception) -> bool | float:
        nonlocal failures, bounded
        if not isinstance(error, AttemptFailed):
            return False
        failures += 1
        if error.more is not None:
            bounded += 1
            if bounded > error.more:
                return False
        wait_s = backoff.wait(failures - 1) if error.wait_s is None else error.wait_s
        if (
            error.wait_s is None
            and patience_s is not None
            and time.monotonic() - began + wait_s > patience_s
        ):
            return False
        if wait_s >= WORTH_TELLING_S and failures <= retries and on_retry is not None:
            on_retry(wait_s, error.error)
        return wait_s

    try:
        with ExitStack() as between:
            async for one in stamina.retry_context(on=again, attempts=retries + 1, timeout=None):
                between.close()
                with one:
                    try:
                        return await attempt()
                    except AttemptFailed:
                        if failures < retries:
                            between.enter_context(call.wait())
                        raise
    except AttemptFailed as failed:
        last = failed.error
    raise last  # outside the except block, so that no chain of exceptions drags requests and replies along


@lru_cache(maxsize=1)
def retry_library() -> ModuleType:
    """stamina, imported at the first call, without the log lines that would land on the screen."""
    import stamina.instrumentation

    stamina.instrumentation.set_on_retry_hooks([])
    return stamina


def asked_wait(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds the server asks to wait: retry-after-ms, Retry-After (seconds or date), else the x-ratelimit-reset of a
    limit of which nothing remains. None where it asks for nothing."""
    said = {name.lower(): value for name, value in headers.items()}
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(said.get(name, ""))
        if seconds is not None:
            return seconds * factor
    date = _date(said.get("retry-after", ""))
    if date is not None:
        return max(0.0, date - (time.time() if now is None else now))
    resets = [
        _duration(said.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if said.get(f"x-ratelimit-remaining-{what}", "").strip() == "0"
    ]
    return max((reset for reset in resets if reset is not None), default=None)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _date(text: str) -> float | None:
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def _duration(text: str) -> float | None:
    """Seconds in 6m0s, 120ms or a plain number; None for anything else."""
    parts = _DURATION.findall(text)
    return sum(float(value) * _SECONDS[unit] for value, unit in parts) if parts else _number(text)
