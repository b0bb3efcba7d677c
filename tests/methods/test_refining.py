"""Refining a plan in rounds: what is sent, what stays dismissed, and whose points are whose
(COI-15)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coi_tui.model.content import ExperimentPlan
from coi_tui.model.document import Table, listing
from coi_tui.model.experiment_plans import STUB, words_of
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
from coi_tui.present.plain_text import parts
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, version_at
from tests.support.script import HashModel, Say, reply_to

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
    desk.finish(desk.planner.to_refine("1/exp", query))
    desk.model.say["coi_review"] = first


def review(desk: Desk) -> None:
    desk.finish(desk.planner.to_check("review", "1/exp"))


def sent(desk: Desk, prompt: str = "coi_refine") -> list[str]:
    """The points in the last request of a prompt."""
    points: Any = desk.model.of(prompt)[-1].values["points"]
    return [p["point"] for p in points]


def fates(desk: Desk) -> dict[str, str]:
    state = desk.state
    one = answering(state, 1)
    assert one is not None
    return {p.point: point_status(state, 1, one, p) for p in points_of(state, 1, one.review)}


def adopt(desk: Desk) -> None:
    """Use the newest version of the plan."""
    desk.session.decide("use", "1/exp", desk.state.cell("1/exp").versions[-1])


def plan_in_use(desk: Desk) -> int:
    """The number of the version of the plan in use, counted from 1."""
    version = version_at(desk.session, "1/exp")
    return desk.state.cell("1/exp").versions.index(version.seq) + 1


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
    one = answering(desk.state, 1)
    assert one is not None
    (carried,) = [p for p in points_of(desk.state, 1, one.review) if p.own]
    assert (carried.part, carried.point, carried.n, own) == ("metrics", OWN, 2, 2)
    refine(desk, said(LEAK))
    assert sent(desk) == [OWN]
    assert "The researcher's own points: 1" in last(desk, "coi_refine").user
    assert fates(desk)[OWN] == "ticked", "nothing counts before it is adopted"
    adopt(desk)
    assert fates(desk)[OWN] == "done"
    review(desk)
    assert fates(desk) == {LEAK: "open"}, "what is answered is not asked again"


# -- remarks


def test_a_remark_is_carried_out_only_where_a_person_ticks_it(tmp_path: Path) -> None:
    first = {**said(LEAK), "remarks": [{"part": "effort", "point": JUDGES}]}
    desk = reviewed(tmp_path, first, said(INTERVALS))
    state = desk.state
    review_in_use = state.in_use("1/review")
    assert review_in_use is not None
    assert [p.point for p in points_to_answer(state, 1, review_in_use)] == [LEAK]
    assert fates(desk) == {LEAK: "open", JUDGES: "remark"}
    desk.session.decide("tick", "1/review", 1)
    refine(desk, said(INTERVALS))
    adopt(desk)
    assert fates(desk) == {LEAK: "done", JUDGES: "remark"}
    assert "Not addressed" not in desk.session.exports.text("md", WITH_APPENDIX)
    desk.session.decide("tick", "1/review", 2)
    assert fates(desk)[JUDGES] == "not addressed"


def test_a_run_refines_nothing_for_remarks_alone(tmp_path: Path) -> None:
    only = {"points": [], "remarks": said(LEAK)["points"]}
    model = HashModel({"coi_review": lambda _: only})
    desk = Desk.new(tmp_path, BOUNDS.model_copy(update={"refine_rounds": 2}), model)
    assert desk.run().state == "done"
    assert (len(plans(desk)), len(desk.model.of("coi_refine"))) == (1, 0)


# -- a refinement is not longer than its plan


def lengths(desk: Desk) -> list[int]:
    """Words of each version of the plan."""
    state = desk.state
    return [words_of(state.content(state.versions[one], ExperimentPlan)) for one in plans(desk)]


def written(*words: int) -> Say:
    """A model's refinements, each of so many words in its parts."""
    left = iter(words)

    def say(request: ChatRequest) -> dict[str, Any]:
        reply = reply_to(request)
        claims = reply["claims"][:1]
        parts = dict.fromkeys(("decisive", "rival", "baselines", "metrics", "effort"), "word")
        known = 5 + sum(len(f"{c['claim']} refuted if {c['refuted_if']}".split()) for c in claims)
        design = " ".join(["word"] * (next(left) - known))
        return {**reply, "claims": claims, **parts, "design": design}

    return say


def with_a_plan(folder: Path, words: int, rounds_: int = 0) -> Desk:
    model = HashModel(
        {"coi_review": lambda _: said(LEAK, scored=6), "coi_experiment": written(words)}
    )
    return Desk.new(folder, BOUNDS.model_copy(update={"refine_rounds": rounds_}), model)


def test_one_that_is_longer_is_asked_for_again_and_then_not_used(tmp_path: Path) -> None:
    desk = with_a_plan(tmp_path, 200, 3)
    desk.model.say["coi_refine"] = written(260, 230)
    assert desk.run("proposal").state == "done"
    first, again = desk.model.of("coi_refine")
    assert first.values["words"] == 180
    assert again.reask is not None
    assert "260 words, where 200 are the most." in again.reask[1]
    assert (lengths(desk), plan_in_use(desk)) == ([200, 230], 1)
    assert len(desk.model.of("coi_review")) == 1, "what is not used is not reviewed"
    (waits,) = desk.state.cell("1/exp").beside.values()
    assert waits == "rolled back: it is longer than the plan before it"
    assert desk.content("1/proposal")["title"], "the run goes on"


@pytest.mark.long
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    plan=st.integers(20, 600),
    first=st.integers(20, 900),
    second=st.integers(20, 900),
)
def test_no_refinement_in_use_is_longer_than_its_plan(
    tmp_path_factory: pytest.TempPathFactory, plan: int, first: int, second: int
) -> None:
    desk = with_a_plan(tmp_path_factory.mktemp("plan"), plan, 1)
    desk.model.say["coi_experiment"] = written(plan, plan)
    desk.model.say["coi_refine"] = written(first, second)
    desk.run()
    used = lengths(desk)[plan_in_use(desk) - 1]
    taken = next((words for words in (first, second) if words <= max(plan, STUB)), None)
    assert used == (plan if taken is None else taken)
    desk.session.close()


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
    state = desk.state
    assert plan_in_use(desk) == 1
    made = state.versions[state.cell("1/exp").versions[-1]]
    held = scored_as(state, made)
    assert held is not None
    assert (held.before, held.after) == (6.0, float(scored))
    assert outcome(held) == comes_to
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
    return desk.state.cell("1/exp").versions


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
    state = desk.state
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


@pytest.mark.parametrize(
    ("abstract", "read"),
    [
        ("The leaderboard is old. Entries leak. Answers repeat. Training is long.", 0),
        ("Nobody minds. Leaderboard entries leak into training data.", 1),
    ],
)
def test_a_paper_is_read_where_one_sentence_bears_on_the_phrase(
    tmp_path: Path, abstract: str, read: int
) -> None:
    """Its words spread over an abstract are no fact."""
    desk = reviewed(tmp_path, said(LEAK, search="leaderboard entries leaked answers training"))
    desk.session.decide("tick", "1/review", 1)
    found = next(one for one in desk.source.world.papers if one not in desk.state.papers)
    papers = desk.source.world.papers
    changed = papers[found].model_copy(update={"abstract": abstract})
    desk.source.world = replace(desk.source.world, papers={**papers, found: changed})
    desk.source.finds = lambda _: [found]
    refine(desk)
    assert len(desk.model.of("coi_facts")) == read
