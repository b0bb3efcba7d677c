"""Nova: seed ideas from three sources, then rounds of planning what to look for, searching, and new
seeds that replace the old ones.

How its cells are named. Those of the whole instance are ``N1/target``, ``N1/choice`` (what a person
chose), ``N1/trends`` and ``N1/drafts``. A seed has a number, and descent is in the number:
``N1/seed2`` is one of the first, ``N1/seed2.1`` the first of those that replace it,
``N1/seed2.1.3`` one of a further round. ``N1/plan2`` is the search plan of ``N1/seed2``,
``N1/found2`` what it found. Proposals are in branches: ``N1/1/idea``.
"""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.idea_settings import IdeaSettings, packaged

MOST_STEPS = 3
"""Rounds of planning, searching and new seeds at most, as in the paper."""


class NovaSettings(IdeaSettings):
    """How many seeds there are and how far they are taken. The paper's full size is 15 seeds, 3
    each and 3 steps: 405 seeds in the end."""

    seeds: int = Field(4, ge=1, le=15, description="seed ideas to begin with; the paper has 15")
    each: int = Field(3, ge=1, le=5, description="new seeds that replace an old one")
    steps: int = Field(
        1,
        ge=0,
        le=MOST_STEPS,
        description="rounds of planning, searching and new seeds; the paper has 3",
    )
    drafts: int = Field(10, ge=3, le=20, description="drafts that the first seeds are chosen from")
    lines: int = Field(5, ge=1, le=8, description="lines of a search plan, each one search")
    papers: int = Field(5, ge=1, le=20, description="papers that a line of a search plan brings")
    branches: int = Field(
        3, ge=1, le=20, description="proposals of a new session, one for each group of seeds"
    )


SPEC = packaged(
    "Nova",
    "Nova",
    "N",
    NovaSettings,
    "seed ideas, replaced by new ones after each round of searches",
)
