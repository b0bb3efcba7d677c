"""SciPIP (SCI-1 to SCI-15): ideas from papers found by meaning, entities and co-citation. Its settings,
and its line in the registry; the method itself is imported when a session has it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coi_tui.methods.base.idea_settings import IdeaSettings, packaged


class ScipipSettings(IdeaSettings):
    """How ideas come about and how far the retrieval goes; the numbers are those of the paper and
    its code where these say any."""

    mode: Literal["A", "B", "C"] = Field(
        "C", description="A: papers only; B: with brainstorm; C: it also steers the search"
    )
    path: Literal["direct", "inspiration"] = Field(
        "direct", description="from a problem, or from what each paper inspires"
    )
    branches: int = Field(3, ge=2, le=4, description="ideas of a new session")
    picked: int = Field(10, ge=1, le=20, description="papers that ideas are made from")


SPEC = packaged(
    "SciPIP",
    "SciPIP",
    "S",
    ScipipSettings,
    "ideas from papers found by meaning, entities and co-citation",
)
