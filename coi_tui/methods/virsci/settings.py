"""The settings of VirSci: the section ``[virsci]`` of the settings file."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.settings import IdeaSettings

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
    basis: int = Field(
        default=20,
        ge=1,
        le=100,
        description="papers whose authors these are: accepted ones, then the reading list",
    )
    references: int = Field(
        default=8, ge=1, le=20, description="papers searched for before each idea"
    )
    close: int = Field(
        default=96,
        ge=1,
        le=100,
        description="an abstract as similar as this to a paper (0 to 100) is too close to it",
    )
