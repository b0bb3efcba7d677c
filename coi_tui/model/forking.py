"""Forks: a branch that begins as another one's part, copy on write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from coi_tui.model.address import (
    ATTACHED,
    PAIR,
    Branch,
    parse_address,
    question_of,
    ref,
    slot,
    split_ref,
)
from coi_tui.model.entries import Version
from coi_tui.model.state import Cell, Side, State

T = TypeVar("T")

_ROOM = 64
"""Branches are numbered below 64, so that a shared version's number can be made of its own and the
branch's."""


def shared_number(seq: int, branch: int) -> int:
    """The number under which a fork's branch knows a version of its origin: negative, so that it is
    never one of the log's."""
    return -(abs(seq) * _ROOM + branch)


def logged_number(state: State, seq: int) -> int:
    """The log's number of a version, whether it is shared or not."""
    return state.shared.get(seq, seq)


def fork(state: State, origin: Branch, new: int, at: int) -> None:
    """Give a new branch what its origin holds from 0 to the place ``at``, and on the whole other
    side (at 0: the anchor alone), under its own addresses."""
    places = [s.pos for s in state.filled(origin)]
    places = [p for p in places if (p <= at if at > 0 else p >= at)] if at else [0]
    for pos in places:
        state.put(slot(new, pos), replace(state.slot(slot(origin, pos)), branch=new))
    for address in _shared_cells(state, origin, places):
        state.cells[_renamed(address, origin, new)] = _copied(
            state, state.cell(address), origin, new
        )
    side: Side = "backward" if at > 0 else "forward"
    if at != 0 and (end := state.ends.get((origin, side))) is not None:
        state.ends[new, side] = end
    state.forks = {**state.forks, new: (origin, at)}


def _shared_cells(state: State, origin: Branch, places: list[int]) -> list[str]:
    """The question, and the texts that belong to shared places alone."""
    out = [question_of(origin)]
    for address in state.cells:
        at = parse_address(address)
        attached = at.part in ATTACHED and at.pos in places
        between = at.part == PAIR and at.pos in places and at.other in places
        if at.branch == origin and (attached or between):
            out.append(address)
    return [address for address in out if address in state.cells]


def _copied(state: State, cell: Cell, origin: Branch, new: int) -> Cell:
    number = {seq: shared_number(seq, new) for seq in cell.versions}
    for seq, own in number.items():
        state.shared[own] = logged_number(state, seq)
        state.versions[own] = _shared_version(state.versions[seq], own, origin, new)
    return replace(
        cell,
        address=_renamed(cell.address, origin, new),
        versions=tuple(number.values()),
        taken=tuple(number[seq] for seq in cell.taken),
        beside={number[seq]: why for seq, why in cell.beside.items()},
        lock=number[cell.lock] if cell.lock is not None else None,
        kept=_renamed_refs(cell.kept, origin, new) if cell.kept is not None else None,
    )


def _shared_version(version: Version, number: int, origin: Branch, new: int) -> Version:
    """The same content with its inputs under the new branch's addresses; what they mean is compared
    by content."""
    own = {
        "seq": number,
        "address": _renamed(version.address, origin, new),
        "inputs": _renamed_refs(version.inputs, origin, new),
        "sources": _renamed_refs(version.sources, origin, new),
    }
    return version.model_copy(update=own)


def _renamed(address: str, origin: Branch, new: int) -> str:
    parsed = parse_address(address)
    if parsed.branch != origin or parsed.part == "match":
        return address
    return str(replace(parsed, branch=new))


def _renamed_refs(refs: Mapping[str, T], origin: Branch, new: int) -> dict[str, T]:
    parts = {name: split_ref(name) for name in refs}
    return {
        ref(_renamed(address, origin, new), field): refs[name]
        for name, (address, field) in parts.items()
    }
