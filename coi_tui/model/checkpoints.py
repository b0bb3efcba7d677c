"""States on the way through a log, so that an undo folds only what came after the decision that it
takes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import Undone, fold, go_on, taken_back, undo_stacks
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

MOST = 8
"""So many decisions can be taken back one after the other before the whole log is folded once more.
Each holds a state."""

Log = Sequence[Decision | Version]


@dataclass(frozen=True)
class _Checkpoint:
    """The state before the entry at ``place`` of the log, made while ``undone`` were the groups
    taken back."""

    place: int
    state: State
    undone: frozenset[str]


class Checkpoints:
    """Kept beside one log, to which entries are only ever added."""

    def __init__(self) -> None:
        self._held: list[_Checkpoint] = []
        """By their places, the first one first."""
        self._undone: frozenset[str] | None = None
        """The groups taken back in the state folded last; None where nothing can be kept of it."""

    def copy(self) -> Checkpoints:
        """The same states, for a log that goes on from here by itself."""
        other = Checkpoints()
        other._held, other._undone = [*self._held], self._undone
        return other

    def before(self, place: int, state: State) -> None:
        """Keep the state before a decision that is about to be added at a place of the log."""
        if self._undone is not None:
            self._held = [*self._held, _Checkpoint(place, state, self._undone)][-MOST:]

    def fold(self, entries: Log, papers: Mapping[str, Paper]) -> State:
        """The same as folding the log from its beginning."""
        undone = taken_back(entries)
        if undone.scoped:  # for one branch of a fork only: what the fork began with depends on it
            self._held, self._undone = [], None
            return fold(entries, papers)
        self._undone = undone.here
        begun = _beginnings(entries)
        self._held = [
            held
            for held in self._held
            if all(begun.get(group, 0) >= held.place for group in held.undone ^ undone.here)
        ]
        done, _ = undo_stacks(entries)
        return self._go_on(entries, papers, undone, sorted(begun[group] for group in done[-MOST:]))

    def _go_on(
        self, entries: Log, papers: Mapping[str, Paper], undone: Undone, stops: Sequence[int]
    ) -> State:
        """Fold from the last state that still holds, and keep the states at ``stops`` on the
        way."""
        last = self._held[-1] if self._held else None
        state, place = (last.state.copy(), last.place) if last is not None else (State(), 0)
        state.papers = papers
        for stop in (stop for stop in stops if last is None or stop > last.place):
            go_on(state, entries, place, stop, undone)
            self._held.append(_Checkpoint(stop, state.copy(), undone.here))
            place = stop
        go_on(state, entries, place, len(entries), undone)
        self._held = self._held[-MOST:]
        return state


def _beginnings(entries: Log) -> dict[str, int]:
    """Where each group of decisions begins in the log."""
    found: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if isinstance(entry, Decision):
            found.setdefault(entry.group, place)
    return found
