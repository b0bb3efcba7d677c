"""VirSci beside a chain in one session: rows, stale marks, undo, one arena and one export; random
edits of its cells."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.export.options import WITH_APPENDIX
from tests.methods.virsci.support import SETTINGS, crowded
from tests.session.test_stale_of_methods import random_edits_make_their_readers_stale, readers
from tests.session.test_three_methods import instances, replaced
from tests.support.desk import SMALL, Desk, made_once, ran, run, stale
from tests.support.script import HashModel
from tests.support.world import MemorySource


@pytest.fixture(scope="module")
def made() -> Path:
    """The session with two ideas of chains and one of a team; copy it, do not touch it."""
    return made_once("virsci-beside", _with_a_team)


def _with_a_team(folder: Path) -> Desk:
    desk = ran(Desk.new(folder, SMALL, HashModel(), MemorySource(crowded(), lists=True)))
    run(desk, "ideas", desk.session.decisions.add_method("VirSci", SETTINGS))
    return desk


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(crowded(), lists=True))


def test_an_edit_in_the_discussion_makes_nothing_of_the_chains_stale_and_undo_takes_it_back(
    desk: Desk,
) -> None:
    before = desk.contents()
    desk.session.edits.save("V1/said1.2", "Moss, I say.")
    assert instances(stale(desk)) == {"V1"}
    replaced(desk.session, "1/idea", "title", "another title")
    assert not any(
        address.startswith("V1") for address in stale(desk) - readers_of(desk, "V1/said1.2")
    )
    for _ in range(2):
        desk.session.undo_stack.undo()
    assert stale(desk) == set()
    assert desk.contents() == before


def readers_of(desk: Desk, address: str) -> set[str]:
    used = {
        a: v for a in desk.session.state.cells if (v := desk.session.state.in_use(a)) is not None
    }
    return readers(used, {f"{address}#text"})


def test_its_idea_meets_those_of_the_chains_and_stands_in_one_export(desk: Desk) -> None:
    assert desk.session.state.ideas() == [1, 2, "V1/1"]
    assert asyncio.run(desk.go(desk.session.planner.to_judge_rest())).state == "done"
    assert {s.player for s in desk.session.exports.snapshot().standings} == {1, 2, "V1/1"}
    desk.session.decisions.pick("V1/1/idea")
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert text.count("## References") == 1
    assert "The vote" in text
    rows = {row.address: row for row in desk.session.queries.rows()}
    assert rows["V1"].title == "VirSci"
    assert rows["V1/1/idea"].title == desk.content("V1/1/idea")["title"]


@pytest.mark.parametrize("seed", range(3))
def test_after_random_edits_exactly_what_was_made_from_them_is_stale(desk: Desk, seed: int) -> None:
    random_edits_make_their_readers_stale(desk, ("V1",), 8, seed)
