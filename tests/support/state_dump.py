"""A state as comparable data: what undo must give back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from coi_tui.model.state import State


def dump(state: State) -> dict[str, Any]:
    """Everything a person steers: what is in use where, verdicts, shelf, marks. Not the log, the
    versions kept, or numbers of entries."""
    return {
        "settings": dict(state.settings),
        "cells": _cells(state),
        "slots": _slots(state),
        "shelf": _shelf(state),
        "pick": state.pick,
        "ends": {
            f"{b} {side}": (e.tip_pos, e.tip, e.reason) for (b, side), e in state.ends.items()
        },
        "bad": {b: [asdict(c) for c in cases] for b, cases in state.bad.items() if cases},
        "judged": {str(k): v for k, v in state.judged.items()},
        "judged_notes": {str(k): v for k, v in state.judged_notes.items()},
        "votes": {str(k): v for k, v in state.votes.items()},
        "own points": {str(k): [dict(p) for p in v] for k, v in state.own_points.items() if v},
        "points": {str(k): v for k, v in state.points.items()},
        "parked": sorted(state.parked),
        "notes": dict(state.notes),
    }


def _cells(state: State) -> dict[str, Any]:
    cells = {}
    for address, cell in state.cells.items():
        version = state.in_use(address)
        marks = (
            cell.accepted,
            cell.rejected,
            cell.protected,
            cell.lock is not None,
            dict(cell.kept) if cell.kept is not None else None,
        )
        content = dict(version.content) if version else None
        if content is not None or any(marks):
            cells[address] = {"content": content, "marks": marks}
    return cells


def _slots(state: State) -> dict[str, Any]:
    return {
        a: {"paper": s.paper, "verdict": s.verdict, "protected": s.protected}
        for a, s in state.slots.items()
        if s.paper
    }


def _shelf(state: State) -> list[tuple[Any, ...]]:
    """The shelf without what came too late: that is a machine's result, which stays whatever is
    taken back."""
    return sorted(
        (i.paper, i.branch, i.pos, i.kind, i.reason) for i in state.shelf if i.kind != "late"
    )
