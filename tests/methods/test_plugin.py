"""A method from a package in one session with Chain of Ideas: its ideas are ideas like any other."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from coi_sketch.method import SPEC

from coi_tui.engine.declarations import Scope
from coi_tui.methods import registry
from coi_tui.prompts import loader
from coi_tui.services.llm import offline
from tests.support.desk import SMALL, Desk
from tests.support.script import HashModel, shown

SAYS = {
    "sketch_background": lambda request: {
        "text": f"Known: {shown(request)}.",
        "gaps": [f"gap {n}" for n in (1, 2, 3)],
    },
    "sketch_idea": lambda request: {
        **dict.fromkeys(("summary", "problem", "mechanism", "evaluation", "setting"), "Short."),
        "title": f"Sketch {request.values['gap']}",
        "final": f"Close {request.values['gap']}.",
    },
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A finished run of Chain of Ideas, with the method added and run up to its ideas."""
    monkeypatch.setattr(registry, "METHODS", dict(registry.METHODS))
    monkeypatch.setattr(loader, "ADDED", [])
    monkeypatch.setattr(offline, "DRAFTS", dict(offline.DRAFTS))
    registry.register(SPEC)
    desk = Desk.new(tmp_path, SMALL, HashModel(SAYS))
    desk.run("novelty")
    assert desk.session.add_method("sketch") == "K1"
    outcome = asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="K1"))))
    assert outcome.state == "done", outcome
    return desk


def test_it_has_rows_and_a_menu_of_its_own_beside_those_of_the_chain(desk: Desk) -> None:
    rows = {row.address: row.title for row in desk.session.queries.rows()}
    assert {"1/0", "1/idea", "K1", "K1/background", "K1/hits", "K1/1", "K1/2/nov"} <= rows.keys()
    assert rows["K1/2/idea"] == "Sketch gap 2"
    assert list(rows).index("K1") > list(rows).index("2/idea")
    offers = [o.what for o in desk.session.planner.offers("K1/1/idea")]
    assert offers[:3] == ["background", "search", "ideas"]
    assert not {"one successor", "trends"} & set(offers)


def test_an_edit_of_a_gap_makes_its_own_idea_stale_and_no_other(desk: Desk) -> None:
    text = desk.session.edits.text_of("K1/background")
    desk.session.edits.save("K1/background", text.replace("gap 2", "another gap"))
    assert desk.marks() == {"stale": {"K1/2/idea"}}
    desk.session.undo_stack.undo()
    assert not desk.marks()


def test_its_idea_is_checked_meets_an_idea_of_the_chain_and_leaves_with_its_own_section(
    desk: Desk,
) -> None:
    session = desk.session
    plan = session.planner.to_make(("K1/1/nov", "A/1-K1/1", "K1/1/exp"), "Make")
    assert asyncio.run(desk.go(plan)).state == "done"
    match = desk.content("A/1-K1/1")
    assert (match["first"], match["second"]) == (1, "K1/1")
    assert {1, "K1/1"} <= {s.player for s in session.exports.snapshot().standings}
    session.decide("vote", "A/1-K1/1", {"criteria": ["novelty"], "winner": "K1/1"})
    assert session.state.votes["A/1-K1/1", "novelty"] == "K1/1"
    session.decide("accept", "K1/2/idea")
    data = json.loads(session.exports.text("json"))
    assert data["winner"] == "K1/2"
    assert "K1/background" in data["cells"]
