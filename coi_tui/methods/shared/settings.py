"""Bounds that methods share: those of chains of papers, and those of what follows from an idea. Every one is shown in the plan."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from coi_tui.model.state import State


class ChainSettings(BaseModel):
    """Bounds of branches that grow a chain of papers around an anchor."""

    model_config = ConfigDict(extra="forbid")
    branches: int = Field(default=3, ge=1, le=5)
    length: int = Field(default=5, ge=1, le=12)
    forward: int = Field(default=2, ge=0, le=11)
    backward: int = Field(default=2, ge=0, le=11)
    minimum: int = Field(default=3, ge=1)
    milestone: int = Field(default=1000, ge=0)
    anchor_tries: int = Field(default=10, ge=1)
    anchor_hits: int = Field(default=6, ge=1, le=100)
    candidates: int = Field(default=20, ge=1, le=100)
    judge_limit: int = Field(default=3, ge=1)


class IdeaSettings(BaseModel):
    """Bounds of novelty check, experiment plan and refinement."""

    model_config = ConfigDict(extra="forbid")
    novelty_queries: int = Field(default=3, ge=1, le=5)
    novelty_hits: int = Field(default=5, ge=1, le=50)
    novelty_rounds: int = Field(default=2, ge=1)
    refine_rounds: int = Field(default=1, ge=0)
    refine_papers: int = Field(default=2, ge=0)
    known_until: str = Field(default="", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """The last day the session may know of (YYYY, YYYY-MM or YYYY-MM-DD): for studies that look back. Empty: no cut."""


S = TypeVar("S", bound=BaseModel)


def settings_in(state: State, model: type[S]) -> S:
    """The settings of a model that this session has; a missing one takes the default."""
    return model.model_validate({name: state.settings[name] for name in model.model_fields if name in state.settings})


def bounds_of(state: State) -> IdeaSettings:
    """The bounds of what follows from an idea, as this session has them."""
    return settings_in(state, IdeaSettings)
