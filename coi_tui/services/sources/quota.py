"""What a service says of its limits and of the budget of the day."""

from __future__ import annotations

from collections.abc import Mapping

_ABOUT_LIMITS = ("x-ratelimit-", "x-rate-limit-", "x-api-pool")
_LONG_S = 3600.0
"""A pause that a service wants for longer than this is the end of its budget, not of its
patience."""


def limit_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that tell of limits, by lower-case name, cut to a sane length."""
    return {
        name.lower(): value[:40]
        for name, value in headers.items()
        if name.lower().startswith(_ABOUT_LIMITS)
    }


def budget_spent(headers: Mapping[str, str]) -> str:
    """Why trying again is useless before the budget renews; empty where a 429 only means too many
    calls in a second."""
    said = {name.lower(): _number(value) for name, value in headers.items()}
    left, cost = said.get("x-ratelimit-remaining-usd"), said.get("x-ratelimit-cost-usd")
    pause = said.get("retry-after")
    if left is None:
        limited = any(name.startswith("x-ratelimit-") for name in said)
        return _renews(pause) if limited and (pause or 0) > _LONG_S else ""
    if left > 0 and (cost is None or left >= cost):
        return ""
    return _renews(said.get("x-ratelimit-reset") or pause)


def budget_left(headers: Mapping[str, str]) -> str:
    """What is left, in words for ``coi doctor``; empty where the service does not say."""
    if usd := headers.get("x-ratelimit-remaining-usd"):
        return f"${usd} of today's budget left"
    if credits := headers.get("x-ratelimit-remaining"):
        return f"{credits} of today's credits left"
    return ""


def charged(headers: Mapping[str, str]) -> str:
    """What the last call cost, in dollars as the service says them; empty where it was free or
    nothing is said."""
    usd = headers.get("x-ratelimit-cost-usd", "")
    return f"${usd.strip().lstrip('$')}" if (_number(usd) or 0.0) > 0 else ""


def _renews(seconds: float | None) -> str:
    when = "at midnight UTC" if seconds is None else f"in {seconds / 3600:.1f} h"
    return f"today's budget is spent; it renews {when}"


def _number(text: str | None) -> float | None:
    try:
        value = float((text or "").strip().lstrip("$"))
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None
