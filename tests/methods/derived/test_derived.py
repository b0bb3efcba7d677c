"""Ideas made from ideas: rows with their parents, stale with them, and better only after a match."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.base.reads import FACETS
from coi_tui.methods.derived import OPERATORS
from coi_tui.model.content import IdeaContent
from coi_tui.model.errors import UsageError
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import Desk, copy_of


def derive(desk: Desk, operator: str, of: str = "1/idea", **value: Any) -> str:
    """The branch of the idea that an operator made."""
    made = desk.session.decide("derive", of, {"operator": operator, **value})
    branch = f"{made.address}/1"
    plan = desk.session.planner.to_stage("ideas", Scope((branch,), instance=made.address))
    assert asyncio.run(desk.go(plan)).state == "done", desk.session.failed
    return branch


def sent(desk: Desk) -> ChatRequest:
    return next(r for r in reversed(desk.model.requests) if r.prompt == "derive")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small", "ideas")


@pytest.mark.parametrize(
    "operator", [name for name in OPERATORS if name not in ("combine", "move")]
)
def test_an_operator_makes_a_row_of_its_own_with_its_parent(desk: Desk, operator: str) -> None:
    desk.session.edits.save("means", "one laptop, three months")
    branch = derive(desk, operator)
    state = desk.session.state
    assert state.read(f"{branch}/idea", IdeaContent)
    assert sent(desk).values["operator"] == operator
    rows = {row.address: row for row in desk.session.rows()}
    assert f"{operator} of 1" in rows[f"{branch}/idea"].source
    assert state.in_use(f"{branch}/nov") is None
    assert "1/idea" in {name.partition("#")[0] for name in state.in_use(f"{branch}/idea").inputs}  # type: ignore[union-attr]


def test_the_child_follows_its_parents_and_no_other_idea(desk: Desk) -> None:
    branch = derive(desk, "combine", other="2")
    assert len(cast("list[object]", sent(desk).values["parents"])) == 2
    fresh = desk.session.freshness
    assert fresh(f"{branch}/idea").ok
    third = derive(desk, "negate")
    assert sent(desk).values["others"], "the other ideas are a sample"
    desk.session.edits.save(f"{branch}/idea", "## Title\nNew\n\n## Final\nAnother text.")
    assert fresh(f"{third}/idea").ok
    desk.session.edits.save("2/idea", "## Title\nNew\n\n## Final\nAnother text.")
    assert fresh(f"{third}/idea").ok
    desk.session.edits.save("1/idea", "## Title\nNew\n\n## Final\nAnother text.")
    assert fresh(f"{third}/idea").status == "stale"


def test_what_is_locked_stays_as_the_parent_has_it(desk: Desk) -> None:
    branch = derive(desk, "move", change="mechanism")
    parent, child = (desk.content(f"{at}/idea") for at in ("1", branch))
    same = {facet for facet in FACETS if parent[facet] == child[facet]}
    assert same == set(FACETS) - {"mechanism"}


@pytest.mark.parametrize(
    "value",
    [
        {"operator": "shrink"},
        {"operator": "combine"},
        {"operator": "combine", "other": "1"},
        {"operator": "combine", "other": "7"},
        {"operator": "feasible"},
        {"operator": "move"},
        {"operator": "move", "change": "title"},
        {},
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    desk: Desk, value: dict[str, Any]
) -> None:
    before = len(desk.session.journal.entries)
    with pytest.raises(UsageError):
        desk.session.decide("derive", "1/idea", value)
    assert len(desk.session.journal.entries) == before


def test_it_is_no_method_to_begin_with_or_to_add(desk: Desk) -> None:
    assert "Derived" not in desk.session.planner.methods_to_add()
    with pytest.raises(UsageError):
        desk.session.add_method("Derived")


def test_the_page_has_the_chains_that_a_derived_idea_goes_back_to(desk: Desk) -> None:
    session = desk.session
    for branch, chains in (
        (derive(desk, "combine", other="2"), 2),
        (derive(desk, "negate", of="D1/1/idea"), 2),
        (derive(desk, "simplify"), 1),
    ):
        session.decide("accept", f"{branch}/idea")
        assert session.exports.text("html").count('<svg class="chain"') == chains
