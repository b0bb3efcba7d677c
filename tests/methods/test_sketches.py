"""Sketches: where they come from, which are worked out, what falls, and what makes them stale."""

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.sketches import (
    assigned,
    in_order,
    picked,
    sketches,
)
from coi_tui.methods.wall import Wall
from coi_tui.model.content import WorkedOutIdea
from coi_tui.model.errors import UsageError
from coi_tui.model.text import digest
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.session.queries.wall_rows import arranged
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, chains, made_once, run, stale, version_at
from tests.support.script import reply_to

SKETCHED = SMALL.model_copy(update={"one_call": False})


def _new(folder: Path) -> Desk:
    desk = Desk.new(folder, SKETCHED, hunch="a hunch")
    desk.session.add_method(Wall.name)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A session that was run to its sketches."""

    def make(folder: Path) -> Desk:
        made = _new(folder)
        run(made, "sketches")
        return made

    return Desk.copied(made_once("sketched", make), tmp_path)


def falling(*titles: str) -> Any:
    """A model that finds that the sketches of these titles fall."""

    def say(request: ChatRequest) -> dict[str, Any]:
        falls = cast("Any", request.values["sketch"])["title"] in titles
        return reply_to(request) | ({"holds": "falls", "why": "a counterexample"} if falls else {})

    return say


def test_a_run_to_sketches_asks_each_lens_once_and_no_judge(desk: Desk) -> None:
    state = desk.state
    found = Counter(address.rstrip("0123456789") for address in sketches(state))
    assert found == {
        "1/sketch": 4,
        "2/sketch": 4,
        "W1/free": 4,
        "W1/elsewhere": 4,
        "W1/farthest": 3,
    }
    calls = desk.session.file.calls()
    assert sum(call.prompt == "sketches" for call in calls) == 5
    assert not any(call.prompt in ("sketch_ranking", "work_out") for call in calls)
    assert not stale(desk)


@pytest.mark.parametrize("broken", ["coi_direction", "free", "elsewhere"])
def test_what_fails_holds_back_no_other_sketch(tmp_path: Path, broken: str) -> None:
    """A direction of a weak model ends at the length limit: the other branch and the wall go on."""
    first: list[str] = []

    def say(request: ChatRequest) -> Any:
        asked = digest(dict(request.values))
        if not first and broken in (request.prompt, request.values.get("lens")):
            first.append(asked)
        return {} if asked in first else reply_to(request)

    desk = _new(tmp_path)
    desk.model.say |= dict.fromkeys(("coi_direction", "sketches"), say)
    outcome = desk.run("proposal")
    state = desk.state
    assert outcome.failed
    there = Counter(address.rstrip("0123456789") for address in sketches(state))
    assert there["W1/farthest"] == 3
    assert len(there) == 4
    assert {"W1/named", "W1/ranking"} <= {a for a in state.cells if state.in_use(a)}
    assert len(state.ideas()) == (2 if broken == "coi_direction" else 3)
    assert any(a.endswith("/proposal") for a in state.cells if state.in_use(a))


def test_a_group_that_cannot_be_read_costs_its_group_and_not_the_ideas(desk: Desk) -> None:
    first: list[str] = []

    def say(request: ChatRequest) -> Any:
        asked = digest(dict(request.values))
        first.append(asked)
        return {} if asked == first[0] else reply_to(request)

    desk.model.say["sketch_ranking"] = say
    run(desk, "ideas")
    made = version_at(desk.session, "W1/ranking")
    assert any("1 group was not judged" in one for one in made.recipe["changes"])
    assert set(desk.state.ideas()) == {1, 2, "W1/1"}


def test_the_n_best_are_worked_out_where_that_is_asked_for(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SKETCHED.model_copy(update={"work_out": 2}))
    desk.session.add_method(Wall.name, {"branches": 2})
    run(desk, "ideas")
    state = desk.state
    best = in_order(state)[:2]
    assert {assigned(state)[branch] for branch in state.ideas()} == set(best)


def test_only_what_a_person_picked_is_worked_out_and_no_judge_is_asked(desk: Desk) -> None:
    desk.session.decide("pick", "2/sketch3")
    run(desk, "ideas")
    assert desk.state.ideas() == [2]
    assert assigned(desk.state)[2] == "2/sketch3"
    assert "sketch_ranking" not in desk.model.sent


def test_sketches_of_no_branch_and_second_ones_of_a_branch_get_branches_of_the_wall(
    desk: Desk,
) -> None:
    session = desk.session
    session.decide("work_out", "1/sketch1", ["1/sketch1", "1/sketch2", "W1/free3"])
    desk.do(session.planner.to_work_out(picked(session.state)))
    found = assigned(session.state)
    assert {found[b] for b in session.state.ideas()} == {"1/sketch1", "1/sketch2", "W1/free3"}
    assert found[1] == "1/sketch1"
    assert not stale(desk)
    session.undo()
    assert picked(session.state) == []
    session.redo()
    assert len(picked(session.state)) == 3


def test_what_says_nothing_is_not_worked_out_and_leaves_no_pick(desk: Desk) -> None:
    desk.model.say["sketches"] = lambda request: {"sketches": reply_to(request)["sketches"][:1]}
    desk.do(desk.planner.to_sketch())
    session, entries = desk.session, len(desk.session.journal.entries)
    assert "1 of 4 sketches were" in desk.content("W1/more1.2")["note"]
    for address in ("W1/more1.2", "1/dir"):
        with pytest.raises(UsageError, match="only a sketch that has a text is worked out"):
            session.work_out(["W1/free1", address])
    assert len(session.journal.entries) == entries
    assert not picked(session.state)


def test_a_sketch_that_falls_gives_way_to_the_next_one_and_says_why(desk: Desk) -> None:
    run(desk, "ideas")
    best = assigned(desk.state)[1]
    title = desk.content(best)["title"]
    desk.model.say["work_out"] = falling(title)
    desk.refresh(["1/idea"], again=True)
    run(desk, "ideas")
    state = desk.state
    assert state.cell(best).fell == "a counterexample"
    assert assigned(state)[1] != best
    idea = state.read("1/idea", WorkedOutIdea)
    assert idea is not None
    assert idea.holds == "holds"
    (row,) = [one for one in desk.session.sketch_wall().rows if one.address == best]
    assert (row.standing, row.reason) == ("fell", "a counterexample")
    desk.do(desk.planner.to_sketch())
    seen = cast("Any", desk.model.of("sketches")[-1].values["rejected"])
    assert [(one["title"], one["reason"]) for one in seen] == [(title, "a counterexample")]


@pytest.mark.parametrize("falls", ["", "W1/"])
def test_a_run_goes_on_to_its_proposal_where_sketches_fall(desk: Desk, falls: str) -> None:
    """The works nearest to a sketch that fell were left stale, and no idea was ever compared."""
    every = [a for a in sketches(desk.state) if a.startswith(falls)]
    desk.model.say["work_out"] = falling(*(desk.content(one)["title"] for one in every))
    outcome = desk.run("proposal")
    assert outcome.state == "done", desk.session.failed
    assert any(one.endswith("/proposal") for one in desk.state.cells)
    assert not stale(desk)


def test_more_sketches_see_what_was_picked_and_rejected_with_the_reason(desk: Desk) -> None:
    session = desk.session
    session.decide("pick", "W1/free1")
    session.decide("reject", "W1/free2", reason="nobody would use it")
    desk.do(session.planner.to_sketch())
    (request,) = desk.model.of("sketches")
    assert [one["title"] for one in cast("Any", request.values["picked"])] == [
        desk.content("W1/free1")["title"]
    ]
    assert [one["reason"] for one in cast("Any", request.values["rejected"])] == [
        "nobody would use it"
    ]
    assert {f"W1/more1.{n}" for n in range(1, 5)} <= set(sketches(session.state))
    desk.do(session.planner.to_sketch("W1/free3"))
    assert desk.content("W1/free3")["title"] in desk.model.of("sketches")[-1].user
    assert "W1/more2.1" in sketches(session.state)
    assert not stale(desk)


def test_the_judges_order_is_hidden_until_a_sketch_is_picked_or_it_is_asked_for(desk: Desk) -> None:
    session = desk.session
    desk.do(session.planner.to_rank())
    assert not any(row.place for row in session.sketch_wall().rows)
    shown = session.sketch_wall(reveal=True)
    assert sorted(row.place for row in shown.rows) == [*range(1, 20)]
    session.decide("pick", "W1/free1")
    assert session.sketch_wall().shown


def test_a_sketch_that_is_added_costs_only_its_own_groups(desk: Desk) -> None:
    session = desk.session
    desk.do(session.planner.to_rank())
    first = len(desk.model.of("sketch_ranking"))
    session.edits.save("W1/own1", "## title\nMine\n\n## sentence\nA thought of mine.")
    desk.do(session.planner.to_rank())
    assert len(desk.model.of("sketch_ranking")) - first < first


def test_a_paper_without_a_link_gives_its_place_to_the_next_candidate_once(tmp_path: Path) -> None:
    """The machine tries again by itself; a person's choice stays."""
    desk = Desk.new(tmp_path, SKETCHED.model_copy(update={"branches": 1}))
    desk.model.say["coi_trend"] = lambda request: reply_to(request) | {"linked": False}
    run(desk, "trends")
    state = desk.state
    gone = [item for item in Chains.of(state).shelf if item.kind == "rejected"]
    assert {item.pos for item in gone} == {-1, 1}
    assert all(item.reason for item in gone)
    assert Chains.of(state).chain(1) == [-1, 0, 1], "others stand there now"
    assert len(gone) == 2, "each place is tried once more, and no more often"
    assert not {one for one in stale(desk) if ".." in one}, "others are compared there now"
    desk.session.decide("accept", "1/+1")
    run(desk, "ideas")
    assert len(chains(desk.session).shelf) == len(Chains.of(state).shelf)


