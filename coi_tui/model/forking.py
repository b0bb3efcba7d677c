"""Forks: a branch that begins as another one's part, copy on write."""

from __future__ import annotations

from dataclasses import replace

from coi_tui.model.address import PAIR, Branch, parse_address, question_of, ref, slot, split_ref
from coi_tui.model.entries import Decision, Version
from coi_tui.model.state import Cell, Side, SideEnd, State

_ROOM = 64
"""Branches are numbered below 64, so that a shared version's number can hold its own and the
branch's."""


def shared_number(seq: int, branch: int) -> int:
    """The number under which a fork's branch knows a version of its origin: negative, so that it is
    never one of the log's."""
    return -(abs(seq) * _ROOM + branch)


def logged_number(state: State, seq: int) -> int:
    """The log's number of a version, whether it is shared or not."""
    return state.shared.get(seq, seq)


def shared_places(state: State, branch: Branch, at: int) -> list[int]:
    """Places that a fork at ``at`` shares: from 0 to there, and the whole other side (at 0: the
    anchor alone)."""
    places = [s.pos for s in state.filled(branch)]
    if at == 0:
        return [0]
    return [p for p in places if (p <= at if at > 0 else p >= at)]


def fork(state: State, d: Decision, source: State) -> None:
    """Give branch ``d.value['branch']`` what branch ``d.address`` holds in ``source``, under its
    own addresses."""
    origin, new, at = parse_address(d.address).branch, int(d.value["branch"]), int(d.value["at"])
    places = shared_places(source, origin, at)
    for pos in places:
        state.put(slot(new, pos), replace(source.slot(slot(origin, pos)), branch=new))
    for address in _shared_cells(source, origin, places):
        state.cells[_renamed(address, origin, new)] = _copied(
            state, source, source.cell(address), origin, new
        )
    side: Side = "backward" if at > 0 else "forward"
    if at != 0 and (end := source.ends.get((origin, side))) is not None:
        state.ends[new, side] = SideEnd(
            end.side, end.tip_pos, end.tip, end.reason, end.code, end.seq
        )
    state.forks = {**state.forks, new: (origin, at)}


def _shared_cells(source: State, origin: Branch, places: list[int]) -> list[str]:
    """The question, and the texts that stand on shared places alone."""
    out = [question_of(origin)]
    for address in source.cells:
        parsed = parse_address(address)
        if parsed.branch != origin:
            continue
        own = parsed.part in ("card", "cands", "rel") and parsed.pos in places
        between = parsed.part == PAIR and parsed.pos in places and parsed.other in places
        if own or between:
            out.append(address)
    return [address for address in out if address in source.cells]


def _copied(state: State, source: State, cell: Cell, origin: Branch, new: int) -> Cell:
    number = {seq: shared_number(seq, new) for seq in cell.versions}
    for seq, mine in number.items():
        state.shared[mine] = source.shared.get(seq, seq)
        state.versions[mine] = _shared_version(source.versions[seq], mine, origin, new)
    return replace(
        cell,
        address=_renamed(cell.address, origin, new),
        versions=tuple(number.values()),
        taken=tuple(number[seq] for seq in cell.taken),
        beside={number[seq]: why for seq, why in cell.beside.items()},
        lock=number[cell.lock] if cell.lock is not None else None,
        kept={_renamed_ref(name, origin, new): was for name, was in cell.kept.items()}
        if cell.kept is not None
        else None,
    )


def _shared_version(version: Version, number: int, origin: Branch, new: int) -> Version:
    """The same content with its inputs under the new branch's addresses; what they mean is compared
    by content."""
    return version.model_copy(
        update={
            "seq": number,
            "address": _renamed(version.address, origin, new),
            "inputs": {
                _renamed_ref(name, origin, new): was for name, was in version.inputs.items()
            },
            "sources": {
                _renamed_ref(name, origin, new): by for name, by in version.sources.items()
            },
        }
    )


def _renamed(address: str, origin: Branch, new: int) -> str:
    parsed = parse_address(address)
    if parsed.branch != origin or parsed.part == "match":
        return address
    return str(replace(parsed, branch=new))


def _renamed_ref(name: str, origin: Branch, new: int) -> str:
    address, field = split_ref(name)
    return ref(_renamed(address, origin, new), field)
