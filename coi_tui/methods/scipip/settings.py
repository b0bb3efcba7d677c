"""The settings of SciPIP: the section ``[scipip]`` of the settings file, and the bounds of an
instance."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coi_tui.methods.base.settings import IdeaSettings, settings_in
from coi_tui.model.address import parse_address
from coi_tui.model.state import State


class ScipipSettings(IdeaSettings):
    """How ideas come about and how far the retrieval goes; the numbers are those of the paper and
    its code where these say any."""

    mode: Literal["A", "B", "C"] = Field(
        default="C", description="A: papers only; B: with brainstorm; C: it also steers the search"
    )
    path: Literal["direct", "inspiration"] = Field(
        default="direct", description="from a problem, or from what each paper inspires"
    )
    branches: int = Field(default=3, ge=2, le=4, description="ideas of a new session")
    nearest: int = Field(default=55, ge=1, le=200, description="papers by meaning")
    hits: int = Field(default=40, ge=1, le=100, description="papers that each search asks for")
    entity_searches: int = Field(
        default=4, ge=0, le=10, description="most searches for single entities"
    )
    together: int = Field(
        default=7,
        ge=1,
        description="an entity is a neighbour if it is in more papers with another than this",
    )
    entity_budget: int = Field(
        default=100,
        ge=1,
        le=300,
        description="papers by entities, those of the rarest entities first",
    )
    co_cited: int = Field(
        default=1, ge=1, le=5, description="papers by co-citation that each paper brings"
    )
    same_from: float = Field(
        default=0.95,
        gt=0,
        le=1,
        description="similarity from which two papers fall into one cluster",
    )
    picked: int = Field(default=10, ge=1, le=20, description="papers that ideas are made from")


def bounds_of(state: State, address: str) -> ScipipSettings:
    """The settings of the instance of an address: its own, then those of the session, then the
    defaults."""
    return settings_in(state, ScipipSettings, parse_address(address).instance)
