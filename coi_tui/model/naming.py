"""Addresses and versions as people read and type them. Versions are v1, v2 ... counted within a
cell; the log's own number of a version is its entry number."""

from __future__ import annotations

import re
from collections.abc import Set

from coi_tui.model.address import PAIR, parse_address, slot
from coi_tui.model.errors import UnknownAddress, UsageError
from coi_tui.model.state import State
from coi_tui.model.text import count

_TREND = re.compile(r"([1-9]\d?)/t(\d{1,2})")


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


def resolve(state: State, text: str) -> str:
    """The stored address for a typed one; ``1/t0`` is the oldest pair of the chain as it is now."""
    typed = text.strip()
    if m := _TREND.fullmatch(typed):
        trends, number = state.pairs(int(m[1])), int(m[2])
        if number >= len(trends):
            raise UsageError(
                f"Branch {m[1]} has {count(len(trends), 'trend')}.",
                "They count from t0, the oldest pair.",
            )
        return trends[number]
    return str(parse_address(typed))


def require_known(state: State, address: str, rows: Set[str], *, made: bool) -> None:
    """Raises UnknownAddress for an address of a branch, a match or a place in a chain that the
    session does not have.

    A text that has not been made yet is no reason: there are decisions about those too. ``rows``
    gives the addresses in the tree; ``made``: whether the methods of the session make cells of this
    name.
    """
    at = parse_address(address)
    if at.part == "match":
        there = {at.branch, at.other} <= set(state.branches)
    elif at.part == PAIR:
        there = {slot(at.branch, at.pos), slot(at.branch, at.newer)} <= rows
    elif at.attached or at.part == "slot":
        there = str(at.slot) in rows
    else:
        there = address in rows or not at.branch or (made and at.branch in state.branches)
    if not there and not state.cell(address).versions:
        known = ", ".join(map(str, state.branches)) or "none"
        raise UnknownAddress(
            f"There is no {address} in this session.", f"Its branches are {known}."
        )


def find_version(state: State, address: str, text: str) -> int:
    """The entry number of a typed version: ``v2`` is the second of its cell, a bare number is the
    entry number itself."""
    typed, versions = text.strip().casefold(), state.cell(address).versions
    number = typed.removeprefix("v")
    if not number.isdigit():
        raise UsageError(
            f"{text!r} is not a version.", "Say v1, v2 ... as the history counts them."
        )
    if not typed.startswith("v"):
        return int(number)
    if not 1 <= int(number) <= len(versions):
        raise UsageError(f"{address} has no version v{number}.", f"It has {len(versions)}.")
    return versions[int(number) - 1]
