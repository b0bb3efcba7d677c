"""Sketches: where they come from, which are worked out, what falls, and what makes them stale."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from coi_tui.engine.budget import Budget
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.sketches import (
    BEFORE,
    assigned,
    in_order,
    picked,
    sketches,
    to_work_out,
    turned_down,
)
from coi_tui.methods.wall import Wall
from coi_tui.model.content import WorkedOutIdea
from coi_tui.model.document import Table
from coi_tui.model.errors import UsageError
from coi_tui.model.text import digest
from coi_tui.present.snapshot import ProposalOptions
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.session.queries.wall import arranged
from coi_tui.session.session import Session
from tests.support.desk import FULL, SMALL, Desk, made_once, run, stale
from tests.support.script import HashModel, reply_to
from tests.support.world import MemorySource

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
    state = desk.session.state
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
    state = desk.session.state
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
    made = desk.session.state.in_use("W1/ranking")
    assert made is not None
    assert any("1 group was not judged" in one for one in made.recipe["changes"])
    assert set(desk.session.state.ideas()) == {1, 2, "W1/1"}


def test_sketches_of_one_call_that_come_one_by_one_are_asked_for_once(tmp_path: Path) -> None:
    """A run was stopped between them, or a server answers one call at a time."""
    desk = _new(tmp_path)
    run(desk, "rivals")
    for n in (1, 2, 3):
        asyncio.run(desk.go(desk.session.planner.to_make([f"W1/farthest{n}"], "Make one")))
    assert {f"W1/farthest{n}" for n in (1, 2, 3)} <= {*sketches(desk.session.state)}
    calls = desk.session.file.calls()
    assert sum(call.prompt == "sketches" for call in calls) == 1


def test_a_headless_run_works_out_the_best_of_each_branch_and_of_the_rest(desk: Desk) -> None:
    run(desk, "ideas")
    state = desk.session.state
    best = in_order(state)
    for branch, sketch in assigned(state).items():
        rivals = [
            one for one in best if one.startswith(f"{branch}/" if branch in (1, 2) else "W1/")
        ]
        assert sketch == rivals[0]
    assert to_work_out(state) == [1, 2, "W1/1"]
    assert set(state.ideas()) == {1, 2, "W1/1"}
    assert not stale(desk)


def test_the_n_best_are_worked_out_where_that_is_asked_for(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SKETCHED.model_copy(update={"work_out": 2}))
    desk.session.add_method(Wall.name, {"branches": 2})
    run(desk, "ideas")
    state = desk.session.state
    best = in_order(state)[:2]
    assert {assigned(state)[branch] for branch in state.ideas()} == set(best)


def test_only_what_a_person_picked_is_worked_out_and_no_judge_is_asked(desk: Desk) -> None:
    desk.session.decide("pick", "2/sketch3")
    run(desk, "ideas")
    assert desk.session.state.ideas() == [2]
    assert assigned(desk.session.state)[2] == "2/sketch3"
    assert "sketch_ranking" not in desk.model.sent


def test_sketches_of_no_branch_and_second_ones_of_a_branch_get_branches_of_the_wall(
    desk: Desk,
) -> None:
    session = desk.session
    session.decide("work_out", "1/sketch1", ["1/sketch1", "1/sketch2", "W1/free3"])
    asyncio.run(desk.go(session.planner.to_work_out(picked(session.state))))
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
    asyncio.run(desk.go(desk.session.planner.to_sketch()))
    session, entries = desk.session, len(desk.session.journal.entries)
    assert "1 of 4 sketches were" in desk.content("W1/more1.2")["note"]
    for address in ("W1/more1.2", "1/dir"):
        with pytest.raises(UsageError, match="only a sketch that has a text is worked out"):
            session.work_out(["W1/free1", address])
    assert len(session.journal.entries) == entries
    assert not picked(session.state)


def test_a_sketch_that_falls_gives_way_to_the_next_one_and_says_why(desk: Desk) -> None:
    run(desk, "ideas")
    best = assigned(desk.session.state)[1]
    title = desk.content(best)["title"]
    desk.model.say["work_out"] = falling(title)
    desk.refresh(["1/idea"], again=True)
    run(desk, "ideas")
    state = desk.session.state
    assert state.cell(best).fell == "a counterexample"
    assert assigned(state)[1] != best
    idea = state.read("1/idea", WorkedOutIdea)
    assert idea is not None
    assert idea.holds == "holds"
    (row,) = [one for one in desk.session.sketch_wall().rows if one.address == best]
    assert (row.standing, row.reason) == ("fell", "a counterexample")
    asyncio.run(desk.go(desk.session.planner.to_sketch()))
    seen = cast("Any", desk.model.of("sketches")[-1].values["rejected"])
    assert [(one["title"], one["reason"]) for one in seen] == [(title, "a counterexample")]


@pytest.mark.parametrize("falls", ["", "W1/"])
def test_a_run_goes_on_to_its_proposal_where_sketches_fall(desk: Desk, falls: str) -> None:
    """The works nearest to a sketch that fell were left stale, and no idea was ever compared."""
    every = [a for a in sketches(desk.session.state) if a.startswith(falls)]
    desk.model.say["work_out"] = falling(*(desk.content(one)["title"] for one in every))
    outcome = desk.run("proposal")
    assert outcome.state == "done", desk.session.failed
    assert any(one.endswith("/proposal") for one in desk.session.state.cells)
    assert not stale(desk)


def test_where_everything_falls_the_last_text_stays_and_says_so(desk: Desk) -> None:
    every = [desk.content(one)["title"] for one in sketches(desk.session.state)]
    desk.model.say["work_out"] = falling(*every)
    run(desk, "ideas")
    state = desk.session.state
    idea = state.read("1/idea", WorkedOutIdea)
    assert idea is not None
    assert idea.holds == "falls"
    assert len(state.cell("1/idea").versions) == 3


def test_an_edited_direction_makes_only_the_sketches_of_its_branch_stale(desk: Desk) -> None:
    desk.session.edits.save("1/dir", "Another direction.")
    found = desk.marks()["stale"]
    assert {f"1/sketch{n}" for n in range(1, 5)} <= found
    assert not any(a.startswith(("2/sketch", "W1/")) for a in found)


def test_a_new_hunch_makes_what_saw_it_stale(desk: Desk) -> None:
    session = desk.session
    session.decide("settings", "session", {"send_hunch": True})
    found = desk.marks()["stale"]
    assert {f"W1/{lens}{n}" for lens in ("free", "elsewhere") for n in range(1, 5)} <= found
    assert not any(a.startswith("W1/farthest") for a in found)


def test_more_sketches_see_what_was_picked_and_rejected_with_the_reason(desk: Desk) -> None:
    session = desk.session
    session.decide("pick", "W1/free1")
    session.decide("reject", "W1/free2", reason="nobody would use it")
    asyncio.run(desk.go(session.planner.to_sketch()))
    (request,) = desk.model.of("sketches")
    assert [one["title"] for one in cast("Any", request.values["picked"])] == [
        desk.content("W1/free1")["title"]
    ]
    assert [one["reason"] for one in cast("Any", request.values["rejected"])] == [
        "nobody would use it"
    ]
    assert {f"W1/more1.{n}" for n in range(1, 5)} <= set(sketches(session.state))
    asyncio.run(desk.go(session.planner.to_sketch("W1/free3")))
    assert desk.content("W1/free3")["title"] in desk.model.of("sketches")[-1].user
    assert "W1/more2.1" in sketches(session.state)
    assert not stale(desk)


def test_the_judges_order_is_hidden_until_a_sketch_is_picked_or_it_is_asked_for(desk: Desk) -> None:
    session = desk.session
    asyncio.run(desk.go(session.planner.to_rank()))
    assert not any(row.place for row in session.sketch_wall().rows)
    shown = session.sketch_wall(reveal=True)
    assert sorted(row.place for row in shown.rows) == [*range(1, 20)]
    session.decide("pick", "W1/free1")
    assert session.sketch_wall().shown


def test_a_sketch_that_is_added_costs_only_its_own_groups(desk: Desk) -> None:
    session = desk.session
    asyncio.run(desk.go(session.planner.to_rank()))
    first = len(desk.model.of("sketch_ranking"))
    session.edits.save("W1/own1", "## title\nMine\n\n## sentence\nA thought of mine.")
    asyncio.run(desk.go(session.planner.to_rank()))
    assert len(desk.model.of("sketch_ranking")) - first < first


def test_a_run_of_all_methods_counts_the_wall(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, FULL)
    desk.session.add_method(Wall.name)
    plan = desk.session.planner.to_stage("review")
    outcome = asyncio.run(desk.go(plan))
    assert outcome.state == "done"
    assert len(desk.model.sent) <= plan.calls[1]


def test_a_paper_without_a_link_gives_its_place_to_the_next_candidate_once(tmp_path: Path) -> None:
    """The machine tries again by itself; a person's choice stays."""
    desk = Desk.new(tmp_path, SKETCHED.model_copy(update={"branches": 1}))
    desk.model.say["coi_trend"] = lambda request: reply_to(request) | {"linked": False}
    run(desk, "trends")
    state = desk.session.state
    gone = [item for item in Chains.of(state).shelf if item.kind == "rejected"]
    assert {item.pos for item in gone} == {-1, 1}
    assert all(item.reason for item in gone)
    assert Chains.of(state).chain(1) == [-1, 0, 1], "others stand there now"
    assert len(gone) == 2, "each place is tried once more, and no more often"
    assert not {one for one in stale(desk) if ".." in one}, "others are compared there now"
    desk.session.decide("accept", "1/+1")
    run(desk, "ideas")
    assert len(Chains.of(desk.session.state).shelf) == len(Chains.of(state).shelf)


