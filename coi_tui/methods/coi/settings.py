"""Chain of Ideas as the registry lists it, with its settings: the section ``[coi]`` of the settings
file, and the bounds of a session."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.settings import ChainSettings, IdeaSettings, packaged


class CoiSettings(IdeaSettings, ChainSettings):
    """The bounds of its chains, then those of its ideas (pydantic puts the fields of the last base
    first), and its own."""

    drafts: int = Field(
        default=3, ge=1, le=4, description="drafts of each direction, of which the best is taken"
    )


SPEC = packaged(
    "Chain of Ideas",
    "CoI",
    "",
    CoiSettings,
    "",
    first_stage="anchors",
)
