"""The gate of one host: how many calls at once, how far apart, and closed for a while after "too many requests"."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

LEARNED_PACE_S = 1.1
"""The pace a host without a rule of its own gets after its first 429 (reference, "Base, auth, limits")."""


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

    def __init__(self, pace_s: float, parallel: int, backoff: Backoff, *, learns: bool) -> None:
        self._slots = asyncio.Semaphore(parallel)
        self._limiter = _limiter(pace_s)
        self._backoff = backoff
        self._learns = learns
        self._open_at = 0.0
        self._strikes = 0

    @property
    def paced(self) -> bool:
        """Whether calls are kept apart."""
        return self._limiter is not None

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Room for one call: waits for a free place, for the pace, and for a closed host to open."""
        async with self._slots:
            while True:
                await asyncio.sleep(max(0.0, self._open_at - _now()))
                if self._limiter is not None:
                    await self._limiter.acquire()
                if self._open_at <= _now():  # it may have closed while this call waited for its turn
                    break
            yield

    @property
    def closed_for(self) -> float:
        """Seconds until the host may be called again."""
        return max(0.0, self._open_at - _now())

    def close(self, stated_s: float | None) -> None:
        """The host said 429: nobody calls it for ``stated_s`` seconds, or for a growing while when it named none."""
        if self._learns and self._limiter is None:
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
        self._strikes = 0


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
