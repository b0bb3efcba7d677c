"""What became of a review point: the claim of a refinement is held against the text of the plan."""

from typing import Any

import pytest

from coi_tui.model.entries import Decision
from coi_tui.model.reviewing import answering, point_status, points_of
from tests.support.folding import fold
from tests.support.logs import decision, numbered, version

REBUTTAL = {"point": 1, "rebuttal": "Each run is exact, so nothing is left to chance."}
PLAN = {"design": "Take one data set.", "metrics": "Accuracy.", "baselines": "Plain search."}


def marked(action: str, point: object = 1, **more: Any) -> Decision:
    return decision(action, "1/review", {"version": 2, "point": point}, **more)


def log(answers: list[dict[str, Any]], after: dict[str, Any], *decisions: Decision) -> list[Any]:
    points = [
        {"n": 1, "part": "metrics", "point": "No test of chance."},
        {"n": 2, "part": "the plan", "point": "Too long."},
    ]
    return numbered(
        [
            version("1/exp", PLAN),
            version("1/review", {"points": points, "of": 1}),
            *decisions,
            version("1/exp", {**after, "answers": answers}, parents=(1,), recipe={"review": 2}),
        ]
    )


def statuses(entries: list[Any]) -> list[str]:
    state = fold(entries)
    one = answering(state, 1)
    assert one is not None
    assert one.plan is not None
    return [point_status(state, 1, one, p) for p in points_of(state, 1, one.review)]


@pytest.mark.parametrize(
    ("answers", "after", "expected"),
    [
        ([], PLAN, ["not addressed", "not addressed"]),
        ([REBUTTAL], PLAN, ["rebutted", "not addressed"]),
        ([REBUTTAL], {**PLAN, "metrics": "Accuracy, with a test."}, ["rebutted", "not addressed"]),
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
def test_a_claimed_change_must_be_in_the_part_it_is_about(
    answers: list[dict[str, Any]], after: dict[str, Any], expected: list[str]
) -> None:
    assert statuses(log(answers, after)) == expected


def test_a_point_of_ones_own_counts_like_the_reviewers_and_is_undone() -> None:
    added = marked("add", {"n": 3, "part": "metrics", "point": "Report the cost."})
    entries = log([], PLAN, added, marked("tick", 3))
    state = fold(entries)
    assert [p.n for p in points_of(state, 1, state.versions[2])] == [1, 2, 3]
    assert state.points == {(1, 2, 3): "ticked"}
    state = fold(numbered([*entries, decision("undo", "1/review", undoes="d3")]))
    assert [p.n for p in points_of(state, 1, state.versions[2])] == [1, 2]
    assert state.points == {}, (
        "a tick on a point that was taken back says nothing of the next one with its number"
    )
    assert [seq for seq, _ in state.void] == [4]


def test_dismissed_points_stay_dismissed_whatever_the_plan_claims() -> None:
    claimed = [{"point": 1, "change": "Done in metrics."}]
    after = {**PLAN, "metrics": "More."}
    assert statuses(log(claimed, after, marked("dismiss")))[0] == "dismissed"
