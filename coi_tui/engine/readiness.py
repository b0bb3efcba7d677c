"""What of a method's wishes could start now: what is due, what its inputs allow, and at which stage
a run would begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coi_tui.engine.declarations import EVERYTHING, Method, Scope, View, Want
from coi_tui.engine.freshness import Examiner, Freshness
from coi_tui.model.address import parse_address
from coi_tui.model.state import State


class Busy:
    """What is about to change in one state. Whether anything above a cell is, is found once: many
    cells stand on the same few."""

    def __init__(self, method: Method, state: State, cells: set[str]) -> None:
        self.method, self.state, self.cells = method, state, cells
        self._above: dict[str, bool] = {}

    def above(self, address: str) -> bool:
        """True when something further up will be made in this job, so that this input may still
        change."""
        if address not in self._above:
            step = None if parse_address(address).part == "slot" else self.method.step(address)
            reads = (
                {r.cell for r in step.reads(self.state, address) if not r.parent}
                if step is not None
                else set()
            )
            self._above[address] = any(
                cell in self.cells or self.above(cell) for cell in reads - {address}
            )
        return self._above[address]


def is_due(want: Want, fresh: Freshness) -> bool:
    """Whether a cell that is wanted is to be made, as fresh as it is."""
    if want.when == "missing":
        return fresh.status == "missing"
    if (
        want.when == "stale"
        # what only waits for something above it has the same inputs still, so there is nothing to
        # ask yet
    ):
        return fresh.status in ("stale", "missing") and not fresh.choice_waits
    return True


def is_ready(want: Want, state: State, busy: Busy) -> bool:
    """All required inputs are there, and none of what it reads is about to change."""
    for read in want.step.reads(state, want.address):
        if read.cell in busy.cells and read.cell != want.address:
            return False
        if busy.above(read.cell):
            return False
        if not read.optional and state.meaning(read.ref) is None and state.value(read.ref) is None:
            return False
    return True


def stage_to_run(
    method: Method,
    state: State,
    fresh: Mapping[str, Freshness],
    stages: Sequence[str],
    scope: Scope = EVERYTHING,
) -> str:
    """The stage at which a run to the last of ``stages`` would begin now; empty where it would find
    nothing to do."""
    view, examine = View(state, fresh, {}, frozenset(), scope), Examiner(state, method.step)
    wants = [
        w
        for w in method.wanted(view, stages[-1])
        if is_due(w, fresh.get(w.address) or examine(w.address))
    ]
    busy = Busy(method, state, {w.address for w in wants})
    first = next((w for w in wants if is_ready(w, state, busy)), None)
    if first is not None:
        return first.stage
    return (
        next((stage for stage in stages if method.settle(view, stage)), "")
        if method.settle(view, stages[-1])
        else ""
    )
