"""The gate of one host: how many calls at once, how far apart, and closed for a while after "too many requests"."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

TRIP_AFTER = 8
"""Failures of a host in a row, with no answer between them, after which it is left alone for a while."""
TRIP_S, TRIP_MAX_S = 30.0, 300.0
"""How long it is left alone the first time, and at most; each further failure doubles it."""
TELL_S = 2.0
"""Waits shorter than this many seconds are not worth a word."""
LEARNED_PACE_S = 1.1
"""The pace a host without a rule of its own gets after its first 429 (reference, "Base, auth, limits")."""


Told = Callable[[float, int, bool], None]


class Backoff:
    """Growing waits with jitter: about ``base_s``, twice that, four times ..., never above ``max_s`` (seconds)."""

    def __init__(self, base_s: float, max_s: float) -> None:
        self.base_s = base_s
        self.max_s = max_s
        self._random = random.Random(0)

    def wait(self, attempt: int) -> float:
        """Seconds to wait after the ``attempt``-th failure, counted from 0: half to all of the full step."""
        return min(self.max_s, self.base_s * 2.0 ** min(attempt, 30)) * self._random.uniform(0.5, 1.0)


class HostGate:
    """Every call to one host passes here. Belongs to the event loop in which it was made."""

    def __init__(
        self, pace_s: float, parallel: int, backoff: Backoff, *, learns: bool, told: Told = lambda _seconds, _calls, _refused: None
    ) -> None:
        """``told`` hears of every wait worth a word: its seconds, how many calls wait, and whether the host refused one."""
        self._slots = asyncio.Semaphore(parallel)
        self._pace_s = pace_s
        self._limiter = _limiter(pace_s)
        self._backoff = backoff
        self._learns = learns
        self._open_at = 0.0
        self._strikes = 0
        self._told = told
        self._waiting = 0
        self._failures = 0
        self._shut_until = 0.0

    @property
    def paced(self) -> bool:
        """Whether calls are kept apart."""
        return self._limiter is not None

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Room for one call: waits for a free place, for the pace, and for a closed host to open."""
        self._waiting += 1
        if (queue := self._waiting * self._pace_s) > TELL_S:
            self._told(queue, self._waiting, False)
        try:
            async with self._slots:
                while True:
                    if (closed := self._open_at - _now()) > TELL_S:
                        self._told(closed, self._waiting, True)
                    await asyncio.sleep(max(0.0, closed))
                    if self._limiter is not None:
                        await self._limiter.acquire()
                    if self._open_at <= _now():  # it may have closed while this call waited for its turn
                        break
                self._waiting -= 1
                try:
                    yield
                finally:
                    self._waiting += 1
        finally:
            self._waiting -= 1

    @property
    def shut_s(self) -> float:
        """Seconds for which nobody calls the host because it failed so often; 0 when it may be called."""
        return max(0.0, self._shut_until - _now())

    def failed(self) -> None:
        """The host did not answer, or with a fault of its own. After many in a row nobody calls it for a while."""
        self._failures += 1
        if self._failures >= TRIP_AFTER:
            self._shut_until = _now() + min(TRIP_MAX_S, TRIP_S * 2.0 ** min(self._failures - TRIP_AFTER, 10))

    @property
    def closed_for(self) -> float:
        """Seconds until the host may be called again."""
        return max(0.0, self._open_at - _now())

    def close(self, stated_s: float | None) -> None:
        """The host said 429: nobody calls it for ``stated_s`` seconds, or for a growing while when it named none."""
        if self._learns and self._limiter is None:
            self._pace_s = LEARNED_PACE_S
            self._limiter = _limiter(LEARNED_PACE_S)
        already = self._open_at > _now()  # calls that were under way together are one refusal
        if not already:
            self._strikes += 1
        elif stated_s is None:
            return
        wait = stated_s if stated_s is not None else self._backoff.wait(self._strikes - 1)
        self._open_at = max(self._open_at, _now() + min(wait, self._backoff.max_s))

    def answered(self) -> None:
        """The host served a call: the next refusal starts with a short wait again."""
        self._strikes = self._failures = 0
        self._shut_until = 0.0


def retry_after_s(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds of a Retry-After header, given as a number or an HTTP date; None when absent or unreadable."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if seconds == seconds else None


def _now() -> float:
    return asyncio.get_running_loop().time()


def _limiter(pace_s: float) -> AsyncLimiter | None:
    if pace_s <= 0:
        return None
    from aiolimiter import AsyncLimiter

    return AsyncLimiter(1, pace_s)  # one in pace_s; (3, 3) would let three through at once (libraries.md, 3)
