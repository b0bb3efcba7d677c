"""The queue of plans is folded from the log: in order, each goal once, undone like any decision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.model.entries import Decision
from coi_tui.model.fold import apply, fold
from coi_tui.model.queue import ALREADY, GONE, Queued

Op = tuple[str, int]
ops = st.lists(st.tuples(st.sampled_from(["queue", "unqueue", "undo", "redo"]), st.integers(1, 6)), max_size=25)


def goal(n: int) -> dict[str, object]:
    return {"kind": "run", "until": f"stage {n}"}


def queue(seq: int, n: int, **more: object) -> Decision:
    value = {"title": f"Plan {n}", "goal": goal(n), **more}
    return Decision(seq=seq, time=f"t{seq}", actor="you", action="queue", address="session", value=value, group=f"g{seq}")


def unqueue(seq: int, number: int) -> Decision:
    return Decision(seq=seq, actor="you", action="unqueue", address="session", value={"queued": number}, group=f"g{seq}")


def log_of(wanted: list[Op]) -> list[Decision]:
    """A log in which every undo and redo is about a decision that stands or was undone."""
    log: list[Decision] = []
    done: list[str] = []
    back: list[str] = []
    for op, n in wanted:
        seq = len(log) + 1
        if op in ("queue", "unqueue"):
            log.append(queue(seq, n) if op == "queue" else unqueue(seq, n))
            done.append(log[-1].group)
            back.clear()
        elif stack := (done if op == "undo" else back):
            group = stack.pop()
            (back if op == "undo" else done).append(group)
            log.append(Decision(seq=seq, actor="you", action=op, address="session", undoes=group, group=f"g{seq}"))
    return log


def told(log: list[Decision]) -> list[int]:
    """The same by the plainest means: go through what stands, a list of (number, goal)."""
    undone: set[str] = set()
    for d in log:
        if d.action == "undo":
            undone.add(d.undoes)
        elif d.action == "redo":
            undone.discard(d.undoes)
    waits: list[tuple[int, object]] = []
    for d in log:
        if d.group in undone:
            continue
        if d.action == "queue" and d.value["goal"] not in [g for _, g in waits]:
            waits.append((d.seq, d.value["goal"]))
        elif d.action == "unqueue":
            waits = [(seq, g) for seq, g in waits if seq != d.value["queued"]]
    return [seq for seq, _ in waits]


@given(ops)
def test_the_fold_is_what_stands_in_the_order_in_which_it_came(wanted: list[Op]) -> None:
    log = log_of(wanted)
    waits = fold(log).queue
    assert [q.seq for q in waits] == told(log)
    assert len({str(q.goal) for q in waits}) == len(waits)


@given(ops)
def test_one_entry_more_is_the_fold_of_the_longer_log(wanted: list[Op]) -> None:
    log = log_of([(op, n) for op, n in wanted if op in ("queue", "unqueue")])
    state = fold([])
    for entry in log:
        before, state = state, apply(state, entry)
        assert before.queue == fold(log[: entry.seq - 1]).queue  # an earlier state does not move
    assert state.queue == fold(log).queue


def test_a_plan_keeps_its_title_time_goal_and_wish() -> None:
    assert fold([queue(1, 4, anew=True)]).queue == (Queued(1, "Plan 4", goal(4), True, "t1"),)


@pytest.mark.parametrize(
    ("log", "void"),
    [([queue(1, 1), queue(2, 1)], (2, ALREADY)), ([unqueue(1, 7)], (1, GONE)), ([queue(1, 1), unqueue(2, 1), unqueue(3, 1)], (3, GONE))],
)
def test_what_has_no_effect_is_listed(log: list[Decision], void: tuple[int, str]) -> None:
    assert fold(log).void == (void,)


def test_nothing_of_the_session_moves_by_it() -> None:
    state = fold([queue(1, 1), unqueue(2, 1)])
    assert (state.cells, state.slots, state.settings) == ({}, {}, {})
