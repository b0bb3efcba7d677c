"""Settings of a role applied to a request. One place, so that the cache key, the price and the call agree."""

from __future__ import annotations

from dataclasses import replace

from coi_tui.config import LlmSettings, RoleSettings
from coi_tui.llm.types import ChatRequest


def role_settings(settings: LlmSettings, role: str) -> RoleSettings:
    """The settings of ``main``, ``reader`` or ``embedding``; raises ValueError for any other role."""
    found = {"main": settings.main, "reader": settings.reader, "embedding": settings.embedding}.get(role)
    if found is None:
        raise ValueError(f"no such role: {role}")
    return found


def model_name(settings: LlmSettings, role: str) -> str:
    """The model of a role. A reader without a name takes main's; an embedding model has no stand-in (a chat model has no
    such route), so there the name may be empty."""
    name = role_settings(settings, role).model
    return name if name or role == "embedding" else settings.main.model


def resolved(request: ChatRequest, settings: LlmSettings) -> ChatRequest:
    """``request`` with the temperature and the reply tokens that a person set for its role. Idempotent."""
    role = role_settings(settings, request.role)
    temperature = request.temperature if role.temperature is None else role.temperature
    max_tokens = request.max_tokens if role.max_tokens is None else role.max_tokens
    return replace(request, temperature=temperature, max_tokens=max_tokens)
