"""Every kind of later change is seen and said in one sentence."""

import sqlite3
from pathlib import Path

import pytest

from coi_tui.model.entries import Failure, JobEvent
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.store.session_file import SessionFile

from .making import call, decision, new_session, version


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with new_session(tmp_path) as file:
        file.commit(
            calls=[call("a"), call("b")],
            papers=[Paper(id="p", title="P")],
            failures=[Failure(address="1", step="s", cause="c")],
            job_events=[JobEvent(job=1, state="done")],
        )
        file.commit(
            entries=[
                version(1, calls=[1, 2]),
                decision(2, action="choose", value={"version": 1}),
                version(3, "b", parents=[1]),
            ]
        )
        file.save_draft("1/idea", "half a sentence", None, {})
        file.set_ui("place", {"at": "1/idea"})
    return file.path


def _tamper(path: Path, *sql: str) -> None:
    """As somebody with a SQLite shell could: triggers dropped first, and put back after."""
    raw = sqlite3.connect(path)
    triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        raw.execute(f"DROP TRIGGER {name}")
    for one in (*sql, *(made for _, made in triggers)):
        raw.execute(one)
    raw.commit()
    raw.close()


def _found(path: Path) -> list[str]:
    with SessionFile(path) as file:
        return file.verify()


def test_sound(path: Path) -> None:
    assert _found(path) == []
    _tamper(path)
    assert _found(path) == []


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        (
            "UPDATE log SET json = replace(json, 'a text', 'a test') WHERE seq = 1",
            "Log entry 1 was changed after it was written",
        ),
        ("DELETE FROM log WHERE seq = 3", "Log entry 3 is missing"),
        ("UPDATE log SET json = 'no json' WHERE seq = 3", "Log entry 3 cannot be read"),
        ('UPDATE calls SET reply = \'{"text":"better"}\' WHERE id = 2', "Call 2 was changed"),
        ("UPDATE calls SET json = '[]' WHERE id = 2", "Call 2 cannot be read"),
        ("UPDATE papers SET id = 'q'", "Paper q was added by another program"),
        ("UPDATE meta SET value = 'another' WHERE key = 'topic'", "The session's own topic was"),
        ("UPDATE drafts SET text = 'half a sentense'", "The draft of 1/idea was changed"),
        ("DELETE FROM chain", "The session's own created was added by another program"),
        ("DELETE FROM chain WHERE n = 3", "Line 3 of the hash chain is missing"),
        ("UPDATE chain SET hash = 'none' WHERE name = 'papers'", "Paper p was changed"),
    ],
)
def test_each_change_is_seen(path: Path, sql: str, says: str) -> None:
    _tamper(path, sql)
    found = _found(path)
    assert any(sentence.startswith(says) for sentence in found), found


def test_a_table_that_another_program_made_anew_is_not_read(path: Path) -> None:
    _tamper(
        path,
        "ALTER TABLE calls RENAME TO old",
        "CREATE TABLE calls AS SELECT * FROM old",
        "UPDATE calls SET key = 'a'",
    )
    with pytest.raises(StoreError, match="the table calls is not as coi-tui makes it"):
        _found(path)


def test_a_broken_row_is_named_when_loading(path: Path) -> None:
    _tamper(path, 'UPDATE log SET json = \'{"kind":"decision"}\' WHERE seq = 2')
    with (
        SessionFile(path) as file,
        pytest.raises(StoreError, match=r"A row of one\.coi\.db cannot be read"),
    ):
        file.load()


def test_a_broken_call_or_paper_is_said_without_its_text(path: Path) -> None:
    _tamper(
        path,
        'UPDATE calls SET json = \'{"kind": "secret"}\' WHERE id = 2',
        "UPDATE papers SET json = '{'",
    )
    with SessionFile(path) as file:
        with pytest.raises(StoreError, match="A row of") as caught:
            file.calls()
        assert "secret" not in str(caught.value)
        with pytest.raises(StoreError, match="A row of"):
            file.commit(papers=[Paper(id="p", title="P", venue="V")], calls=[call("c")])
        assert file.find_call("c") is None
