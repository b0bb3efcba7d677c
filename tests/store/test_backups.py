"""Backups belong to a session, not to its place; what killed processes left is removed; a session
is never without a file."""

from __future__ import annotations

import os
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from coi_tui.store import backups
from coi_tui.store.connection import unfinished, utc_now
from coi_tui.store.session_file import SessionFile

from .making import new_session, version


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def _copy_at(file: SessionFile, place: Path, minutes: int) -> Path:
    """A copy by a clock that is so many minutes off."""
    with sqlite3.connect(file.path) as connection:
        copy = backups.back_up(connection, place, file.path)
    when = (utc_now() + timedelta(minutes=minutes)).timestamp()
    os.utime(copy, (when, when))
    return copy


def test_copies_go_with_a_session_that_is_moved_and_renamed(tmp_path: Path, place: Path) -> None:
    with new_session(tmp_path, backups=place) as file:
        copy = file.back_up()
    assert copy is not None
    (tmp_path / "elsewhere").mkdir()
    moved = file.path.rename(tmp_path / "elsewhere" / "another.coi.db")
    assert copy in backups.copies(place, moved)
    assert backups.copies(place, moved) == backups.copies(place, moved.rename(file.path))


def test_a_session_does_not_get_the_copies_of_one_that_was_there_before(
    tmp_path: Path, place: Path
) -> None:
    with new_session(tmp_path, backups=place) as file:
        file.commit(entries=[version(1), version(2)])
        of_first = file.back_up()
    file.path.unlink()
    with new_session(tmp_path, backups=place) as second:
        of_second = second.back_up()
    assert of_first not in backups.copies(place, second.path)
    assert backups.last_good(place, second.path) == of_second
    second.path.write_bytes(
        b""
    )  # nothing of it is left to know it by: the last one that lay here is meant
    assert of_first not in backups.copies(place, second.path)
    assert of_second in backups.copies(place, second.path)


def test_the_longest_log_comes_first_whatever_the_clock_said(tmp_path: Path, place: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1)])
        early = _copy_at(file, place, 60 * 24 * 365)
        file.commit(entries=[version(2)])
        late = _copy_at(file, place, 0)
        file.set_ui("place", {"at": "1/idea"})
        last = _copy_at(file, place, -5)
        assert backups.copies(place, file.path) == [last, late, early]
        assert backups.last_good(place, file.path) == last
        assert not backups.due(place, file.path, utc_now())
        assert backups.due(place, file.path, utc_now() + timedelta(hours=1)), (
            "a copy from the future does not stand for one of now"
        )


def test_what_killed_processes_left_is_removed_after_a_day_and_nothing_else(tmp_path: Path) -> None:
    left, building = (unfinished(tmp_path / f"{name}.coi.db") for name in ("two", "three"))
    notes = tmp_path / ".notes.new"
    for file in (left, building, notes):
        file.touch()
    for file in (left, notes):
        os.utime(file, (0, 0))
    new_session(tmp_path).close()
    assert {file.name for file in tmp_path.iterdir()} == {building.name, notes.name, "one.coi.db"}
