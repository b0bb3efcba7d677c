"""VirSci: a team of scientists, made from the people behind the session's papers, who discuss,
propose, vote and write an abstract. Here are its settings, the section ``[virsci]`` of the settings
file, and its line in the registry.

How its cells are named. Those of the whole instance are ``V1/people``, ``V1/team``, ``V1/subject``
(the topic that the leader fixes), ``V1/poll`` and ``V1/measures``. In a
cell of the two discussions the first number is the turn and the second the seat, the leader's being
1: ``V1/said2.3`` is what seat 3 says in the second turn, with the answer of an outsider whom it
asked, ``V1/mine2`` what the person says after that turn, ``V1/sum2`` the leader's summary.
``V1/draft2.3`` is an idea, ``V1/found2.3`` the papers that were searched for it, ``V1/digest2`` the
summary. ``V1/near2.3`` are the papers near an idea in the vote, ``V1/vote3`` is the vote of seat 3.
Abstracts have the number of the attempt first, for an idea that is too close to earlier work gives
way to the next one: ``V1/abstract1.3``, ``V1/revised1``, and the review ``V1/overlap1.2``.
"""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.idea_settings import IdeaSettings, packaged

MOST_TURNS = 8


class VirSciSettings(IdeaSettings):
    """Who is at the table and how long they talk. The paper's usual team has four members and five
    turns."""

    team: int = Field(
        4,
        ge=2,
        le=8,
        description="members of the team, the leader among them; the paper's best had 8",
    )
    turns: int = Field(5, ge=1, le=MOST_TURNS, description="turns of each discussion at most")
    freshness: float = Field(
        0.5,
        ge=0,
        le=1,
        description="part of the invited who have not written with the leader before",
    )
    diversity: float = Field(
        0.5, ge=0, le=1, description="part of the invited who work on other topics than the leader"
    )


SPEC = packaged(
    "VirSci",
    "VirSci",
    "V",
    VirSciSettings,
    "a team of scientists that discusses, votes and writes an abstract",
)
