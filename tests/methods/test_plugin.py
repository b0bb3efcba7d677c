"""A method from a package in one session with Chain of Ideas: its ideas are ideas like any other."""

from __future__ import annotations

import asyncio
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


def test_an_edit_of_a_gap_makes_its_own_idea_stale_and_no_other(desk: Desk) -> None:
    rows = {row.address: row.title for row in desk.session.rows()}
    assert rows["K1/2/idea"] == "Sketch gap 2"
    text = desk.session.edits.text_of("K1/background")
    desk.session.edits.save("K1/background", text.replace("gap 2", "another gap"))
    assert desk.marks() == {"stale": {"K1/2/idea"}}
    desk.session.undo()
    assert not desk.marks()
