"""Chains that stay below the minimum never lead."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from coi_tui.methods.ideas.matches import leading
from coi_tui.present.comparisons import arena, arena_leader, played
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


ANCHORS = apart(WORLD.middle, 2)
"""By question."""


def by_question(query: str) -> tuple[str, ...]:
    words = query.split()
    return (ANCHORS[min(int(words[1]), len(ANCHORS) - 1)],) if words[0] == "question" else ()


def desk_with(folder: Path, *short: int, **say: Callable[..., Any]) -> Desk:
    """A session whose questions find one anchor each; nothing around the anchors of the questions
    ``short`` is relevant."""
    refused = [WORLD.papers[p].title for n in short for p in around(ANCHORS[n - 1])]
    model = HashModel({"coi_relevance": relevant_unless(*refused), **say})
    return Desk.new(folder, TWO, model, MemorySource(WORLD, finds=by_question))


def test_an_idea_on_a_short_chain_never_leads_by_itself_but_can_be_picked(tmp_path: Path) -> None:
    always = {"coi_match": lambda r: judged(_first_branch(r))}
    desk = desk_with(tmp_path, 1, **always)
    SHORT.clear()
    desk.run("ideas")
    SHORT.append(desk.content("1/idea")["title"])
    desk.run("review")
    state = desk.state
    assert arena(state)[0].player == 1  # it won every match
    for address in played(state):
        desk.session.decide("show_match", address)
    state = desk.state
    assert arena_leader(state) == "2/idea"
    assert leading(state, [1, 2]) == 2
    assert state.in_use("2/exp") is not None
    assert state.in_use("1/exp") is None
    desk.session.decide("pick", "1/idea")
    desk.run("review")
    assert desk.state.in_use("1/exp") is not None


SHORT: list[str] = []


def _first_branch(request: Any) -> int:
    """The winner by order: the idea on the short chain, whichever place it has."""
    return 0 if request.values["first"]["title"] in SHORT else 1
