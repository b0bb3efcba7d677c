"""How long to wait before the next try."""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Waits:
    """Seconds: ``base_s`` doubles with each try up to ``max_s``; a wait that the server asks for is kept up to ``asked_max_s``."""

    base_s: float = 0.5
    max_s: float = 20.0
    asked_max_s: float = 60.0

    def before(self, attempt: int, headers: Mapping[str, str] | None, dice: random.Random) -> float:
        """Seconds before try ``attempt`` + 1 (the first failure is attempt 0)."""
        asked = asked_wait(headers or {})
        if asked is not None:
            return min(asked, self.asked_max_s)
        return float(min(self.base_s * 2.0 ** min(attempt, 30), self.max_s) * dice.uniform(0.5, 1.0))


def asked_wait(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds the server asks to wait: retry-after-ms, Retry-After (seconds or date), else the x-ratelimit-reset of a
    limit of which nothing remains. Names are lower case. None where it asks for nothing."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds * factor
    date = _date(headers.get("retry-after", ""))
    if date is not None:
        return max(0.0, date - (time.time() if now is None else now))
    resets = [
        _duration(headers.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() == "0"
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
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def _duration(text: str) -> float | None:
    """Seconds in 6m0s, 120ms or a plain number; None for anything else."""
    parts = _DURATION.findall(text)
    return sum(float(value) * _SECONDS[unit] for value, unit in parts) if parts else _number(text)
