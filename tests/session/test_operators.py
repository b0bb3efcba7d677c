"""An operator on an idea of each of the six methods: its row, its lineage in tree, explanation and
export, what grows stale with it, its match with its parent, and the way back."""

from pathlib import Path
from typing import cast

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.derived import OPERATORS
from coi_tui.model.content import IdeaContent
from coi_tui.present.snapshot import ProposalOptions
from coi_tui.session.session import Session
from coi_tui.session.wording import note, sentence
from tests.session.test_five_methods import made, open_at
from tests.support.desk import Desk, stale

__all__ = ["made"]

ONE_OF_EACH = ["1", "S1/1", "N1/1", "V1/1", "E1/1", "O1/1"]
CHILD = "D1/1"


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    desk = Desk.copied(made, tmp_path)
    path = desk.closed()
    return open_at(path)


def changed(session: Session, address: str) -> None:
    """A person changes one facet of an idea."""
    session.edits.save(address, session.edits.part_alone(address, "mechanism", "another way"))


def go(desk: Desk, until: str) -> None:
    plan = desk.planner.to_stage(until, Scope((CHILD,), instance="D1"))
    desk.finish(plan)


@pytest.mark.parametrize("parent", ONE_OF_EACH)
def test_an_operator_on_an_idea_of_each_method(desk: Desk, parent: str) -> None:
    session = desk.session
    session.edits.save("means", "one laptop, three months")
    before = desk.contents()
    session.decide("derive", f"{parent}/idea", {"operator": "simplify"})
    go(desk, "ideas")
    child, lineage = f"{CHILD}/idea", f"simplify of {parent}"
    rows = {row.address: row for row in session.rows()}
    assert lineage in rows[child].source
    assert lineage in f"{note(rows[child])} {sentence(rows[child])}"
    assert any(f"{parent}/idea" in line for line in session.why(child))
    assert child in session.readers(f"{parent}/idea")
    for every in (True, False):
        options = ProposalOptions(appendix=True, every_idea=every)
        assert lineage in session.exports.text("md", options)
    sample = desk.model.requests[-1].values["others"]
    others = {str(row["title"]) for row in cast("list[dict[str, str]]", sample)}
    assert len(others) > 1, "it is shown a sample of the other ideas"
    assert str(before[f"{parent}/idea"]["title"]) not in others
    assert child not in stale(desk)

    go(desk, "novelty")
    assert session.freshness(f"{CHILD}/nov").ok
    changed(session, f"{parent}/idea")
    assert child in stale(desk)
    assert f"{CHILD}/nov" in stale(desk), "with the child its novelty is stale"
    session.undo()
    assert stale(desk) == set()
    changed(session, child)
    assert f"{CHILD}/nov" in stale(desk)
    assert child not in stale(desk)
    assert f"{parent}/idea" not in stale(desk)
    session.undo()

    compared = str(session.document(child))
    go(desk, "selection")
    matches = [a for a in session.state.cells if a.startswith("A/") and CHILD in a]
    assert len(matches) == 1
    assert parent in matches[0]
    assert str(session.document(child)) != compared, "a match alone says whether it is better"
    while session.undo_labels()[0] and CHILD[:2] in session.state.instances:
        session.undo()
    assert not [row for row in session.rows() if row.address.startswith("D1")]
    assert {a: c for a, c in desk.contents().items() if a in before} == before


@pytest.mark.parametrize("operator", [name for name in OPERATORS if name != "move"])
def test_every_operator_takes_ideas_of_any_method(desk: Desk, operator: str) -> None:
    session = desk.session
    session.edits.save("means", "one laptop, three months")
    value = {"operator": operator} | ({"other": "N1/1"} if operator == "combine" else {})
    session.decide("derive", "S1/2/idea", value)
    go(desk, "ideas")
    assert session.state.read(f"{CHILD}/idea", IdeaContent)
