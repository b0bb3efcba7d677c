"""The settings of Chain of Ideas: the section ``[coi]`` of the settings file, and the bounds of a session."""

from __future__ import annotations

from coi_tui.methods.shared.settings import ChainSettings, IdeaSettings, settings_in
from coi_tui.model.state import State


class CoiSettings(IdeaSettings, ChainSettings):
    """The bounds of its chains, then those of its ideas (pydantic puts the fields of the last base first)."""


def bounds_of(state: State) -> CoiSettings:
    """All bounds, as this session has them."""
    return settings_in(state, CoiSettings)