@pytest.mark.parametrize("operator", ["combine", "simplify", "unusual", "negate"])
def test_operators_on_sketches_make_sketches(desk: Desk, operator: str) -> None:
    session = desk.session
    other = {"other": "W1/free2"} if operator == "combine" else {}
    made = session.decide("derive", "1/sketch1", {"operator": operator, **other})
    asyncio.run(desk.go(session.planner.to_derive(made.address)))
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
    edits = desk.session.edits
    assert desk.session.has_view("1/dir")
    assert edits.row_change("1/dir", "1", "reject") is None
    edits.change_row("1/dir", "1", "accept")
    assert desk.content("1/dir")["text"] == "Ask first. Everybody would use it."
    desk.session.undo()
    assert desk.content("1/dir")["text"] != "Ask first. Everybody would use it."


def test_a_sketch_of_ones_own_may_be_written_where_there_is_none(desk: Desk) -> None:
    address = desk.session.resolve(desk.session.free_own_sketch())
    desk.session.edits.save(address, "## title\nMine\n\n## sentence\nA thought.")
    (row,) = [one for one in desk.session.sketch_wall().rows if one.address == address]
    assert (row.sketch.title, row.by_you) == ("Mine", True)


def test_ranking_and_works_are_read_as_tables(desk: Desk) -> None:
    asyncio.run(desk.go(desk.session.planner.to_rank()))
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
    rest = [one for one in sketches(desk.session.state) if one not in best]
    every = [str(desk.content(one)["title"]) for one in (*best, *rest)]

    def judge(request: ChatRequest) -> dict[str, Any]:
        rows = sorted(
            cast("Any", request.values["sketches"]), key=lambda row: every.index(row["title"])
        )
        return reply_to(request) | {"order": [row["id"] for row in rows]}

    desk.model.say["sketch_ranking"] = judge
    run(desk, "ideas")
    state = desk.session.state
    assert in_order(state)[:3] == best
    assert [assigned(state)[b] for b in (1, "W1/1", 2)] == best
    assert len(desk.model.of("sketch_ranking")) <= 14


