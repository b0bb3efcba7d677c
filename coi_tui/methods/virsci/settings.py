"""The settings of VirSci: the section ``[virsci]`` of the settings file, and the bounds of an
instance."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coi_tui.methods.shared.settings import IdeaSettings, settings_in
from coi_tui.model.address import parse_address
from coi_tui.model.state import State

MOST_TURNS = 8
MOST_MEMBERS = 8
ATTEMPTS = 3
"""Ideas that go into the vote; so many can become an abstract, one after the other, where those
before are too close to earlier work."""


class VirSciSettings(IdeaSettings):
    """Who is at the table and how long they talk. The paper's usual team has four members and five
    turns in each of four steps."""

    team: int = Field(
        default=4,
        ge=2,
        le=MOST_MEMBERS,
        description="members of the team, the leader among them; the paper's best had 8",
    )
    turns: int = Field(
        default=5, ge=1, le=MOST_TURNS, description="turns of each discussion at most"
    )
    adaptive: bool = Field(
        default=True, description="the leader may stop a discussion before its last turn"
    )
    guests: bool = Field(
        default=True, description="a member may ask an outsider a question, who answers once"
    )
    seat: Literal["none", "member", "leader"] = Field(
        default="none", description="your own seat at the table: none, member or leader"
    )
    freshness: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="part of the invited who have not written with the leader before",
    )
    diversity: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="part of the invited who work on other topics than the leader",
    )
    seed: int = Field(
        default=1,
        ge=0,
        description="the number that the draws begin with; the same one draws the same team",
    )
    scientists: int = Field(
        default=40, ge=2, le=200, description="people behind the papers who may be invited"
    )
    basis: int = Field(
        default=20,
        ge=1,
        le=100,
        description="papers whose authors these are: accepted ones, then the reading list",
    )
    references: int = Field(
        default=8, ge=1, le=20, description="papers searched for before each idea"
    )
    related: int = Field(
        default=3, ge=1, le=10, description="papers beside each of the three ideas in the vote"
    )
    nearest: int = Field(
        default=5, ge=1, le=10, description="papers that an abstract is held against"
    )
    close: int = Field(
        default=96,
        ge=1,
        le=100,
        description="an abstract as similar as this to a paper (0 to 100) is too close to it",
    )
    split: int = Field(
        default=0,
        ge=0,
        le=2200,
        description="papers from this year on are contemporary; 0: the middle one of the years",
    )
    branches: int = Field(
        default=1,
        ge=1,
        le=1,
        description="ideas of a new session; a further team makes a further idea",
    )


def bounds_of(state: State, address: str) -> VirSciSettings:
    """The settings of the instance of an address: its own, then those of the session, then the
    defaults."""
    return settings_in(state, VirSciSettings, parse_address(address).instance)
