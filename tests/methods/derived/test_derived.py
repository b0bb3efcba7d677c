"""Ideas made from ideas: rows with their parents, stale with them, and better only after a match."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.base.reads import FACETS
from coi_tui.model.errors import UsageError
from tests.support.desk import Desk, copy_of


def derive(desk: Desk, operator: str, of: str = "1/idea", **value: Any) -> str:
    """The branch of the idea that an operator made."""
    made = desk.session.decide("derive", of, {"operator": operator, **value})
    branch = f"{made.address}/1"
    plan = desk.planner.to_stage("ideas", Scope((branch,), instance=made.address))
    desk.finish(plan)
    return branch


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path, "small", "ideas")


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
    assert "Derived" not in desk.planner.methods_to_add()
    with pytest.raises(UsageError):
        desk.session.add_method("Derived")
