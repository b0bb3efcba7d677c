"""The session list's cheap look."""

import json
import sqlite3
from pathlib import Path

import pytest

from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import NextStep, PendingCounts, list_sessions, peek, read_summary

from .making import decision, new_session, version


def test_peek(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.set_meta("summary", '{"ideas": 3}')
        file.commit(entries=[version(1), decision(2, time="2026-05-06T07:08:09Z")])
    before = file.path.read_bytes()
    look = peek(file.path)
    assert (look.name, look.topic, look.method, look.summary.ideas) == (
        "one",
        "chains",
        "coi",
        3,
    )
    assert (look.state, look.reason, look.changed) == ("ok", "", "2026-05-06T07:08:09Z")
    assert look.created
    assert look.opened >= look.created
    assert look.size == len(before)
    assert file.path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["one.coi.db"]


def test_held_elsewhere_with_its_latest_entries(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[decision(1, time="2026-07-01T00:00:00Z")])
        look = peek(file.path)
        assert (look.state, look.topic, look.changed) == (
            "open elsewhere",
            "chains",
            "2026-07-01T00:00:00Z",
        )
        file.commit(entries=[version(2)])
    assert peek(file.path).state == "ok"


def _spoil(path: Path, sql: str) -> None:
    raw = sqlite3.connect(path)
    raw.execute(sql)
    raw.commit()
    raw.close()


def test_states(tmp_path: Path) -> None:
    new_session(tmp_path, "newer").close()
    _spoil(tmp_path / "newer.coi.db", "PRAGMA user_version = 9")
    _spoil(tmp_path / "foreign.coi.db", "CREATE TABLE x (y)")
    (tmp_path / "junk.coi.db").write_bytes(b"junk" * 500)
    (tmp_path / "empty.coi.db").touch()
    states = {
        look.path.name.split(".")[0]: (look.state, bool(look.reason))
        for look in list_sessions(tmp_path)
    }
    assert states == {
        "newer": ("unreadable", True),
        "foreign": ("unreadable", True),
        "junk": ("damaged", True),
        "empty": ("damaged", True),
    }
    assert peek(tmp_path / "gone.coi.db").state == "unreadable"


def test_list_is_sorted_by_last_opened(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        new_session(tmp_path, name).close()
    SessionFile(tmp_path / "a.coi.db").close()
    assert [look.path.name[0] for look in list_sessions(tmp_path)] == ["a", "c", "b"]
    assert list_sessions(tmp_path / "none") == []


@pytest.mark.parametrize(
    "said",
    [
        {"action": "accept"},
        {"action": "accept", "address": "no address", "stage": "", "method": ""},
        {"action": "generate", "address": "", "stage": "ideas", "method": '"; rm -rf ~ #'},
        {"action": 3, "address": "", "stage": "", "method": ""},
        "accept",
    ],
)
def test_what_a_file_says_comes_next_is_left_out_where_this_program_would_not_write_it(
    said: object,
) -> None:
    assert read_summary(json.dumps({"next": said})).next is None


def test_what_comes_next_is_read_with_its_counts() -> None:
    said = {"action": "generate", "address": "", "stage": "plan", "method": "Imitate-and-Evolve"}
    found = read_summary(json.dumps({"next": {**said, "needs": {"empty": 4}}}))
    assert found.next == NextStep(PendingCounts(empty=4), **said)
