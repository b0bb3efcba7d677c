"""The format number: a file of a newer program is only read, and one of an older program is brought
up to date by the steps it lacks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from coi_tui.model.errors import StoreError
from coi_tui.store import schema, session_opening, summary
from coi_tui.store.backups import copies
from coi_tui.store.connection import NEWER
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import peek

from .making import decision, new_session, version


def test_an_id_is_given_once(tmp_path: Path) -> None:
    with new_session(tmp_path) as file, new_session(tmp_path, "two") as other:
        given = file.load().meta["id"]
        assert given != other.load().meta["id"]
    with SessionFile.open(file.path) as again:
        assert again.load().meta["id"] == given


def test_a_newer_file_is_only_read_and_names_the_newer_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, action="attach")])
    for module in (session_opening, summary):
        monkeypatch.setattr(module, "SESSION_FORMAT", 0)
    assert peek(file.path).state == "newer"
    with SessionFile.open(file.path) as older:
        assert older.read_only_reason == NEWER
    with closing(sqlite3.connect(file.path)) as raw:  # what the other program knows no word for
        raw.execute("DROP TRIGGER log_no_update")
        raw.execute("UPDATE log SET json = replace(json, 'attach', 'unheard-of')")
        raw.commit()
    with (
        SessionFile.open(file.path) as older,
        pytest.raises(StoreError, match="Use that newer coi-tui"),
    ):
        older.load()


def test_a_file_that_lacks_a_step_is_given_it_once_after_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How a later format is added: a step that changes the tables."""
    place = tmp_path / "copies"
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, action="add"), version(2)])

    def session_002(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE labels (address TEXT PRIMARY KEY) STRICT")

    monkeypatch.setattr(schema, "STEPS", [*schema.STEPS, session_002])
    for module in (session_opening, schema):
        monkeypatch.setattr(module, "SESSION_FORMAT", 2)
    for _ in range(2):
        with SessionFile.open(file.path, backups=place) as again:
            assert not again.read_only
            assert len(again.load().entries) == 2
        assert len(copies(place, file.path)) == 1, (
            "a copy before the step, and none at every opening after it"
        )
    with closing(sqlite3.connect(file.path)) as raw:
        assert raw.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'labels'"
        ).fetchone() == (1,)