@pytest.mark.parametrize("operator", ["combine", "simplify", "unusual", "negate"])
def test_operators_on_sketches_make_sketches(desk: Desk, operator: str) -> None:
    session = desk.session
    other = {"other": "W1/free2"} if operator == "combine" else {}
    made = session.decide("derive", "1/sketch1", {"operator": operator, **other})
    desk.do(session.planner.to_derive(made.address))
    child = desk.content("W1/made1")
    assert operator in child["origin"]
    assert "1/sketch1" in child["origin"]
    shown = desk.model.of("sketches")[-1].user
    assert str(desk.content("1/sketch1")["how"]) in shown
    assert "W1/made1" in sketches(session.state)
    session.edits.save("1/sketch1", "## sentence\nAnother.")
    assert session.freshness("W1/made1").status == "stale"
    session.undo()
    assert not stale(desk) - {"W1/named"}


def test_a_sketch_without_facets_is_not_moved(desk: Desk) -> None:
    with pytest.raises(UsageError):
        desk.session.decide("derive", "W1/free1", {"operator": "move", "change": "setting"})


def test_a_candidate_of_the_direction_is_a_row_that_may_take_its_place(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SKETCHED.model_copy(update={"branches": 1}))
    others = [{"name": "Ask first.", "description": "Everybody would use it."}]
    desk.model.say["coi_direction"] = lambda request: reply_to(request) | {"candidates": others}
    run(desk, "directions")
    edits = desk.edits
    assert desk.session.has_view("1/dir")
    assert edits.row_change("1/dir", "1", "reject") is None
    edits.change_row("1/dir", "1", "accept")
    assert desk.content("1/dir")["text"] == "Ask first. Everybody would use it."
    desk.session.undo()
    assert desk.content("1/dir")["text"] != "Ask first. Everybody would use it."