def test_undo_takes_back_a_combination(desk: Desk) -> None:
    session = desk.session
    before = session.state.settings_of("W1")
    made = session.decide("derive", "1/sketch1", {"operator": "combine", "other": "W1/free2"})
    asyncio.run(desk.go(session.planner.to_derive(made.address)))
    rows = session.sketch_wall().rows
    session.undo()
    assert session.state.settings_of("W1") == before
    assert "W1/made1" not in sketches(session.state)
    session.redo()
    assert session.sketch_wall().rows == rows


# -- works that sketches name


def test_works_named_are_looked_up_and_invented_ones_are_marked_wherever_they_are_shown(
    tmp_path: Path,
) -> None:
    """Of the four of a lens two are real, one has its words in another order, one was invented."""
    desk = _new(tmp_path)
    known = desk.world.papers
    real = iter(sorted(paper.title for paper in known.values()))

    def finds(query: str) -> list[str]:
        words = sorted(query.split())
        meant = [one for one, paper in known.items() if sorted(paper.title.split()) == words]
        return meant or list(desk.world.middle[:8])

    desk.source = MemorySource(desk.world, finds=finds)
    said: dict[str, str] = {}

    def sketched(request: ChatRequest) -> dict[str, Any]:
        reply = reply_to(request)
        rows = [dict(reply["sketches"][0], title=f"{request.values['lens']} {n}") for n in range(4)]
        for n, row in enumerate(rows):
            title = next(real)
            kind = ("found", "found", "found otherwise", "not found")[n]
            names = {
                "found otherwise": " ".join(title.split()[::-1]),
                "not found": f"Nobody wrote {title[::-1]}",
            }
            row["nearest"] = names.get(kind, title)
            said[row["nearest"]] = kind
        return reply | {"sketches": rows}

    desk.model.say["sketches"] = sketched
    run(desk, "sketches")
    rows = desk.content("W1/named")["works"]
    assert len(rows) == len(sketches(desk.session.state))
    wrong = [(row["title"], row["status"]) for row in rows if said[row["title"]] != row["status"]]
    assert not wrong
    invented = [row["sketch"] for row in rows if said[row["title"]] == "not found"]
    for row in desk.session.sketch_wall().rows:
        assert ("not found" in row.nearest) == (row.address in invented), row.nearest
    for one in invented[:3]:
        asyncio.run(desk.go(desk.session.work_out([one])))
        prompt = desk.model.of("work_out")[-1]
        assert desk.content(one)["nearest"] in cast("Any", prompt.values["missing"])
    for row in rows:  # the sketch itself, wherever it is read
        text = marked_in(desk.session, row["sketch"])
        assert (f"“{row['title']}”: {row['status']}" in text) == (row["status"] != "found"), text


