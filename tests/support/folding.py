"""The fold of a log with the components of every method of the program."""

from collections.abc import Mapping, Sequence

from coi_tui.methods.registry import components_of
from coi_tui.model import fold as kernel
from coi_tui.model.entries import Decision, Version
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

COMPONENTS = components_of("", ())
ACTIONS = {*kernel.FOLDS, *(action for one in COMPONENTS for action in one.folds)}
"""What decisions may do."""


def fold(entries: Sequence[Decision | Version], papers: Mapping[str, Paper] | None = None) -> State:
    return kernel.fold(entries, papers, COMPONENTS)


def empty_state() -> State:
    return State(COMPONENTS)