def test_ranking_and_works_are_read_as_tables(desk: Desk) -> None:
    desk.do(desk.planner.to_rank())
    for address in ("W1/ranking", "W1/named"):
        said = str(desk.session.detail(address).parts)
        assert "=" not in said, "no field of a class is shown"
        assert desk.content("1/sketch1")["title"] in said or address == "W1/named"


# -- a stop at any call, and a planted order


def test_a_run_that_is_stopped_after_each_call_asks_nothing_again(tmp_path: Path) -> None:
    """From before the first lens to the last idea that is worked out."""
    desk, stops = _new(tmp_path), 0
    run(desk, "directions")
    while desk.run("ideas", Budget(calls=1)).state != "done":
        stops += 1
        assert stops < 60, "every start gets one call further"
        desk = desk.reopen()
    made = {one.prompt for one in desk.model.requests}
    assert {"sketches", "sketch_ranking", "work_out"} <= made
    assert stops > 15
    assert set(Counter(one.user for one in desk.model.requests).values()) == {1}
    assert not stale(desk)


def test_what_a_judge_finds_strongest_is_worked_out(desk: Desk) -> None:
    best = ["1/sketch3", "W1/elsewhere2", "2/sketch4"]
    rest = [one for one in sketches(desk.state) if one not in best]
    every = [str(desk.content(one)["title"]) for one in (*best, *rest)]

    def judge(request: ChatRequest) -> dict[str, Any]:
        rows = sorted(
            cast("Any", request.values["sketches"]), key=lambda row: every.index(row["title"])
        )
        return reply_to(request) | {"order": [row["id"] for row in rows]}

    desk.model.say["sketch_ranking"] = judge
    run(desk, "ideas")
    state = desk.state
    assert in_order(state)[:3] == best
    assert [assigned(state)[b] for b in (1, "W1/1", 2)] == best
    assert len(desk.model.of("sketch_ranking")) <= 14


