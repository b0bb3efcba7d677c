"""What comes from elsewhere is taken in as rows and nothing else, and no file stops the list."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.hostile_imports import CASES, campaign
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.session.files import archive
from coi_tui.store.connection import DamagedError
from coi_tui.store.imports import import_copy
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import SessionSummary, peek, read_summary

from .making import call, new_session, version


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """A session that somebody else made."""
    with new_session(tmp_path / "theirs") as file:
        file.commit(
            entries=[version(1, calls=[1])], calls=[call("a")], papers=[Paper(id="p", title="P")]
        )
        file.save_draft("1/idea", "half a sentence", 1, {"a": 1})
        file.set_ui("place", {"at": "1/idea"})
        file.set_meta("summary", '{"ideas": 3}')
        file.set_meta("archived", "2026-01-01")
    return file.path


def test_a_sample_of_the_hostile_files_does_no_harm() -> None:
    found = campaign(CASES[::4])
    assert {title: outcome.harm for title, outcome in found.items() if outcome.harm} == {}
    assert {"refused", "clean"} == {outcome.imported for outcome in found.values()}


def test_rows_come_along_and_the_copy_is_a_session_of_its_own(sent: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine" / "two.coi.db"
    import_copy(sent, target, "two")
    with SessionFile.open(sent) as theirs, SessionFile.open(target) as mine:
        old, new = theirs.load(), mine.load()
        assert (new.entries, new.papers, mine.calls(replies=True)) == (
            old.entries,
            old.papers,
            theirs.calls(replies=True),
        )
        assert (mine.drafts(), mine.ui()) == (theirs.drafts(), theirs.ui())
        assert (new.meta["name"], new.meta["topic"], read_summary(new.meta["summary"])) == (
            "two",
            old.meta["topic"],
            SessionSummary(ideas=3),
        )
        assert "archived" not in new.meta
        assert new.meta["id"] != old.meta["id"]
        assert mine.verify() == []
    assert [file.name for file in target.parent.iterdir()] == ["two.coi.db"]


def test_a_copy_never_takes_the_place_of_a_session(sent: Path, tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1, "mine")])
    before = file.path.read_bytes()
    with pytest.raises(StoreError, match="already exists"):
        import_copy(sent, file.path, "one")
    assert file.path.read_bytes() == before


def test_a_file_of_something_else_is_not_called_damaged(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("only words")
    with pytest.raises(StoreError, match=r"^notes.txt is not a session file"):
        import_copy(notes, tmp_path / "two.coi.db", "two")


def test_a_changed_file_is_refused_with_the_first_finding(sent: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(sent)) as raw:
        raw.execute("UPDATE papers SET json = replace(json, '\"P\"', '\"Q\"')")
        raw.commit()
    with pytest.raises(StoreError, match="Paper p was changed after it was written"):
        import_copy(sent, tmp_path / "mine" / "two.coi.db", "two")
    assert list((tmp_path / "mine").glob("*")) == []


def test_a_file_with_a_foreign_trigger_is_refused_and_says_so(sent: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(sent)) as raw:
        raw.execute(
            "CREATE TRIGGER t AFTER INSERT ON log BEGIN UPDATE meta SET value = 'taken'; END"
        )
        raw.execute("DROP TRIGGER calls_no_delete")
    why = "the trigger calls_no_delete is missing; the trigger t was not made by coi-tui"
    with pytest.raises(DamagedError, match=why):
        SessionFile.open(sent)
    assert peek(sent).state == "damaged"
    with pytest.raises(DamagedError):
        archive(sent, "2026-01-01T00:00:00Z")
    with pytest.raises(StoreError, match="made to look like a session"):
        import_copy(sent, tmp_path / "two.coi.db", "two")


def test_a_summary_is_cleaned(tmp_path: Path) -> None:
    said = '{"step": "a\\u001b[2Jb", "stale": ["1/idea", 5], "calls": -1, "papers": "3", "known_usd": null, "pick": ["x"], "ideas": 2, "x": 1}'
    assert read_summary(said) == SessionSummary(step="ab", stale=("1/idea", "5"), ideas=2)
    assert read_summary("[]") == read_summary("{") == SessionSummary()
    assert peek(tmp_path).state == "unreadable"
