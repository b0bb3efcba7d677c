"""What is told where nothing can be written: a full disk and a read-only folder each have
a cause and a hint of their own."""

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from coi_tui.config_file import write_text
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.session.files import forget_session
from coi_tui.session.new_session import NewSessionDraft, save_draft
from coi_tui.session.papers.own_papers import add_papers
from coi_tui.session.session import Session
from tests.support.desk import bare, paths_in

CAUSES = {
    errno.ENOSPC: ("the disk is full", "Free some space"),
    errno.EDQUOT: ("the disk is full", "Free some space"),
    errno.EROFS: ("read-only", "Change its permissions"),
    errno.EACCES: ("read-only", "Change its permissions"),
    errno.EIO: ("input/output error", "Check the folder and the disk"),
}


WRITES: dict[str, Callable[[Path], object]] = {
    "settings": lambda folder: write_text(folder / "config.toml", "a = 1\n"),
    "draft": lambda folder: save_draft(paths_in(folder), NewSessionDraft("a topic")),
    "own papers": lambda folder: add_papers(paths_in(folder), [Paper(id="title:x", title="X")]),
    "session": lambda folder: Session.create("new", "a topic", bare(folder), offline=True),
}


@pytest.mark.parametrize("number", CAUSES)
@pytest.mark.parametrize("what", WRITES)
def test_what_cannot_be_written_names_its_cause_and_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, what: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("tempfile.mkstemp", fail)
    monkeypatch.setattr("coi_tui.store.creation.make_folder", fail)
    with pytest.raises(CoiError) as told:
        WRITES[what](tmp_path)
    cause, hint = CAUSES[number]
    assert cause in told.value.message
    assert hint in told.value.hint


def session(folder: Path) -> Session:
    return Session.open("one", bare(folder))


@pytest.fixture
def made(tmp_path: Path) -> Path:
    Session.create("one", "a topic", bare(tmp_path), offline=True).close()
    return paths_in(tmp_path).sessions / "one.coi.db"


def full(*_: object, **__: object) -> bool:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize("why", ["full", "read-only", "elsewhere"])
def test_a_session_that_can_only_be_read_says_what_helps(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    cause, hint = {
        "full": ("the disk is full", "Free some space"),
        "read-only": ("cannot be written", "Change the permissions"),
        "elsewhere": ("open elsewhere", "Close it elsewhere"),
    }[why]
    holder = session(tmp_path) if why == "elsewhere" else None
    if why == "full":
        monkeypatch.setattr("coi_tui.store.session_file.prepare_for_writing", full)
    elif why == "read-only":
        monkeypatch.setattr("os.access", lambda *_: False)
    with session(tmp_path) as opened:
        assert opened.read_only_reason == cause or cause in opened.read_only_reason
        with pytest.raises(CoiError) as told:
            opened.decide("note", "topic", "a note")
        assert cause in told.value.message
        assert hint in told.value.hint
    with pytest.raises(CoiError) as told:
        forget_session(paths_in(tmp_path), "one")
    assert hint in told.value.hint
    if holder is not None:
        holder.close()
