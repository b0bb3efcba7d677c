"""The format number: a file of a newer program is only read, and one of an older program is brought
up to date by the steps it lacks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from coi_tui.store import schema, session_opening
from coi_tui.store.backups import copies
from coi_tui.store.session_file import SessionFile

from .making import decision, new_session, version


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
