"""How addresses are said to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address

if TYPE_CHECKING:
    from coi_tui.model.state import State


def shown(state: State, address: str) -> str:
    """How an address is shown to a person: ``1/t0`` for a trend of the chain, else itself."""
    at = parse_address(address)
    if at.part == "trend":
        trends = state.trends(at.branch)
        if address in trends:
            return f"{at.branch}/t{trends.index(address)}"
    return address
