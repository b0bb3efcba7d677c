"""Which rows ask for a decision: at most one for a branch with a chain, one for each other
method."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.session.queries.rows import needing_decision
from coi_tui.session.wording import Row, RowKind, Verdict
from tests.support.desk import copy_of

OPEN, YES, NO = Verdict.UNDECIDED, Verdict.ACCEPTED, Verdict.REJECTED
SLOTS = {"1/-1": OPEN, "1/0": OPEN, "1/+1": OPEN, "1/0.card": OPEN, "1/0..+1": OPEN}


def rows(verdicts: dict[str, Verdict]) -> list[Row]:
    places = {
        address: RowKind.SLOT if address.rpartition("/")[2].lstrip("+-").isdigit() else RowKind.TEXT
        for address in verdicts
    }
    return [
        Row(address, 1, places[address], "", "", verdict=verdict, made=True)
        for address, verdict in verdicts.items()
    ]


@pytest.mark.parametrize(
    ("verdicts", "wanted"),
    [
        pytest.param(SLOTS, {"1/-1"}, id="a list of papers asks at its first"),
        pytest.param({**SLOTS, "1/-1": YES}, {"1/0"}, id="and then at the next"),
        pytest.param(
            {**SLOTS, "1/dir": OPEN}, {"1/dir"}, id="the direction in place of the papers"
        ),
        pytest.param(
            {**SLOTS, "1/dir": YES}, set(), id="an accepted direction takes its papers as they are"
        ),
        pytest.param(
            {**SLOTS, "1/dir": OPEN, "1/idea": OPEN, "1/exp": OPEN},
            {"1/idea"},
            id="the idea in place of all",
        ),
        pytest.param(
            {**SLOTS, "1/dir": OPEN, "1/idea": YES, "1/exp": OPEN},
            set(),
            id="an accepted idea ends it",
        ),
        pytest.param(
            {"1/idea": OPEN, "2/idea": OPEN, "A/1-2": OPEN},
            {"1/idea", "2/idea"},
            id="each branch for itself",
        ),
        pytest.param(
            {"S1/first": OPEN, "S1/problem": OPEN}, {"S1/problem"}, id="another method asks once"
        ),
        pytest.param(
            {"S1/first": OPEN, "S1/1/idea": OPEN, "S1/2/idea": OPEN},
            {"S1/1/idea"},
            id="for all of its ideas",
        ),
        pytest.param(
            {"S1/1/idea": NO, "S1/2/idea": OPEN},
            {"S1/2/idea"},
            id="for the next where one was rejected",
        ),
        pytest.param(
            {"S1/1/idea": OPEN, "S1/2/idea": YES}, set(), id="no more where one was taken"
        ),
    ],
)
def test_one_row_of_a_branch_or_method_asks(verdicts: dict[str, Verdict], wanted: set[str]) -> None:
    assert needing_decision(rows(verdicts)) == wanted
    assert needing_decision([replace(row, aside=True) for row in rows(verdicts)]) == set()
    picked = needing_decision(rows(verdicts), picked=True)
    assert not {address for address in picked if address.endswith("/idea")}, "that is decided"


def test_a_finished_session_asks_a_handful_and_none_once_these_are_accepted(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "full").session
    asked = [row.address for row in session.rows() if row.needs_decision]
    assert asked == [f"{branch}/idea" for branch in session.state.ideas()]
    assert session.next_step().needs.undecided == len(asked) < 10
    for address in asked:
        session.decide("accept", address)
    assert session.next_step().needs.undecided == 0


def test_no_idea_asks_once_one_was_picked_and_taking_that_back_asks_again(tmp_path: Path) -> None:
    """What was offered next took back the person's choice."""
    session = copy_of(tmp_path, "full").session
    before = session.next_step().needs.undecided
    assert before > 1
    session.decide("accept", "2/idea")
    assert session.next_step().needs.undecided == 0
    session.undo()
    assert session.next_step().needs.undecided == before
    with pytest.raises(UsageError, match="idea"):
        session.decide("pick", "1/exp")