# -- works that sketches name


def test_a_run_whose_plan_is_for_a_sketch_of_the_wall_came_to_its_end(desk: Desk) -> None:
    session = desk.session
    session.decide("work_out", "W1/free1", ["W1/free1"])
    run(desk, "proposal")
    assert session.state.in_use("W1/1/proposal") is not None
    assert session.shortfall("proposal") == ""


def _yours(session: Session) -> list[str]:
    """The sketches that were compared, the best first."""
    return [row.address for row in arranged(session.sketch_wall().rows, "votes") if row.votes]


def test_votes_order_the_sketches_beside_the_judge_and_undo_takes_each_back(desk: Desk) -> None:
    """As in the arena: Bradley-Terry over the votes alone."""
    session = desk.session
    assert _yours(session) == []
    for better, worse in (
        ("W1/free2", "1/sketch1"),
        ("1/sketch1", "2/sketch3"),
        ("W1/free2", "W1/free4"),
        ("W1/free4", "1/sketch1"),
    ):
        session.decide("better", better, worse)
    assert _yours(session) == ["W1/free2", "W1/free4", "1/sketch1", "2/sketch3"]
    assert not session.sketch_wall().shown, "a vote does not show the judge's order"
    assert not stale(desk), "and makes nothing stale"
    assert not any(row.address.startswith("A/") for row in session.rows()), "it is no match"
    for _ in range(3):
        session.undo()
    assert _yours(session) == ["W1/free2", "1/sketch1"]
    session.undo()
    assert _yours(session) == []
    session.redo()
    assert _yours(session) == ["W1/free2", "1/sketch1"]


def test_a_later_vote_on_two_sketches_takes_the_place_of_the_earlier_one(desk: Desk) -> None:
    session = desk.session
    session.decide("better", "W1/free2", "W1/free1")
    session.decide("better", "W1/free1", "W1/free2")
    assert _yours(session) == ["W1/free1", "W1/free2"]
    assert len(session.state.votes) == 1
    session.undo()
    assert _yours(session) == ["W1/free2", "W1/free1"]


@pytest.mark.parametrize(
    ("better", "worse"),
    [("W1/free1", "W1/free1"), ("W1/free1", "1/dir"), ("W1/own7", "W1/free1"), ("1/dir", "2/dir")],
)
def test_a_vote_needs_two_sketches(desk: Desk, better: str, worse: str) -> None:
    with pytest.raises(UsageError, match="two sketches"):
        desk.session.decide("better", better, worse)
