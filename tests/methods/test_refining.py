"""Refining a plan in rounds: what is sent, what stays dismissed, and whose points are whose (COI-15)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coi_tui.llm.types import ChatRequest
from coi_tui.model.errors import UsageError
from coi_tui.model.reviewing import fate, points_of, rounds, says_the_same
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel, reply_to

BOUNDS = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1, "refine_rounds": 0})
LEAK = "Rule out that the model has seen the test data."
JUDGES = "Hire thirty judges for the comparison."
JUDGES_AGAIN = "For the comparison, hire thirty judges."
INTERVALS = "Give intervals for every figure."
OWN = "report the cost of each idea"


def said(*points: str) -> dict[str, Any]:
    return {"points": [{"part": "metrics", "point": point} for point in points]}


def reviewed(folder: Path, *reviews: dict[str, Any], refined: dict[str, Any] | None = None) -> Desk:
    """A session with a plan and its first review; each further review gives the next of the replies."""
    replies = iter(reviews)
    model = HashModel({"coi_review": lambda _: next(replies), "coi_refine": lambda r: {**reply_to(r), **(refined or {})}})
    desk = Desk.new(folder, BOUNDS, model)
    assert desk.run().state == "done"
    return desk


def refine(desk: Desk) -> None:
    assert asyncio.run(desk.go(desk.session.planner.to_refine("1/exp"))).state == "done"


def review(desk: Desk) -> None:
    assert asyncio.run(desk.go(desk.session.planner.to_review("1/exp"))).state == "done"


def sent(desk: Desk, prompt: str = "coi_refine") -> list[str]:
    """The points in the last request of a prompt."""
    points: Any = desk.model.of(prompt)[-1].values["points"]
    return [p["point"] for p in points]


def fates(desk: Desk) -> dict[str, str]:
    state = desk.session.state
    one = rounds(state, 1)[-1]
    return {p.point: fate(state, 1, one, p) for p in points_of(state, 1, one.review)}


def test_nothing_ticked_sends_nothing_and_says_so(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK, JUDGES))
    requests = len(desk.model.requests)
    with pytest.raises(UsageError, match="no review point is ticked"):
        desk.session.planner.to_refine("1/exp")
    desk.session.judgements.mark_point(1, 1, "tick")
    plan = desk.session.planner.to_refine("1/exp")
    desk.session.judgements.mark_point(1, 1, "untick")
    outcome = asyncio.run(desk.go(plan))
    assert "nothing is sent" in outcome.failed["1/exp"]
    assert len(desk.model.requests) == requests


def test_a_dismissed_point_stays_dismissed_when_a_later_review_raises_it_again(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK, JUDGES), said(JUDGES_AGAIN, INTERVALS))
    session = desk.session
    session.judgements.mark_point(1, 1, "tick")
    session.judgements.mark_point(1, 2, "dismiss", "no budget")
    refine(desk)
    assert sent(desk) == [LEAK]
    review(desk)
    assert fates(desk) == {JUDGES_AGAIN: "dismissed", INTERVALS: "open"}
    lines = session.queries.review_points(1)
    assert [(p.mark, p.reason, p.before) for p in lines] == [("dismissed", "no budget", "v1"), ("", "", "")]
    assert "no budget" in session.exports.text("md")
    session.judgements.mark_point(1, 2, "tick")
    refine(desk)
    assert sent(desk) == [INTERVALS]


def test_a_point_dismissed_before_is_taken_up_by_a_tick(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(JUDGES), said(JUDGES_AGAIN), said(JUDGES))
    desk.session.judgements.mark_point(1, 1, "dismiss", "no budget")
    review(desk)
    assert fates(desk) == {JUDGES_AGAIN: "dismissed"}
    desk.session.judgements.mark_point(1, 1, "tick")
    assert fates(desk) == {JUDGES_AGAIN: "ticked"}
    review(desk)
    assert fates(desk) == {JUDGES: "open"}, "the newest decision about the point counts"


def test_two_rounds_keep_own_points_until_the_plan_answers_them(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK), said(INTERVALS), said(LEAK))
    judgements = desk.session.judgements
    own = judgements.add_point(1, f"metrics: {OWN}").value["point"]["n"]
    judgements.mark_point(1, 1, "tick")
    refine(desk)
    assert sent(desk) == [LEAK], "only what is ticked is sent"
    review(desk)
    (carried,) = [p for p in points_of(desk.session.state, 1, rounds(desk.session.state, 1)[-1].review) if p.own]
    assert (carried.part, carried.point, carried.n, own) == ("metrics", OWN, 2, 2)
    judgements.mark_point(1, carried.n, "tick")
    refine(desk)
    assert sent(desk) == [OWN]
    assert "The researcher's own points: 1" in last(desk, "coi_refine").user
    assert fates(desk)[OWN] == "done"
    review(desk)
    assert fates(desk) == {LEAK: "open"}, "what is answered is not asked again"


def test_an_own_point_that_was_dismissed_is_not_carried_on(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK), said(INTERVALS))
    own = desk.session.judgements.add_point(1, OWN).value["point"]["n"]
    desk.session.judgements.mark_point(1, own, "dismiss")
    review(desk)
    assert fates(desk) == {INTERVALS: "open"}


def last(desk: Desk, prompt: str) -> ChatRequest:
    return desk.model.of(prompt)[-1]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (JUDGES, JUDGES_AGAIN, True),
        (JUDGES, "Hire thirty judges for every comparison.", True),
        (JUDGES, INTERVALS, False),
        ("Report 3 seeds.", "Report 5 data sets.", False),
        ("", "", False),
    ],
)
def test_points_in_nearly_the_same_words_are_the_same(one: str, other: str, same: bool) -> None:
    assert says_the_same(one, other) is same
    assert says_the_same(other, one) is same


def test_a_rebuttal_is_shown_with_its_reason_and_an_own_point_is_asked_again(tmp_path: Path) -> None:
    answers = [{"point": 1, "part": "metrics", "change": "Seeds were added."}, {"point": 2, "rebuttal": "Cost is the same for all."}]
    desk = reviewed(tmp_path, said(LEAK), said(INTERVALS), refined={"answers": [*answers, {"point": 2}]})
    own = desk.session.judgements.add_point(1, OWN).value["point"]["n"]
    for number in (1, own):
        desk.session.judgements.mark_point(1, number, "tick")
    refine(desk)
    assert fates(desk) == {LEAK: "done", OWN: "rebutted"}
    assert "Cost is the same for all." in desk.session.exports.text("md")
    made = desk.content("1/exp")
    assert made["answers"] == answers
    review(desk)
    assert fates(desk) == {INTERVALS: "open", OWN: "open"}
