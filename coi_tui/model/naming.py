"""How versions are named to people: v1, v2 ... counted within a cell. The log's own number of a
version is its entry number."""

from __future__ import annotations

from coi_tui.model.state import State


def version_number(state: State, address: str, seq: int) -> int:
    """How the version with this entry number is counted among those of its cell, from 1; 0 where it
    is none of them.

    A fork shares versions of its origin: they are found by the number that the log gives them, too.
    """
    for number, held in enumerate(state.cell(address).versions, start=1):
        if seq in (held, state.shared.get(held, held)):
            return number
    return 0


def version_name(state: State, address: str, seq: int) -> str:
    """A version as it is shown: ``v2`` for the second one that a cell has had; ``entry 43`` for one
    that is not of this cell."""
    number = version_number(state, address, seq)
    return f"v{number}" if number else f"entry {abs(seq)}"


def parent_name(state: State, address: str, seq: int) -> str:
    """A version that a text was made from: ``v1`` of the same cell, ``2/idea v1`` of another
    one."""
    held = state.versions.get(seq)
    if version_number(state, address, seq) or held is None or held.address == address:
        return version_name(state, address, seq)
    return f"{held.address} {version_name(state, held.address, seq)}"
