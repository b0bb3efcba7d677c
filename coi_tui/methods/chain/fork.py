"""What a forked branch shares of its origin's cells: all versions, under its own addresses, so that
what they mean is compared by content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from coi_tui.model.address import Branch, CellRef, cell_ref, moved, question_of, ref, split_ref
from coi_tui.model.state import State

T = TypeVar("T")

_ROOM = 64
"""Branches are numbered below 64. A fork's branch knows a version of its origin by a negative number
made of the version's and the branch's, so that it is never one of the log's."""


def share_cells(state: State, origin: Branch, new: int, places: Sequence[int]) -> None:
    """Give a new branch the question of its origin, and the texts that belong to the shared places
    alone, with all their versions."""
    for cell in list(state.cells):
        at = cell_ref(cell)
        inside = at.branch == origin and at.pos in places
        alone = at.form == "attached" or (at.form == "pair" and at.newer in places)
        if at == question_of(origin) or (inside and alone):
            _share(state, at, origin, new)


def _share(state: State, address: CellRef, origin: Branch, new: int) -> None:
    cell, own = state.cell(address), moved(address, new)
    number = {seq: -(abs(seq) * _ROOM + new) for seq in cell.versions}
    for seq, mine in number.items():
        version = state.versions[seq]
        state.shared[mine] = state.shared.get(seq, seq)
        state.versions[mine] = version.model_copy(
            update={
                "seq": mine,
                "address": own,
                "inputs": _moved_refs(version.inputs, origin, new),
                "sources": _moved_refs(version.sources, origin, new),
            }
        )
    state.cells[own] = replace(
        cell,
        address=own,
        versions=tuple(number.values()),
        taken=tuple(number[seq] for seq in cell.taken),
        beside={number[seq]: why for seq, why in cell.beside.items()},
        lock=number[cell.lock] if cell.lock is not None else None,
        kept=_moved_refs(cell.kept, origin, new) if cell.kept is not None else None,
    )


def _moved_refs(refs: Mapping[str, T], origin: Branch, new: int) -> dict[str, T]:
    found = {}
    for name, value in refs.items():
        at, field = split_ref(name)
        own = at.owner == origin
        found[ref(moved(at, new), field) if own else name] = value
    return found
