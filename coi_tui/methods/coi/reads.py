"""Which fields each text of Chain of Ideas is made from, in addition to what every method may read."""

from __future__ import annotations

from coi_tui.engine.reads import Read
from coi_tui.model.address import Branch, ref
from coi_tui.model.state import State

IDEA_OF_CARD = ("background", "novelty", "contribution", "reasons", "limitation")
SHORT_OF_CARD = ("background", "novelty", "contribution", "limitation")


def chain_trends(state: State, branch: Branch) -> list[Read]:
    """The trends between neighbours of the chain."""
    return [Read("trends", ref(address, "text")) for address in state.pairs(branch)]