def marked_in(session: Session, address: str) -> str:
    """What is marked at an address as named and no paper of the session."""
    parts = session.detail(address).parts
    return next((said for head, said in parts if head.startswith("Unverified")), "")


INVENTED = "Kettles That Remember Their Users"


def naming(field: str) -> Any:
    """A model whose text names the invented work."""

    def say(request: ChatRequest) -> dict[str, Any]:
        reply = reply_to(request)
        return reply | {field: f"{reply[field]}\n\nIt goes further than “{INVENTED}”."}

    return say


def test_a_nearest_work_that_was_invented_is_marked_in_the_idea_and_in_the_references(
    tmp_path: Path,
) -> None:
    desk = _new(tmp_path)
    known = desk.world.papers

    def finds(query: str) -> list[str]:
        return [] if query == INVENTED else list(desk.world.middle[:8])

    def sketched(request: ChatRequest) -> dict[str, Any]:
        reply = reply_to(request)
        return reply | {"sketches": [dict(one, nearest=INVENTED) for one in reply["sketches"]]}

    desk.source = MemorySource(desk.world, finds=finds)
    desk.model.say |= {
        "sketches": sketched,
        "work_out": naming("final"),
        "coi_proposal": naming("text"),
    }
    run(desk, "proposal")
    session = desk.session
    assert INVENTED not in {paper.title for paper in known.values()}
    (best,) = {
        one.removesuffix("/proposal") for one in session.state.cells if one.endswith("/proposal")
    }
    idea, proposal = f"{best}/idea", f"{best}/proposal"
    marked = f"“{INVENTED}”: not found"
    rows = next(block.rows for block in session.document("W1/named") if isinstance(block, Table))
    assert {row.cells[1:] for row in rows} == {("not found", INVENTED)}
    for address in (idea, proposal):
        assert marked in marked_in(session, address), address
    for kind in ("md", "html", "tex"):
        text = session.exports.text(kind)
        references = text[text.index("not confirmed") :]
        assert INVENTED in references, kind
        assert "not found" in references, kind
    pandoc = session.exports.text("md", ProposalOptions(citations="pandoc"))
    assert marked in pandoc[pandoc.index("not confirmed") :]
    assert INVENTED not in session.exports.text("bib")
    assert INVENTED in json.loads(session.exports.text("json"))["unverified"]


