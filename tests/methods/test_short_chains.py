"""Chains that stay below the minimum: replaced by the next question where nobody decided anything,
else reported; they never lead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.methods.shared.ideas import leading
from coi_tui.model.entries import Decision
from coi_tui.session.queries.comparisons import arena, arena_leader, matches
from tests.support.desk import FULL, Desk
from tests.support.script import HashModel, judged, relevant_unless
from tests.support.world import MemorySource, make_world

WORLD = make_world(first=1980, last=2024, per_year=3)
TWO = FULL.model_copy(update={"branches": 2})


def around(paper: str) -> set[str]:
    """What cites a paper, and what it cites."""
    return {*WORLD.cited_by(paper), *WORLD.cites[paper]}


def apart(papers: Sequence[str], number: int) -> list[str]:
    """The first papers that share no neighbour with one before them, and are none themselves."""
    found: list[str] = []
    for paper in papers:
        if not any(around(paper) & ({other} | around(other)) for other in found):
            found.append(paper)
    return found[:number]


ANCHORS = apart(WORLD.middle, 3)
"""By question; the further questions find the last one's too."""


def by_question(query: str) -> tuple[str, ...]:
    words = query.split()
    return (ANCHORS[min(int(words[1]), len(ANCHORS) - 1)],) if words[0] == "question" else ()


def desk_with(
    folder: Path, *short: int, bounds: CoiSettings = TWO, **say: Callable[..., Any]
) -> Desk:
    """A session whose questions find one anchor each; nothing around the anchors of the questions
    ``short`` is relevant."""
    refused = [WORLD.papers[p].title for n in short for p in around(ANCHORS[n - 1])]
    model = HashModel({"coi_relevance": relevant_unless(*refused), **say})
    return Desk.new(folder, bounds, model, MemorySource(WORLD, finds=by_question))


def by_machine(desk: Desk, action: str) -> list[Decision]:
    return [d for d in desk.session.core.decision_log() if d.action == action and d.actor == "coi"]


def test_a_short_chain_that_nobody_touched_is_replaced_by_the_next_question(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, 1)
    most = desk.session.planner.to_stage("review").calls[1]
    assert desk.run().state == "done"
    state = desk.session.state
    assert state.parked == {1}
    assert state.branches_of("") == [1, 2, 3]
    assert state.slot("3/0").paper == ANCHORS[2]
    assert len(state.chain(3)) == 5
    assert state.in_use("1/dir") is None
    assert state.in_use("3/idea") is not None
    assert state.in_use("A/2-3") is not None
    assert (
        desk.model.sent.count("coi_questions") == 1
    )  # the next question was asked for with the others
    assert len(desk.model.requests) <= most
    (parked,) = by_machine(desk, "park")
    assert parked.address == "1"
    assert parked.reason == "its chain has 1 paper, fewer than 3; question 3 takes its place"


def accept(desk: Desk) -> None:
    desk.session.decisions.accept("1/0")


def edit_question(desk: Desk) -> None:
    desk.session.edits.save("Q1", "question 0 in my words")


def note(desk: Desk) -> None:
    desk.session.decisions.note("1/0", "read this first")


def reject_and_put_back(desk: Desk) -> None:
    desk.session.decisions.reject("1/0", "too old")


@pytest.mark.parametrize("decide", [accept, edit_question, note, reject_and_put_back])
def test_a_branch_in_which_somebody_decided_something_is_reported_instead(
    tmp_path: Path, decide: Callable[[Desk], None]
) -> None:
    desk = desk_with(tmp_path, 1)
    desk.run("anchors")
    decide(desk)
    desk.run("ideas")
    assert desk.session.state.parked == frozenset()
    assert desk.session.state.branches_of("") == [1, 2]


def test_at_most_one_branch_is_replaced_of_equals_the_last_and_the_others_are_reported(
    tmp_path: Path,
) -> None:
    desk = desk_with(tmp_path, 1, 2)
    desk.run("review")
    state = desk.session.state
    assert state.parked == {2}  # anchors are given out in the order of the branches, the best first
    assert state.branches_of("") == [1, 2, 3]
    assert (
        desk.session.queries.short_chains()
        == "Short of 3 papers: branch 1 (1 paper); its idea leads the arena only if you choose it."
    )


def test_a_replaced_branch_comes_back_where_the_next_question_brought_no_longer_chain(
    tmp_path: Path,
) -> None:
    desk = desk_with(tmp_path, 2, 3)
    most = desk.session.planner.to_stage("review").calls[1]
    assert desk.run().state == "done"
    state = desk.session.state
    assert [len(state.chain(b)) for b in (2, 3)] == [1, 1]
    assert state.parked == {3}
    assert state.in_use("2/idea") is not None
    assert state.in_use("3/dir") is None
    assert len(desk.model.requests) <= most
    assert [d.address for d in by_machine(desk, "park")] == ["2", "3"]
    (back,) = by_machine(desk, "unpark")
    assert back.address == "2"
    assert (
        back.reason
        == "the chain of branch 3 came to no more papers than that of branch 2, which is taken up again"
    )
    desk.session.decisions.park(2)
    desk.session.decisions.unpark(3)
    desk.run("cards")
    assert desk.session.state.parked == {2}  # a person's choice between the two stands


def test_a_branch_without_an_anchor_is_replaced_where_another_has_one(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, bounds=TWO.model_copy(update={"anchor_tries": 1}))
    desk.source.empty = lambda query: query.startswith("question 0")
    desk.run("cards")
    state = desk.session.state
    assert state.parked == {1}
    assert len(state.chain(3)) == 5
    (parked,) = by_machine(desk, "park")
    assert parked.reason == "no anchor was found for it; question 3 takes its place"


def test_an_idea_on_a_short_chain_never_leads_by_itself_but_can_be_picked(tmp_path: Path) -> None:
    always = {"coi_match": lambda r: judged(_first_branch(r))}
    desk = desk_with(tmp_path, 1, bounds=TWO.model_copy(update={"replacements": 0}), **always)
    SHORT.clear()
    desk.run("ideas")
    SHORT.append(desk.content("1/idea")["title"])
    desk.run("review")
    state = desk.session.state
    assert arena(state)[0].player == 1  # it won every match
    for address in matches(state):
        desk.session.judgements.open_match(address)
    state = desk.session.state
    assert arena_leader(state) == "2/idea"
    assert leading(state, [1, 2]) == 2
    assert state.in_use("2/exp") is not None
    assert state.in_use("1/exp") is None
    desk.session.decisions.pick("1/idea")
    desk.run("review")
    assert desk.session.state.in_use("1/exp") is not None


SHORT: list[str] = []


def _first_branch(request: Any) -> int:
    """The winner by order: the idea on the short chain, whichever place it has."""
    return 0 if request.values["first"]["title"] in SHORT else 1


def test_where_every_chain_is_short_no_idea_leads_and_the_end_says_so(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, 1, 2, bounds=TWO.model_copy(update={"replacements": 0}))
    desk.run("review")
    state = desk.session.state
    assert state.in_use("A/1-2") is not None
    desk.session.judgements.open_match("A/1-2")
    assert arena_leader(desk.session.state) == ""
    assert leading(state, [1, 2]) is None
    assert not [a for a in state.cells if a.endswith("/exp")]
    said = desk.session.queries.shortfall("review")
    assert said.startswith("Choose an idea to go on, or give a branch more papers: ")
    assert "no idea leads" in said
    assert (
        desk.session.planner.to_stage("review").calls[0] == 0
    )  # no plan of an experiment is counted
