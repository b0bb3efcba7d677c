"""What a person decides about entities, papers and ideas of SciPIP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.model.document import ROW_KEYS, Table
from coi_tui.model.errors import UsageError
from tests.methods.scipip.frogs import choice, desk_of
from tests.support.desk import Desk, run


def test_an_edit_of_one_improved_idea_touches_that_branch_alone(desk: Desk) -> None:
    text = desk.session.edits.text_of("S1/improved")
    desk.session.edits.save("S1/improved", text.replace("\n- ", "\n- Mine: ", 1))
    assert desk.marks()["stale"] == {"S1/2/rivals", "S1/2/idea"}


def test_an_idea_that_was_not_edited_keeps_its_title_whatever_colons_it_has(tmp_path: Path) -> None:
    ideas = [{"sources": ["I1"], "title": f"Moss {n}: a study", "text": "Grow it."} for n in (1, 2)]
    desk = desk_of(tmp_path, {"scipip_improve": lambda _: {"ideas": ideas}}, branches=2)
    run(desk)
    text = desk.session.edits.text_of("S1/improved")
    desk.session.edits.save("S1/improved", text.replace("Moss 2", "Sand"))
    assert desk.content("S1/improved")["ideas"][0]["name"] == "Moss 1: a study"
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
