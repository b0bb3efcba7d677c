"""Papers that a person looks for in words of their own and puts on the reading list or among the
rivals, takes out, or reads first."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.model.papers import Paper
from coi_tui.session.session import Session
from tests.support.desk import ONE, Desk, copy_of

SECOND = Paper(id="S2:second", title="A second paper", year=2022)
OWN = Paper(id="S2:own", title="Asking costs less than guessing", year=2023, abstract="We ask.")


def made(folder: Path, stage: str) -> Session:
    desk = Desk.new(folder, ONE)
    assert asyncio.run(desk.go(desk.session.planner.to_stage(stage))).state == "done"
    return desk.session


def papers(session: Session, address: str, field: str) -> list[str]:
    version = session.state.in_use(address)
    assert version is not None
    return [row["paper"] for row in version.content[field]]


@pytest.mark.parametrize(
    ("address", "field", "stage"),
    [("reading", "entries", "anchors"), ("1/rivals", "works", "rivals")],
)
def test_a_paper_is_added_first_and_taken_out_and_undone(
    tmp_path: Path, address: str, field: str, stage: str
) -> None:
    session = made(tmp_path, stage)
    before = papers(session, address, field)
    assert OWN.id not in before
    session.edits.add_paper(address, OWN)
    assert papers(session, address, field) == [OWN.id, *before]
    assert session.state.papers[OWN.id].title == OWN.title
    assert any(row.paper == OWN.id for row in session.listing(address).rows)  # type: ignore[union-attr]
    session.edits.add_paper(address, SECOND)
    session.edits.change_row(address, OWN.id, "reject")
    assert papers(session, address, field) == [SECOND.id, *before]
    session.undo()
    assert papers(session, address, field) == [SECOND.id, OWN.id, *before]
    session.undo()
    session.undo()
    assert papers(session, address, field) == before


def test_a_paper_of_the_list_can_be_put_first_and_keeps_its_reasons(tmp_path: Path) -> None:
    session = made(tmp_path, "anchors")
    before = papers(session, "reading", "entries")
    session.edits.change_row("reading", before[3], "pin")
    entries = session.reading_list().entries
    assert [e.paper.id for e in entries] == [before[3], *before[:3], *before[4:]]
    assert [e.rank for e in entries] == list(range(1, len(before) + 1))
    assert session.edits.row_change("reading", before[3], "pin") is None, "it is first already"
    assert entries[0].row.ranks


def test_what_a_person_put_first_is_the_first_candidate_read_from_the_list(tmp_path: Path) -> None:
    """The papers of the list that may be an anchor are taken from its top."""
    session = made(tmp_path, "anchors")
    session.edits.add_paper("reading", OWN)
    content = session.state.in_use("reading")
    assert content is not None
    assert content.content["entries"][0]["rank"] == 1
    assert "yours" in session.reading_list().entries[0].reasons()


def test_one_that_is_first_already_stays_and_nothing_is_recorded(tmp_path: Path) -> None:
    session = made(tmp_path, "anchors")
    session.edits.add_paper("reading", OWN)
    seq = session.state.seq
    session.edits.add_paper("reading", OWN)
    assert session.state.seq == seq


def test_before_a_rival_is_added_it_is_said_what_reads_it_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    session = copy_of(tmp_path, "full", "ideas").session
    seq = session.state.seq
    ahead = session.preview("1/rivals", OWN)
    assert not ahead.problem
    assert "1/idea" in ahead.changes.sentence() or "1/sketch" in ahead.changes.sentence()
    assert session.state.seq == seq
    assert OWN.id not in session.state.papers
    session.edits.add_paper("1/rivals", OWN)
    assert session.freshness("1/idea").status in ("stale", "upstream")
    assert session.verify() == []
