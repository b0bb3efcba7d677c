"""Calls that a service did not answer while a step that goes on without them ran, as the recipe of its version keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.model.errors import ContextError, QuotaSpent, ServiceError
from coi_tui.model.hashing import digest

UNANSWERED = "unanswered"
"""Their place in a recipe."""


def request_hash(kind: str, request: Mapping[str, Any]) -> str:
    """What an unanswered request is found by again: what it asked."""
    return digest([kind, {name: value for name, value in request.items() if name != "changes"}])


def as_data(error: ServiceError) -> dict[str, Any]:
    """An error as JSON, without the service's own words."""
    more: dict[str, Any] = {"quota": True} if isinstance(error, QuotaSpent) else {}
    if isinstance(error, ContextError):
        more = {"limit": error.limit, "prompt_tokens": error.prompt_tokens}
    return {"service": error.service, "kind": error.kind, "message": error.message, "hint": error.hint, **more}


def error_of(data: Mapping[str, Any]) -> ServiceError:
    """The error that ``as_data`` wrote."""
    service, message, hint = (str(data.get(name, "")) for name in ("service", "message", "hint"))
    if "limit" in data:
        return ContextError(service, message, hint, limit=int(data["limit"]), prompt_tokens=int(data.get("prompt_tokens", 0)))
    return (QuotaSpent if data.get("quota") else ServiceError)(service, str(data.get("kind", "")), message, hint)
