"""What a person decides about entities, papers and ideas of SciPIP."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.methods.ideas.clarify import ASKED
from coi_tui.model.errors import UsageError
from tests.methods.scipip.frogs import desk_of, used
from tests.support.desk import Desk, run


def test_an_idea_that_was_not_edited_keeps_its_title_whatever_colons_it_has(tmp_path: Path) -> None:
    ideas = [{"sources": ["I1"], "title": f"Moss {n}: a study", "text": "Grow it."} for n in (1, 2)]
    desk = desk_of(tmp_path, {"scipip_improve": lambda _: {"ideas": ideas}}, branches=2)
    run(desk)
    text = desk.session.edits.text_of("S1/improved")
    desk.session.edits.save("S1/improved", text.replace("Moss 2", "Sand"))
    assert desk.content("S1/improved")["ideas"][0]["name"] == "Moss 1: a study"
    assert desk.marks()["stale"] == {"S1/2/rivals", "S1/2/idea"}


# -- by a key on a table


def test_an_entity_is_switched_off_and_on_by_key(desk: Desk) -> None:
    edits = desk.session.edits
    names = [row["name"] for row in desk.content("S1/entities")["entities"]]
    key = str(names.index("slow river ice") + 1)
    edits.change_row("S1/entities", key, "reject")
    assert "S1/retrieved" in desk.marks()["stale"]
    desk.refresh(["S1/retrieved"])
    assert "slow river ice" not in desk.content("S1/retrieved")["entities"]
    edits.change_row("S1/entities", key, "accept")
    assert desk.content("S1/entities")["off"] == []
    with pytest.raises(UsageError):
        edits.change_row("S1/entities", "no such entity", "reject")


def test_a_paper_is_dropped_and_another_is_used_by_key(desk: Desk) -> None:
    edits, before = desk.session.edits, used(desk)
    first, last = before[0], desk.content("S1/retrieved")["off"][-1]
    edits.change_row("S1/retrieved", first, "tick")
    edits.change_row("S1/retrieved", last, "accept")
    assert used(desk) == [*before[1:], last]
    assert "S1/records" in desk.marks()["stale"]


def test_a_run_with_questions_first_waits_and_names_them(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, ask_first=True)
    run(desk)
    assert f"S1/1/{ASKED}" in desk.session.shortfall("ideas")
