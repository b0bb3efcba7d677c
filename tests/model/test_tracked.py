from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import apply, fold
from coi_tui.model.state import DependencyTracker, MemoTable, State, TrackedState
from tests.model.test_fold import with_undos
from tests.support.logs import CELLS, SLOTS, decision, logs, numbered, version

Log = list[Decision | Version]
REFS = [
    *(f"{cell}#text" for cell in CELLS),
    *(f"{slot}#paper" for slot in SLOTS),
    "1/bad#cases",
    "X#reasons",
]

QUESTIONS: dict[str, Callable[[State], Any]] = {
    **{f"use {cell}": methodcaller("in_use", cell) for cell in CELLS},
    **{f"meaning {name}": methodcaller("meaning", name) for name in REFS},
    **{f"value {name}": methodcaller("value", name) for name in REFS},
    "branches": lambda state: state.branches,
    "chains": lambda state: [state.chain(branch) for branch in state.branches],
    "filled": lambda state: [
        slot.address for branch in state.branches for slot in state.filled(branch)
    ],
    "ends": lambda state: [state.end(branch, "forward") for branch in state.branches],
    "rejected": lambda state: state.rejected(1),
    "papers": lambda state: {
        address: paper.title
        for address in SLOTS
        if (paper := state.papers.get(state.slot(address).paper or ""))
    },
    "dropped": lambda state: [address for address, cell in state.cells.items() if cell.rejected],
    "made": lambda state: [address for address in state.cells if address.startswith("1/")],
    "marks": lambda state: (
        state.parked,
        state.pick,
        dict(state.notes),
        dict(state.points),
        dict(state.settings),
    ),
}
"""What methods and rows ask of a state, in one way or another."""


class Asked:
    """Answers that are kept while a state moves on."""

    def __init__(self) -> None:
        self.tracker = DependencyTracker()
        self.state = TrackedState(self.tracker)
        self.kept: MemoTable[Any] = MemoTable(self.tracker, "answer ")
        self.worked: list[str] = []

    def follow(self, state: State) -> None:
        self.kept.drop(self.state.follow(state))
        self.worked.clear()

    def answer(self, question: str) -> Any:
        return self.kept.of(question, self._work)

    def _work(self, question: str) -> Any:
        self.worked.append(question)
        return QUESTIONS[question](self.state)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(logs, st.lists(st.sampled_from(["undo", "undo", "redo"]), max_size=6), st.data())
def test_what_is_kept_equals_what_each_state_says(
    log: Log, choices: list[str], data: st.DataObject
) -> None:
    whole, asked = with_undos(log, choices), Asked()
    step = data.draw(st.integers(1, 5))
    for end in [*range(1, len(whole), step), len(whole)]:
        state = fold(whole[:end])
        asked.follow(state)
        for question, ask in QUESTIONS.items():
            assert asked.answer(question) == ask(state), question


def test_only_what_looked_at_a_change_is_worked_out_anew() -> None:
    log = numbered(
        [
            version("topic", "a", "person"),
            decision("edit", "topic", {"version": 1}),
            version("1/dir", "d", inputs={}),
            version("1/idea", "i", inputs={}),
        ]
    )
    asked, state = Asked(), fold(log)
    asked.follow(state)
    for question in QUESTIONS:
        asked.answer(question)
    asked.follow(
        apply(state, decision("note", "1/idea", {"text": "x"}).model_copy(update={"seq": 5}))
    )
    for question in QUESTIONS:
        asked.answer(question)
    assert asked.worked == ["marks"]
