"""The rounds of review and refinement by themselves: what comes next, which answers count, and when
a changed text is kept."""

from __future__ import annotations

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.engine.context import Context
from coi_tui.engine.recorder import Recorder
from coi_tui.methods.shared.replies import PointAnswer
from coi_tui.methods.shared.review_rounds import (
    RoundState,
    existing_answers,
    is_kept,
    next_of,
    said_of,
)
from coi_tui.model.state import State
from tests.support.toy import journal_of

FIRST = RoundState(reviewed=True, current=True, points=True, done=0, most=2)


@pytest.mark.parametrize(
    ("at", "comes"),
    [
        (RoundState(reviewed=False, current=False, points=False, done=0, most=1), "review"),
        (FIRST, "refine"),
        (RoundState(reviewed=True, current=False, points=True, done=1, most=2), "review again"),
        (RoundState(reviewed=True, current=False, points=True, done=2, most=2), ""),
        (RoundState(reviewed=True, current=True, points=False, done=0, most=2), ""),
        (
            RoundState(reviewed=True, current=True, points=True, done=1, most=2, rolled_back=True),
            "",
        ),
    ],
)
def test_what_comes_next(at: RoundState, comes: str) -> None:
    assert next_of(at) == comes


def test_ie_10_a_changed_text_is_kept_only_where_its_score_is_known_and_not_lower() -> None:
    assert is_kept(5.0, 6.0)
    assert is_kept(5.0, 5.0)
    assert not is_kept(5.0, 4.9)
    assert not is_kept(5.0, None)
    assert not is_kept(None, 9.0)


def test_ie_9_an_answer_says_what_it_changes_or_why_it_changes_nothing_and_one_to_no_point_is_ignored() -> (
    None
):
    ctx = Context(Recorder(journal_of(), Budget()), State(), "1/exp", "refine")
    answers = [
        PointAnswer(point=1, change="more data"),
        PointAnswer(point=2, rebuttal="it is there"),
        PointAnswer(point=9, change="x"),
    ]
    assert [said_of(answer) for answer in existing_answers(answers, 2, ctx)] == [
        {"change": "more data"},
        {"rebuttal": "it is there"},
    ]
    assert ctx.changed == ("1 answer to a review point that does not exist was ignored",)
