"""Refining a plan in rounds: what is sent, what stays dismissed, and whose points are whose
(COI-15)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from coi_tui.model.document import Table, listing
from coi_tui.model.reviewing import (
    CRITERIA,
    answering,
    in_words,
    outcome,
    point_status,
    points_of,
    points_to_answer,
    says_the_same,
)
from coi_tui.model.reviewing import scored as scored_as
from coi_tui.present.cells import BOXES
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.present.text import parts
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel, reply_to

BOUNDS = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1, "refine_rounds": 0})
LEAK = "Rule out that the model has seen the test data."
JUDGES = "Hire thirty judges for the comparison."
JUDGES_AGAIN = "For the comparison, hire thirty judges."
INTERVALS = "Give intervals for every figure."
OWN = "report the cost of each idea"


def said(*points: str, scored: int = 0, search: str = "") -> dict[str, Any]:
    scores = {"scores": dict.fromkeys(CRITERIA, scored)} if scored else {}
    return {
        "points": [{"part": "metrics", "point": point, "search": search} for point in points],
        **scores,
    }


def reviewed(folder: Path, *reviews: dict[str, Any], refined: dict[str, Any] | None = None) -> Desk:
    """A session with a plan and its first review; each further review that is asked for gives the
    next of the replies."""
    replies = iter(reviews)
    model = HashModel(
        {
            "coi_review": lambda _: next(replies),
            "coi_refine": lambda r: {**reply_to(r), **(refined or {})},
        }
    )
    desk = Desk.new(folder, BOUNDS, model)
    assert desk.run().state == "done"
    return desk


def refine(desk: Desk, second: dict[str, Any] | None = None, query: str | None = None) -> None:
    """Refine as a person asks for it; ``second`` is what the second review says."""
    first = desk.model.say["coi_review"]
    desk.model.say["coi_review"] = lambda _: second or said()
    assert asyncio.run(desk.go(desk.session.planner.to_refine("1/exp", query))).state == "done"
    desk.model.say["coi_review"] = first


def review(desk: Desk) -> None:
    assert asyncio.run(desk.go(desk.session.planner.to_check("review", "1/exp"))).state == "done"


def sent(desk: Desk, prompt: str = "coi_refine") -> list[str]:
    """The points in the last request of a prompt."""
    points: Any = desk.model.of(prompt)[-1].values["points"]
    return [p["point"] for p in points]


def fates(desk: Desk) -> dict[str, str]:
    state = desk.session.state
    one = answering(state, 1)
    assert one is not None
    return {p.point: point_status(state, 1, one, p) for p in points_of(state, 1, one.review)}


def adopt(desk: Desk) -> None:
    """Use the newest version of the plan."""
    desk.session.decide("adopt", "1/exp", desk.session.state.cell("1/exp").versions[-1])


def plan_in_use(desk: Desk) -> int:
    """The number of the version of the plan in use, counted from 1."""
    version = desk.session.state.in_use("1/exp")
    assert version is not None
    return desk.session.state.cell("1/exp").versions.index(version.seq) + 1


def test_a_dismissed_point_stays_dismissed_when_a_later_review_raises_it_again(
    tmp_path: Path,
) -> None:
    desk = reviewed(tmp_path, said(LEAK, JUDGES), said(JUDGES_AGAIN, INTERVALS))
    session = desk.session
    session.decide("tick", "1/review", 1)
    session.decide("dismiss", "1/review", 2, reason="no budget")
    refine(desk)
    assert sent(desk) == [LEAK]
    review(desk)
    assert fates(desk) == {JUDGES_AGAIN: "dismissed", INTERVALS: "open"}
    table = listing(session.document("1/review"))
    assert isinstance(table, Table)
    dismissed, other = table.rows
    assert [row.cells[0] for row in (dismissed, other)] == [BOXES["dismissed"], "[ ]"]
    status = dict(parts(dismissed.blocks))["Status"]
    assert "no budget" in status
    assert "review v1" in status
    assert "no budget" in session.exports.text("md", WITH_APPENDIX)
    session.decide("tick", "1/review", 2)
    refine(desk)
    assert sent(desk) == [INTERVALS]


def test_two_rounds_keep_own_points_until_the_plan_answers_them(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK))
    decide = desk.session.decide
    own = decide("add", "1/review", f"metrics: {OWN}").value["point"]["n"]
    assert fates(desk) == {LEAK: "open", OWN: "ticked"}, "one's own is sent without a further key"
    decide("tick", "1/review", 1)
    decide("untick", "1/review", own)
    refine(desk, said(INTERVALS))
    assert sent(desk) == [LEAK], "only what is ticked is sent"
    adopt(desk)
    asked = len(desk.model.of("coi_review"))
    review(desk)
    assert len(desk.model.of("coi_review")) == asked, (
        "the second review is the first of the next round"
    )
    one = answering(desk.session.state, 1)
    assert one is not None
    (carried,) = [p for p in points_of(desk.session.state, 1, one.review) if p.own]
    assert (carried.part, carried.point, carried.n, own) == ("metrics", OWN, 2, 2)
    refine(desk, said(LEAK))
    assert sent(desk) == [OWN]
    assert "The researcher's own points: 1" in last(desk, "coi_refine").user
    assert fates(desk)[OWN] == "ticked", "nothing counts before it is adopted"
    adopt(desk)
    assert fates(desk)[OWN] == "done"
    review(desk)
    assert fates(desk) == {LEAK: "open"}, "what is answered is not asked again"


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


# -- a refinement that was asked for waits beside the plan


@pytest.mark.parametrize(
    ("scored", "comes_to"), [(8, "better"), (6, "as good"), (4, "rolled back")]
)
def test_a_refinement_stands_beside_the_plan_with_what_a_second_review_says(
    tmp_path: Path, scored: int, comes_to: str
) -> None:
    desk = reviewed(tmp_path, said(LEAK, scored=6))
    desk.session.decide("tick", "1/review", 1)
    refine(desk, said(JUDGES, scored=scored))
    state = desk.session.state
    assert plan_in_use(desk) == 1
    made = state.versions[state.cell("1/exp").versions[-1]]
    held = scored_as(state, made)
    assert held is not None
    assert (held.before, held.after) == (6.0, float(scored))
    assert outcome(held.before, held.after) == comes_to
    assert in_words(held) in state.cell("1/exp").beside[made.seq]
    asked = desk.model.of("coi_review")[-1]
    assert asked.values["experiment"]["design"] == made.content["design"]  # type: ignore[index]
    assert "answers" not in asked.user, "the second review sees the plan and no claims"
    adopt(desk)
    assert plan_in_use(desk) == 2
    assert in_words(held).capitalize() in desk.session.exports.text("md", WITH_APPENDIX)
    desk.session.undo()
    assert plan_in_use(desk) == 1


def plans(desk: Desk) -> tuple[int, ...]:
    return desk.session.state.cell("1/exp").versions


@pytest.mark.parametrize(("query", "searched"), [("words of mine", ["words of mine"]), ("", [])])
def test_the_words_that_a_person_gave_are_searched_for_and_no_others(
    tmp_path: Path, query: str, searched: list[str]
) -> None:
    desk = reviewed(tmp_path, said(LEAK))
    desk.session.decide("tick", "1/review", 1)
    before = len(desk.source.asked)
    refine(desk, query=query)
    assert len(desk.source.asked) - before == len(searched)
    assert desk.session.state.versions[plans(desk)[-1]].content["support"]["queries"] == searched


# -- a run of stages follows the second review


def run_of(folder: Path, rounds_: int, *scores: int) -> Desk:
    """A run with so many rounds; each plan that is reviewed for the first time gets the next
    score."""
    given: dict[str, int] = {}
    left = iter(scores)

    def answer(request: ChatRequest) -> dict[str, Any]:
        plan: Any = request.values["experiment"]
        if plan["design"] not in given:
            given[plan["design"]] = next(left)
        return said(f"mend {plan['design']}", scored=given[plan["design"]])

    desk = Desk.new(
        folder,
        BOUNDS.model_copy(update={"refine_rounds": rounds_}),
        HashModel({"coi_review": answer}),
    )
    assert desk.run().state == "done"
    return desk


@pytest.mark.parametrize(
    ("scores", "made", "used"),
    [
        ((5, 7, 8, 9), 4, 4),
        ((5, 7, 6), 3, 2),
        ((5, 4), 2, 1),
        ((5, 5, 5, 4), 4, 3),
    ],
)
def test_a_lower_score_rolls_back_and_the_plan_in_use_is_the_best_seen(
    tmp_path: Path, scores: tuple[int, ...], made: int, used: int
) -> None:
    desk = run_of(tmp_path, 3, *scores)
    assert (len(plans(desk)), plan_in_use(desk)) == (made, used)
    assert scores[used - 1] == max(scores)
    state = desk.session.state
    for number, seq in enumerate(plans(desk), start=1):
        assert state.cell("1/exp").beside.get(seq, "").startswith("rolled back") == (number > used)
    reviews = len(desk.model.of("coi_review"))
    assert reviews == made, "the second review of a round is the first of the next"
    desk.run()
    assert (len(plans(desk)), len(desk.model.of("coi_review"))) == (made, reviews), (
        "another run asks for nothing more"
    )
    if used < made:
        assert "rolled back" in "\n".join(desk.session.why("1/exp"))


def test_the_second_review_sees_papers_that_the_refinement_found_by_their_names(
    tmp_path: Path,
) -> None:
    """They are not in the session before the refinement is."""
    desk = reviewed(tmp_path, said(LEAK, search="rows"))
    desk.session.decide("tick", "1/review", 1)
    desk.model.say["coi_facts"] = lambda _: {"facts": ["It has 400 rows."]}
    found = next(one for one in desk.source.world.papers if one not in desk.session.state.papers)
    desk.source.finds = lambda _: [found]

    def cites_what_was_found(request: ChatRequest) -> dict[str, Any]:
        (facts,) = cast("list[dict[str, str]]", request.values["facts"])
        return {**reply_to(request), "design": f"[{facts['label']}] has the rows."}

    desk.model.say["coi_refine"] = cites_what_was_found
    refine(desk)
    second = desk.model.of("coi_review")[-1].user
    assert found not in second
    assert f"[{desk.session.state.papers[found].short()}] has the rows." in second


def test_an_own_point_does_not_narrow_what_a_run_answers(tmp_path: Path) -> None:
    desk = reviewed(tmp_path, said(LEAK, INTERVALS))
    decide, session = desk.session.decide, desk.session
    decide("add", "1/review", f"metrics: {OWN}")

    def answered() -> list[str]:
        review = session.state.in_use("1/review")
        assert review is not None
        return [point.point for point in points_to_answer(session.state, 1, review)]

    assert answered() == [LEAK, INTERVALS, OWN]
    decide("tick", "1/review", 2)
    assert answered() == [INTERVALS, OWN], "what the person ticked, and their own"
    decide("untick", "1/review", 3)
    assert answered() == [INTERVALS]
