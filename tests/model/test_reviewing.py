"""What became of a review point: the claim of a refinement is held against the text of the plan."""

from __future__ import annotations

from typing import Any

import pytest

from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import fold
from coi_tui.model.reviewing import answer, answering, point_status, points_of

PLAN = {"design": "Take one data set.", "metrics": "Accuracy.", "baselines": "Plain search."}


def version(seq: int, address: str, content: dict[str, Any], **more: Any) -> Version:
    return Version(
        seq=seq, actor="coi", address=address, content=content, meanings={}, origin="model", **more
    )


def decision(seq: int, action: Any, value: dict[str, Any], **more: Any) -> Decision:
    return Decision(
        seq=seq,
        actor="you",
        action=action,
        address="1/review",
        value=value,
        group=f"d{seq}",
        **more,
    )


def log(answers: list[dict[str, Any]], after: dict[str, Any], *decisions: Decision) -> list[Any]:
    points = [
        {"n": 1, "part": "metrics", "point": "No test of chance."},
        {"n": 2, "part": "the plan", "point": "Too long."},
    ]
    return [
        version(1, "1/exp", PLAN),
        version(2, "1/review", {"points": points, "of": 1}),
        *decisions,
        version(9, "1/exp", {**after, "answers": answers}, parents=(1,), recipe={"review": 2}),
    ]


@pytest.mark.parametrize(
    ("answers", "after", "fates"),
    [
        ([], PLAN, ["not addressed", "not addressed"]),
        ([{"point": 1, "change": "A test was added."}], PLAN, ["not addressed", "not addressed"]),
        (
            [{"point": 1, "change": "A test was added."}],
            {**PLAN, "metrics": "Accuracy, with a test."},
            ["done", "not addressed"],
        ),
        (
            [{"point": 1, "change": "A test was added."}],
            {**PLAN, "design": "Take two."},
            ["not addressed", "not addressed"],
        ),
        (
            [{"point": 1, "part": "design", "change": "Now in the design."}],
            {**PLAN, "design": "Take two."},
            ["done", "not addressed"],
        ),
        (
            [{"point": 2, "change": "Shorter."}],
            {**PLAN, "baselines": "None."},
            ["not addressed", "done"],
        ),
    ],
)
def test_check_33_a_claimed_change_must_stand_in_the_part_it_is_about(
    answers: list[dict[str, Any]], after: dict[str, Any], fates: list[str]
) -> None:
    state = fold(log(answers, after))
    one = answering(state, 1)
    assert one is not None
    assert one.plan is not None
    assert [point_status(state, 1, one, p) for p in points_of(state, 1, one.review)] == fates


def test_a_point_of_ones_own_counts_like_the_reviewers_and_is_undone() -> None:
    added = decision(
        3, "add", {"version": 2, "point": {"n": 3, "part": "metrics", "point": "Report the cost."}}
    )
    ticked = decision(4, "tick", {"version": 2, "point": 3})
    entries = log([], PLAN, added, ticked)
    state = fold(entries)
    assert [p.n for p in points_of(state, 1, state.versions[2])] == [1, 2, 3]
    assert state.points == {(1, 2, 3): "ticked"}
    taken_back = Decision(
        seq=10, actor="you", action="undo", address="1/review", undoes="d3", group="d10"
    )
    state = fold([*entries, taken_back])
    assert [p.n for p in points_of(state, 1, state.versions[2])] == [1, 2]
    assert state.points == {}, (
        "a tick on a point that was taken back says nothing of the next one with its number"
    )
    assert [why for _, why in state.void] == ["the review has no point 3"]


def test_dismissed_points_stay_dismissed_whatever_the_plan_claims() -> None:
    dismissed = decision(3, "dismiss", {"version": 2, "point": 1}, reason="no budget")
    state = fold(
        log([{"point": 1, "change": "Done in metrics."}], {**PLAN, "metrics": "More."}, dismissed)
    )
    one = answering(state, 1)
    assert one is not None
    assert point_status(state, 1, one, points_of(state, 1, one.review)[0]) == "dismissed"


def outcome_of(answer: dict[str, Any], after: dict[str, Any]) -> str:
    state = fold(log([answer], after))
    one = answering(state, 1)
    assert one is not None
    return point_status(state, 1, one, points_of(state, 1, one.review)[0])


def test_a_rebuttal_is_no_change_and_has_its_reason() -> None:
    said = {"point": 1, "rebuttal": "Each run is exact, so nothing is left to chance."}
    assert outcome_of(said, PLAN) == "rebutted"
    assert outcome_of(said, {**PLAN, "metrics": "Accuracy, with a test."}) == "rebutted"
    state = fold(log([said], PLAN))
    one = answering(state, 1)
    assert one is not None
    assert answer(state, one, points_of(state, 1, one.review)[0]).rebuttal == said["rebuttal"]


def test_the_part_that_an_answer_names_is_where_the_change_must_be() -> None:
    said = {"point": 1, "part": "design", "change": "The metrics are tested now."}
    assert outcome_of(said, {**PLAN, "metrics": "Accuracy, with a test."}) == "not addressed"
    assert outcome_of(said, {**PLAN, "design": "Take two."}) == "done"
