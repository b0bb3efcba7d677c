"""Backups of a session, made by SQLite's backup API: three are stored, and one can be restored.

A copy belongs to the id of its session, wherever the file lies and however it is called. Copies are
ordered by the length of their hash chains, since a clock may be wrong.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.paths import make_folder
from coi_tui.store.chain import current_mark, mark_path
from coi_tui.store.connection import (
    COMPANIONS,
    SUFFIX,
    FileLock,
    as_store_error,
    plain_connection,
    session_name,
    sweep,
    unfinished,
    utc_now,
)
from coi_tui.store.schema import check_format, fault_in, schema_faults

MOST_COPIES = 3
EVERY = timedelta(minutes=30)
_NAME = re.compile(rf"([0-9a-f]{{12}})-\d{{9}}{re.escape(SUFFIX)}")
"""The id of the session, and the length of its hash chain."""


def copies(backups: Path, path: Path) -> list[Path]:
    """The copies of this session wherever its file lies now, the latest first.

    Of a file that is too damaged to have an id they are those of the session of that name that was
    copied last.
    """
    found = [file for file in backups.glob("*/*") if _NAME.fullmatch(file.name)]
    session = _session_of(path)
    if not session:
        here = [file for file in found if file.parent.name == session_name(path)]
        session = max(here, key=taken).name[:12] if here else "none"
    mine = [file for file in found if file.name.startswith(session)]
    return sorted(mine, key=lambda file: file.name, reverse=True)


def _session_of(path: Path) -> str:
    """The id of a session, as copies bear it; empty where it cannot be read."""
    try:
        with contextlib.closing(plain_connection(path, "ro")) as connection:
            if schema_faults(connection):
                return ""
            (session,) = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
            return str(session)[:12]
    except (sqlite3.Error, OSError, StoreError, TypeError, ValueError):
        return ""


def taken(copy: Path) -> datetime:
    """When a copy was made."""
    return datetime.fromtimestamp(copy.stat().st_mtime, UTC)


def due(backups: Path, path: Path, now: datetime) -> bool:
    """Whether no copy was made in the last half hour; one from the future, when a clock was wrong,
    does not count."""
    return not any(timedelta(0) <= now - taken(copy) <= EVERY for copy in copies(backups, path))


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    """A whole copy of what is committed, complete under its name or not there at all."""
    part = unfinished(target)
    try:
        with contextlib.closing(plain_connection(part, "rwc")) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def back_up(connection: sqlite3.Connection, backups: Path, path: Path) -> Path:
    """Make a copy now, and keep it and the two latest of the others."""
    folder = backups / session_name(path)
    make_folder(folder)
    sweep(folder)
    session, changes, _ = current_mark(connection)
    target = folder / f"{session[:12]}-{changes:09}{SUFFIX}"
    _copy(connection, target)
    for old in [copy for copy in copies(backups, path) if copy != target][MOST_COPIES - 1 :]:
        old.unlink(missing_ok=True)
    return target


def is_good(copy: Path) -> bool:
    """Whether a file is a whole session file."""
    try:
        with contextlib.closing(plain_connection(copy, "ro")) as connection:
            check_format(connection, copy)
            return not fault_in(connection)
    except (sqlite3.Error, OSError, StoreError):
        return False


def last_good(backups: Path | None, path: Path) -> Path | None:
    """The latest copy that is whole."""
    return next(filter(is_good, copies(backups, path)), None) if backups else None


def restore(path: Path, backup: Path) -> Path | None:
    """Put ``backup`` in the place of the session ``path``. What was there is moved aside, never
    deleted; returns where to (or None).

    Raises StoreError when the copy is not whole, when the session is open somewhere, or when the
    disk refuses.
    """
    if not is_good(backup):
        raise StoreError(
            f"{backup} is not a complete session file, so nothing was restored.",
            "Choose another copy.",
        )
    lock, fresh = FileLock(path.with_name(path.name + ".lock")), unfinished(path)
    try:
        make_folder(path.parent)
        if not lock.acquire():
            raise StoreError(
                f"{path.name} is open elsewhere, so nothing was restored.", "Close it there first."
            )
        with contextlib.closing(plain_connection(backup, "ro")) as source:
            _copy(source, fresh)
        aside = move_aside(path, "replaced")
        os.replace(fresh, path)
        mark_path(path).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        fresh.unlink(missing_ok=True)
        lock.release()
    return aside


def move_aside(path: Path, word: str) -> Path | None:
    """Rename a database and what belongs to it to ``NAME.WORD-time``. None when there is nothing
    there."""
    aside = path.with_name(f"{path.name}.{word}-{utc_now():%Y%m%dT%H%M%S%fZ}")
    there = path.exists()
    for end in ("", *COMPANIONS):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path.with_name(path.name + end), aside.with_name(aside.name + end))
    return aside if there else None
