"""The settings of VirSci, the section ``[virsci]`` of the settings file, and its line in the
registry."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.settings import IdeaSettings, packaged

MOST_TURNS = 8
MOST_MEMBERS = 8


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


SPEC = packaged(
    "VirSci",
    "VirSci",
    "V",
    VirSciSettings,
    "a team of scientists that discusses, votes and writes an abstract",
)
