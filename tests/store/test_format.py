"""The format number: a session is refused by an older program in the right words, and only where it holds what that cannot read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from coi_tui.model.entries import Action
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.store import session_opening, summary
from coi_tui.store.backups import copies
from coi_tui.store.connection import NEWER
from coi_tui.store.migrations import ID_PREFIX, NEWER_ACTIONS, SESSION_FORMAT
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import peek

from .making import decision, new_session, version

FIRST = {
    "settings", "edit", "adopt", "accept", "reject", "choose", "pin", "propose", "end", "keep", "protect", "unprotect", "tick", "untick",
    "dismiss", "reopen", "pick", "note", "park", "unpark", "fork", "judge", "vote", "undo", "redo",
}  # fmt: skip
"""What programs of format 1 can read. This never grows."""
USUAL = 4
"""What a file bears that holds no decision of a later format."""
NEW = {action: number for number, newer in NEWER_ACTIONS.items() for action in newer}


def numbers(path: Path) -> tuple[int, int]:
    """The format in the header and in the meta table."""
    with closing(sqlite3.connect(path)) as raw:
        told = raw.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0]
        return raw.execute("PRAGMA user_version").fetchone()[0], int(told)


def set_back(path: Path, number: int = 1, *, before: str = "002") -> None:
    """As programs left such a file that knew no step from ``before`` on."""
    with closing(sqlite3.connect(path)) as raw:
        for trigger in ("no_update", "no_delete", "gapless"):
            raw.execute(f"DROP TRIGGER paper_log_{trigger}")
        raw.execute("DROP TABLE paper_log")
        raw.execute("DELETE FROM heads WHERE name IN ('paper_log', 'meta', 'drafts', 'ui', 'commits')")
        raw.execute("DELETE FROM meta WHERE key = 'id'")
        raw.execute("UPDATE meta SET value = ? WHERE key = 'format'", [str(number)])
        raw.execute("DELETE FROM _sqlite_migrations WHERE name >= ?", [before])
        raw.execute(f"PRAGMA user_version = {number}")
        raw.commit()


def test_every_kind_of_decision_has_its_format() -> None:
    assert {*FIRST, *(a for newer in NEWER_ACTIONS.values() for a in newer)} == set(get_args(Action))
    assert max(NEWER_ACTIONS) <= SESSION_FORMAT
    assert not FIRST & NEW.keys()
    assert len(NEW) == sum(map(len, NEWER_ACTIONS.values()))


@pytest.mark.parametrize(("number", "before"), [(1, "002"), (2, "003"), (3, "003")])
def test_a_file_of_an_older_format_is_given_hashes_for_all_that_it_holds(tmp_path: Path, number: int, before: str) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1), version(2)], papers=[Paper(id="p", title="P"), Paper(id="q", title="Q")])
        file.save_draft("1/idea", "a text", None, {})
    set_back(file.path, number, before=before)
    with SessionFile.open(file.path, read_only=True) as older:
        assert older.verify() == []
    assert numbers(file.path) == (number, number)
    with SessionFile.open(file.path) as again:
        assert not again.read_only
        assert again.load().meta["id"].startswith(ID_PREFIX)
        assert again.verify() == []
        again.commit(papers=[Paper(id="p", title="P", venue="V")])
        assert again.verify() == []
    assert numbers(file.path) == (4, 4)


def test_an_id_is_given_once(tmp_path: Path) -> None:
    with new_session(tmp_path) as file, new_session(tmp_path, "two") as other:
        given = file.load().meta["id"]
        assert given != other.load().meta["id"]
    with SessionFile.open(file.path) as again:
        assert again.load().meta["id"] == given


@pytest.mark.parametrize("action", sorted(NEW))
def test_every_newer_decision_is_read_again(tmp_path: Path, action: str) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1)])
        file.commit(entries=[decision(2, action=action)])
        file.commit(entries=[decision(3, action="undo", undoes="d2")])
        assert numbers(file.path) == (max(NEW[action], USUAL),) * 2
        assert file.verify() == []
    with SessionFile.open(file.path) as file:
        assert not file.read_only
        assert len(file.load().entries) == 3


def test_the_number_rises_with_the_first_decision_of_a_later_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NEWER_ACTIONS, SESSION_FORMAT + 1, frozenset({"note"}))
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, action="add")])
        assert numbers(file.path) == (USUAL,) * 2
        file.commit(entries=[decision(2, action="note")])
        assert numbers(file.path) == (SESSION_FORMAT + 1,) * 2


def test_a_commit_that_fails_raises_nothing(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        with pytest.raises(StoreError):
            file.commit(entries=[decision(1, action="add"), decision(7)])
        assert file.load().entries == []
    assert numbers(file.path) == (USUAL,) * 2


def test_an_older_program_reads_only_and_names_the_newer_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, action="attach")])
    for module in (session_opening, summary):
        monkeypatch.setattr(module, "SESSION_FORMAT", 1)
    assert peek(file.path).state == "newer"
    with SessionFile.open(file.path) as older:
        assert older.read_only_reason == NEWER
    with closing(sqlite3.connect(file.path)) as raw:  # what the other program knows no word for
        raw.execute("DROP TRIGGER log_no_update")
        raw.execute("UPDATE log SET json = replace(json, 'attach', 'unheard-of')")
        raw.commit()
    with SessionFile.open(file.path) as older, pytest.raises(StoreError, match="Use that newer coi-tui"):
        older.load()


def test_a_file_from_before_is_given_its_number_once_after_a_copy(tmp_path: Path) -> None:
    place = tmp_path / "copies"
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, action="add"), version(2)])
    set_back(file.path)
    for _ in range(2):
        with SessionFile.open(file.path, backups=place) as again:
            assert not again.read_only
            assert len(again.load().entries) == 2
        assert numbers(file.path) == (4, 4)
        assert len(copies(place, file.path)) == 1, "a copy before the step, and none at every opening after it"


def test_a_row_that_cannot_be_read_does_not_stop_the_opening(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1)])
    set_back(file.path)
    with closing(sqlite3.connect(file.path)) as raw:
        raw.execute("INSERT INTO log (seq, json, chain) VALUES (2, 'broken \"action\":\"add\"', '')")
        raw.commit()
    with SessionFile.open(file.path) as again:
        assert not again.read_only
