"""A state as comparable data: what undo must give back."""

from dataclasses import asdict
from typing import Any

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.bad_cases import BadCases
from coi_tui.model.state import State


def dump(state: State) -> dict[str, Any]:
    """Everything a person steers: what is in use where, verdicts, shelf, marks. Not the log, the
    versions, or numbers of entries; and not what came too late, which stays on the shelf whatever is
    taken back."""
    marks = ("accepted", "rejected", "protected", "kept")
    cells: dict[str, Any] = {}
    for address, cell in state.cells.items():
        version = state.in_use(address)
        set_here = [getattr(cell, name) for name in marks] + [cell.lock is not None]
        if version is not None or any(set_here):
            content = dict(version.content) if version else None
            cells[address] = {"content": content, "marks": set_here}
    own = ("settings", "pick", "judged", "judged_notes", "votes", "points", "parked", "notes")
    return {
        **{name: getattr(state, name) for name in own},
        "cells": cells,
        "slots": {
            at: (s.paper, s.verdict, s.protected)
            for at, s in Chains.of(state).slots.items()
            if s.paper
        },
        "shelf": sorted(
            (i.paper, str(i.branch), i.pos, i.kind, i.reason)
            for i in Chains.of(state).shelf
            if i.kind != "late"
        ),
        "ends": {
            key: (end.tip_pos, end.tip, end.reason) for key, end in Chains.of(state).ends.items()
        },
        "bad": {
            branch: list(map(asdict, cases))
            for branch, cases in BadCases.of(state).cases.items()
            if cases
        },
        "own points": {key: points for key, points in state.own_points.items() if points},
    }
