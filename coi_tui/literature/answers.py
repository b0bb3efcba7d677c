"""Answers of services that were kept for another session: which request each belongs to, and for how long it may stand for a new one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from coi_tui.model.hashing import digest

if TYPE_CHECKING:
    from coi_tui.literature.types import HttpAnswer, HttpRequest

DAY_S = 86_400
AWAY = ("unreachable", "limited", "server", "offline")
"""Kinds of errors of a service that cannot be asked just now; any other says something about the request itself."""


def answer_key(source: str, known_until: str, request: HttpRequest) -> str:
    """What an answer is kept under. Another source or time cut is another key, even where the request would be the same."""
    return f"answer {digest({'source': source, 'known_until': known_until, 'request': request.key()})}"


def moment(said: str) -> datetime | None:
    """A date or time (ISO; UTC where it names no zone); None for what is none."""
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds_old(answered: str, now: str) -> float | None:
    """How long ago an answer was given; None where one of the times cannot be read."""
    given, seen = moment(answered), moment(now)
    return (seen - given).total_seconds() if given and seen else None


def days_old(answered: str, now: str) -> int | None:
    """Days of the calendar since an answer was given; None without a date."""
    given, seen = moment(answered), moment(now)
    return (seen.date() - given.date()).days if given and seen else None


def is_old(answered: str, now: str, days: int) -> bool:
    """Whether an answer is to be asked for again: after ``days``, without a date, or with one that lies ahead (a wrong clock)."""
    age = seconds_old(answered, now)
    return age is None or age >= days * DAY_S or age < -DAY_S


def worth_keeping(answer: HttpAnswer) -> bool:
    """An answer that holds something. What a service does not know today it may know tomorrow, so that is asked for each time."""
    payload = answer.payload
    if answer.status != 200 or not payload:
        return False
    if isinstance(payload, list):
        return any(row is not None for row in payload)
    if not isinstance(payload, dict):
        return False
    rows = [payload[name] for name in ("data", "results") if name in payload]
    return any(rows) if rows else payload.get("total") != 0


def ages(answered: str, now: str, *, kept: bool) -> str:
    """``answered 3 d ago, from the library``; empty where no date is known."""
    days = days_old(answered, now)
    if days is None:
        return ""
    return f"answered {f'{days} d ago' if days > 0 else 'today'}{', from the library' if kept else ''}"
