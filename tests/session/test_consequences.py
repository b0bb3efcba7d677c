"""What is said of a decision before it is made is what happens, row by row; and saying it writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.model.address import parse_address
from coi_tui.model.errors import UsageError
from coi_tui.model.state import LISTS
from coi_tui.session.decisions.consequences import NAMED, NOTHING_ELSE, Consequences
from coi_tui.session.session import Session
from tests.support.desk import Desk, copy_of

from .test_properties import _act, act, edits, folder, forks, fresh_desk, others, slot_moves, text_moves, undos

__all__ = ["folder"]


def rows(session: Session) -> dict[str, str]:
    """Every slot with its paper, every text with whether it is up to date, every parked branch: what the tree shows."""
    state = session.state
    papers = {s.address: str(s.paper) for s in state.slots.values() if s.paper}
    fresh = {a: f for a, f in session.core.fresh.items() if parse_address(a).part != "slot" and state.in_use(a) is not None}
    texts = {a: "stale" if f.status in ("stale", "upstream") else "up to date" for a, f in fresh.items()}
    return {**papers, **texts, **{f"branch {b}": "parked" for b in state.parked}}


def told(changes: Consequences, before: dict[str, str], after: dict[str, str]) -> dict[str, set[str]]:
    """The announcement and what happened, in the same words."""
    named = {
        "leaves": {*changes.emptied, *changes.detached, *changes.gone, *(f"branch {b}" for b in changes.unparked)},
        "comes": {*changes.placed, *changes.returned, *changes.back, *(f"branch {b}" for b in changes.parked)},
        "becomes stale": set(changes.stale), "becomes up to date": set(changes.fresh), "holds another paper": set(changes.replaced),
    }  # fmt: skip
    both = before.keys() & after.keys()
    moved = {a: (before[a], after[a]) for a in both if before[a] != after[a]}
    happened = {
        "leaves": before.keys() - after.keys(), "comes": after.keys() - before.keys(),
        "becomes stale": {a for a, move in moved.items() if move == ("up to date", "stale")},
        "becomes up to date": {a for a, move in moved.items() if move == ("stale", "up to date")},
        "holds another paper": {a for a, move in moved.items() if "stale" not in move and "up to date" not in move},
    }  # fmt: skip
    assert named == happened
    return named


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(edits, slot_moves, text_moves, others, undos, forks), max_size=4),
    st.one_of(slot_moves, slot_moves, text_moves, others, edits, undos),
)
def test_what_was_announced_is_what_happened(folder: Path, before: list[tuple[str, str, str]], last: tuple[str, str, str]) -> None:
    desk = fresh_desk(folder, "review")
    for move in before:
        act(desk, *move)
    session, then, log = desk.session, rows(desk.session), len(desk.session.core.journal.entries)
    try:
        changes = session.consequences(last[1], lambda trial: _act(Desk(trial, desk.model, desk.source), *last))
    except UsageError:
        changes = None
    assert rows(session) == then, "telling changes nothing"
    assert len(session.core.journal.entries) == log
    if changes is None:
        with pytest.raises(UsageError):
            _act(desk, *last)
        return
    _act(desk, *last)
    named = set().union(*told(changes, then, rows(session)).values())
    shown = {a for a in named if a.startswith("branch ") or parse_address(a).part not in LISTS}
    if len(shown) < NAMED:
        assert all(a.removeprefix("branch ") in changes.sentence() for a in shown)
    if not changes.asks:
        assert (
            not {*changes.emptied, *changes.detached, *changes.stale, *changes.parked}
            - {last[1]}
            - {a for a in changes.stale if parse_address(a).part in LISTS}
        )
    session.close()


def test_rejecting_an_anchor_names_every_row_that_it_empties_or_makes_stale(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    changes = session.consequences("1/0", lambda s: s.decisions.reject("1/0"))
    assert changes.emptied == ("1/0",)
    assert changes.detached == ("1/-1", "1/+1")
    assert {"1/dir", "1/idea", "1/nov"} <= set(changes.stale)
    assert changes.asks
    assert changes.sentence().startswith("Empties 1/0; detaches 1/-1 and 1/+1 (kept on the shelf); ")
    session.decisions.reject("1/0")
    anchor = next(item.paper for item in session.state.shelf if item.pos == 0)
    back = session.consequences("1/0", lambda s: s.decisions.choose("1/0", anchor))
    assert back.returned == ("1/-1", "1/+1")
    assert not back.stale


def test_accepting_a_paper_changes_nothing_else_and_asks_nothing(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    changes = session.consequences("1/+1", lambda s: s.decisions.accept("1/+1"))
    assert (changes.asks, changes.sentence()) == (False, NOTHING_ELSE)


def test_an_undo_that_was_only_tried_takes_nothing_from_the_one_that_is_meant(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    before = rows(session)
    session.decisions.fork("1/0")
    assert rows(session).keys() > before.keys()
    session.consequences("", lambda trial: trial.undo_stack.undo())
    session.undo_stack.undo()
    assert rows(session) == before


def test_another_version_of_a_text_says_what_it_makes_stale(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    edited = session.consequences("1/dir", lambda s: s.edits.save("1/dir", "Another direction."))
    assert edited.asks
    assert edited.sentence() == "Makes stale 1/idea, 1/nov and A/1-2."
    session.edits.save("1/dir", "Another direction.")
    first = session.state.cell("1/dir").versions[0]
    back = session.consequences("1/dir", lambda s: s.decisions.adopt("1/dir", first))
    assert "1/idea" in back.fresh
    assert not back.asks