def test_the_judges_groups_do_not_depend_on_who_was_answered_first(tmp_path: Path) -> None:
    """Law 9: a lens that is slow leaves the order as it is."""
    found = []
    for slow in ("sketch", "free"):

        def delay(request: ChatRequest, lens: str = slow) -> float:
            return 0.2 if request.values.get("lens") == lens else 0.0

        desk = Desk.new(tmp_path / slow, SKETCHED, HashModel(delay=delay))
        desk.session.add_method(Wall.name)
        run(desk, "ideas")
        found.append([group["shown"] for group in desk.content("W1/ranking")["groups"]])
    assert all(sorted(one) == sorted(found[0]) for one in found)


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


def test_sketches_that_were_not_compared_with_each_other_have_equal_points(desk: Desk) -> None:
    session = desk.session
    session.decide("better", "W1/free2", "1/sketch1")
    session.decide("better", "W1/free3", "1/sketch2")
    points = {row.address: row.votes for row in session.sketch_wall().rows if row.votes}
    assert points["W1/free2"] == points["W1/free3"] > 1000 > points["1/sketch1"]


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


def test_a_vote_on_a_sketch_that_was_taken_back_does_not_count(desk: Desk) -> None:
    session = desk.session
    mine = session.edits.save("W1/own1", "## title\nMine\n\n## sentence\nA thought of mine.")
    session.decide("better", "W1/own1", "W1/free1")
    session.decide("better", "W1/free1", "W1/free2")
    session.revert(mine.seq)
    assert _yours(session) == ["W1/free1", "W1/free2"]


def test_what_an_earlier_session_rejected_is_shown_to_its_lenses(
    desk: Desk, tmp_path: Path
) -> None:
    """And to the session after that one; an undo takes it back."""
    run(desk, "ideas")
    first = desk.session
    chosen = assigned(first.state)[1]
    desk.model.say["work_out"] = falling(desk.content(chosen)["title"])
    desk.refresh(["1/idea"], again=True)
    run(desk, "ideas")
    first.decide("reject", "W1/free2", reason="nobody would use it")
    told = [(one["title"], one["reason"]) for one in turned_down(first.state)]
    assert told == [
        (desk.content(chosen)["title"], "a counterexample"),
        (desk.content("W1/free2")["title"], "nobody would use it"),
    ]
    later = _new(tmp_path / "later")
    later.session.decide("settings", "session", {BEFORE: turned_down(first.state)})
    assert turned_down(later.session.state) == turned_down(first.state)
    run(later, "sketches")
    lenses = {str(one.values["lens"]): one for one in later.model.of("sketches")}
    seen = cast("Any", lenses["free"].values["rejected"])
    assert [(one["title"], one["reason"]) for one in seen] == told
    assert "Rejected because: nobody would use it" in lenses["free"].user
    asyncio.run(later.go(later.session.planner.to_sketch()))
    assert told[0][0] in later.model.of("sketches")[-1].user
    assert len(sketches(later.session.state)) == 19 + 4, "they are no sketches of this wall"
    later.session.undo()
    assert turned_down(later.session.state) == []
