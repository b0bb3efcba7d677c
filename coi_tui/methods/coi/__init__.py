"""Chain of Ideas (arXiv 2410.13185), capabilities COI-1 to COI-16: its line in the registry and its
settings (the section ``[coi]`` of the settings file, and the bounds of a session)."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from coi_tui.engine.verb import Verb
from coi_tui.methods.base.idea_settings import IdeaSettings, packaged
from coi_tui.methods.chain.chains import Chains


class CoiSettings(IdeaSettings):
    """Bounds of its branches, each of which grows a chain of papers around an anchor, and of its
    ideas."""

    branches: int = Field(3, ge=1, le=5, description="chains of a new session")
    length: int = Field(5, ge=1, le=12, description="most papers in a chain")
    forward: int = Field(2, ge=0, le=11, description="most successors of the anchor")
    backward: int = Field(2, ge=0, le=11, description="most predecessors of the anchor")
    minimum: int = Field(3, ge=1, description="fewest papers of a chain that is not called short")
    milestone: int = Field(
        1000, ge=0, description="a paper with more citations than this ends its side of a chain"
    )
    anchor_tries: int = Field(10, ge=1, description="most searches for an anchor")
    direction: bool = Field(
        True, description="a direction is predicted from a chain before its idea is made"
    )
    judge_limit: int = Field(
        12, ge=1, description="most candidates that are judged for a place in a chain"
    )


def _verbs() -> Sequence[Verb]:
    from coi_tui.methods.coi.chain_verbs import VERBS

    return VERBS


SPEC = packaged(
    "Chain of Ideas",
    "CoI",
    "",
    CoiSettings,
    "",
    first_stage="anchors",
    components=(Chains,),
    verbs=_verbs,
)
