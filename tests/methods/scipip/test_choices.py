"""What a person decides about entities, papers and ideas of SciPIP."""

from __future__ import annotations

from typing import Any

import pytest

from coi_tui.model.document import ROW_KEYS, Table
from coi_tui.model.errors import UsageError
from coi_tui.present.text import parts
from tests.methods.scipip.frogs import choice
from tests.support.desk import Desk, run


def test_an_edit_of_the_problem_makes_only_what_follows_stale(desk: Desk) -> None:
    desk.session.edits.save("S1/problem", "## text\nMy own problem.\n\n## reasons\n- mine\n")
    marks = {a for found in desk.marks().values() for a in found}
    assert {"S1/first", "S1/filtered", "S1/improved", "S1/1/idea"} <= marks
    assert not {"S1/records", "S1/retrieved", "S1/brainstorm", "S1/background"} & marks
    run(desk)
    desk.refresh()
    assert desk.model.of("scipip_ideas")[-1].values["problem"] == "My own problem."


def test_an_edit_of_one_improved_idea_touches_that_branch_alone(desk: Desk) -> None:
    text = desk.session.edits.text_of("S1/improved")
    desk.session.edits.save("S1/improved", text.replace("\n- ", "\n- Mine: ", 1))
    assert desk.marks()["stale"] == {"S1/2/rivals", "S1/2/idea"}


# -- by a key on a table


def marks(desk: Desk, address: str) -> dict[str, str]:
    """The words that the rows of a table have beside their last column, by their keys."""
    view = desk.session.queries.listing(address)
    assert isinstance(view, Table)
    return {row.key: str(row.cells[-2]) for row in view.rows}


def words_of(desk: Desk, address: str, row: str) -> dict[str, str]:
    """What the keys would do on a row."""
    found = {key: desk.session.edits.row_change(address, row, key) for key in ROW_KEYS}
    return {key: change.word for key, change in found.items() if change is not None}


def test_an_entity_is_switched_off_and_on_by_key_under_any_of_its_names(desk: Desk) -> None:
    edits, row = desk.session.edits, "slow river ice"
    assert words_of(desk, "S1/entities", row) == {"tick": "switch off", "reject": "switch off"}
    edits.change_row("S1/entities", row, "reject")
    assert desk.content("S1/choice")["entities_off"] == [row]
    assert marks(desk, "S1/entities")[row] == "off"
    assert "S1/retrieved" in desk.marks()["stale"]
    edits.save("S1/choice", choice(entities_off="Slow River Ices"))
    edits.change_row("S1/entities", row, "accept")
    assert desk.content("S1/choice")["entities_off"] == []
    assert "S1/retrieved" not in desk.marks().get("stale", set())
    with pytest.raises(UsageError):
        edits.change_row("S1/entities", "no such entity", "reject")


def test_a_paper_is_unticked_pinned_and_ticked_again_by_key(desk: Desk) -> None:
    edits, found = desk.session.edits, desk.content("S1/retrieved")
    first, last = found["picked"][0], found["papers"][-1]["paper"]
    edits.change_row("S1/retrieved", first, "tick")
    edits.change_row("S1/retrieved", last, "pin")
    assert {marks(desk, "S1/retrieved")[paper] for paper in (first, last)} == {"unticked", "pinned"}
    desk.refresh(["S1/retrieved"])
    picked = desk.content("S1/retrieved")["picked"]
    assert picked[0] == last
    assert first not in picked
    edits.change_row("S1/retrieved", first, "pin")
    assert desk.content("S1/choice")["papers_off"] == [], "what is pinned is ticked"
    edits.change_row("S1/retrieved", last, "reject")
    assert desk.content("S1/choice")["pinned"] == [first], "what is unticked is pinned no longer"


def test_merged_papers_are_shown(desk: Desk) -> None:
    view = desk.session.queries.listing("S1/retrieved")
    assert isinstance(view, Table)
    told = {row.key: dict(parts(row.blocks)) for row in view.rows}
    assert told["arXiv:20.00"]["Merged with"] == desk.session.state.papers["arXiv:20.01"].title


def test_three_ideas_are_kept_by_key_with_their_texts_as_they_are(desk: Desk) -> None:
    kept = desk.content("S1/filtered")["kept"]
    gone = desk.content("S1/filtered")["judged"][-1]["name"]
    for text in kept[2:]:
        desk.session.edits.change_row("S1/filtered", text, "reject")
    desk.session.edits.change_row("S1/filtered", gone, "accept")
    assert desk.content("S1/filtered")["kept"] == [*kept[:2], gone]
    assert marks(desk, "S1/filtered")[gone] == "stays"
    desk.refresh(["S1/improved"])
    asked: Any = desk.model.of("scipip_improve")[-1].values
    assert [idea["text"] for idea in asked["ideas"]] == [*kept[:2], gone]
