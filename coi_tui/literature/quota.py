"""What a service says of its limits and of the budget of the day."""

from __future__ import annotations

from collections.abc import Mapping

_TOLD = ("x-ratelimit-", "x-rate-limit-", "x-api-pool")
_LONG_S = 3600.0
"""A pause that a service wants for longer than this is the end of its budget, not of its patience."""


def limits_told(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that tell of limits, by lower-case name, cut to a sane length."""
    return {name.lower(): value[:40] for name, value in headers.items() if name.lower().startswith(_TOLD)}


def budget_spent(headers: Mapping[str, str]) -> str:
    """Why trying again is useless before the budget renews; empty for a limit a second (two kinds of 429, pyalex#100)."""
    told = {name.lower(): value for name, value in headers.items()}
    left, needed = _number(told.get("x-ratelimit-remaining-usd")), _number(told.get("x-ratelimit-cost-usd"))
    if left is None:
        left, needed = _number(told.get("x-ratelimit-remaining")), _number(told.get("x-ratelimit-credits-required"))
        if needed is None:  # a remainder without a price counts calls of this second
            left = None
    reset = _number(told.get("x-ratelimit-reset"))
    pause = _number(told.get("retry-after"))
    if left is not None and (left <= 0 or (needed is not None and left < needed)):
        return "today's budget is spent" + _renews(reset if reset is not None else pause)
    if left is None and pause is not None and pause > _LONG_S and any(name.startswith("x-ratelimit-") for name in told):
        return "today's budget is spent" + _renews(pause)
    return ""


def budget_left(told: Mapping[str, str]) -> str:
    """What is left, in words for ``coi doctor``; empty where the service does not say."""
    if usd := told.get("x-ratelimit-remaining-usd"):
        return f"${usd} of today's budget left"
    if credits := told.get("x-ratelimit-remaining"):
        return f"{credits} of today's credits left"
    return ""


def charged(told: Mapping[str, str]) -> str:
    """What the last call cost, in dollars as the service says them; empty where it was free or is not told."""
    usd = told.get("x-ratelimit-cost-usd", "")
    return f"${usd.strip().lstrip('$')}" if (_number(usd) or 0.0) > 0 else ""


def _renews(seconds: float | None) -> str:
    if seconds is None:
        return "; it renews at midnight UTC"
    return f"; it renews in {seconds / 3600:.1f} h" if seconds >= 3600 else f"; it renews in {max(1.0, seconds / 60):.0f} min"


def _number(text: str | None) -> float | None:
    try:
        value = float((text or "").strip().lstrip("$"))
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None
