"""Backups of a session, made by SQLite's backup API: three are kept, and one can be restored."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.model.hashing import digest
from coi_tui.private_files import make_file, make_folder
from coi_tui.store.connection import (
    SUFFIX,
    as_store_error,
    fault_of,
    format_of,
    lift_limit,
    plain_connection,
    session_name,
    uri,
    utc_now,
)
from coi_tui.store.lock import FileLock
from coi_tui.store.migrations import SESSION_ID
from coi_tui.store.schema import schema_faults

KEPT = 3
EVERY = timedelta(minutes=30)
COMPANIONS = ("-wal", "-shm", "-journal")
_STAMP = "%Y%m%dT%H%M%S%fZ"


def _mark(path: Path) -> str:
    """Tells sessions of one name in different folders apart."""
    return digest(str(path.resolve().parent))[:8]


def copies(backups: Path, path: Path) -> list[Path]:
    """The copies of this session, newest first."""
    folder = backups / session_name(path)
    name = re.compile(rf"\d{{8}}T\d{{12}}Z-{_mark(path)}{re.escape(SUFFIX)}")
    found = [copy for copy in folder.iterdir() if name.fullmatch(copy.name)] if folder.is_dir() else []
    return sorted(found, key=lambda copy: copy.name, reverse=True)


def taken(copy: Path) -> datetime:
    """When a copy was made."""
    return datetime.strptime(copy.name.partition("-")[0], _STAMP).replace(tzinfo=UTC)


def due(backups: Path, path: Path, now: datetime) -> bool:
    """Whether the newest copy is older than half an hour (or from the future, when a clock was wrong), or there is none."""
    found = copies(backups, path)
    return not found or not (timedelta(0) <= now - taken(found[0]) <= EVERY)


def copy_to(connection: sqlite3.Connection, target: Path) -> None:
    """A whole copy of what is committed, complete under its name or not there at all."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        make_file(part)
        with contextlib.closing(sqlite3.connect(uri(part, "rw"), uri=True)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def back_up(connection: sqlite3.Connection, backups: Path, path: Path, now: datetime) -> Path:
    """Make a copy now and drop all but the newest three."""
    target = backups / session_name(path) / f"{now.astimezone(UTC).strftime(_STAMP)}-{_mark(path)}{SUFFIX}"
    make_folder(target.parent)
    copy_to(connection, target)
    for old in copies(backups, path)[KEPT:]:
        old.unlink(missing_ok=True)
    return target


def is_good(copy: Path) -> bool:
    """Whether a file is a whole session file."""
    try:
        with contextlib.closing(plain_connection(copy, "ro")) as connection:
            format_of(connection, copy, SESSION_ID)
            if schema_faults(connection).unreadable:
                return False
            lift_limit(connection)
            return not fault_of(connection)
    except (sqlite3.Error, OSError, StoreError):
        return False


def last_good(backups: Path | None, path: Path) -> Path | None:
    """The newest copy that is whole."""
    return next((copy for copy in copies(backups, path) if is_good(copy)), None) if backups else None


def restore(path: Path, backup: Path) -> Path | None:
    """Put ``backup`` in the place of the session ``path``. What stood there is moved aside, never deleted; returns where to (or None).

    Raises StoreError when the copy is not whole, when the session is open somewhere, or when the disk refuses.
    """
    if not is_good(backup):
        raise StoreError(f"{backup} is not a complete session file, so nothing was restored.", "Choose another copy.")
    lock = FileLock(path.with_name(path.name + ".lock"))
    fresh = path.with_name(f".{path.name}.restored")
    try:
        make_folder(path.parent)
        if not lock.acquire():
            raise StoreError(f"{path.name} is open elsewhere, so nothing was restored.", "Close it there first.")
        with contextlib.closing(plain_connection(backup, "ro")) as source:
            copy_to(source, fresh)
        aside = move_aside(path, "replaced")
        os.replace(fresh, path)
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        fresh.unlink(missing_ok=True)
        lock.release()
    return aside


def clear_companions(path: Path) -> None:
    """Remove what a database that is gone may have left beside its name: it would spoil the next one of that name."""
    for end in COMPANIONS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def move_aside(path: Path, word: str) -> Path | None:
    """Rename a database and what belongs to it to ``NAME.WORD-time``. None when there is nothing there."""
    if not path.exists():
        clear_companions(path)
        return None
    aside = path.with_name(f"{path.name}.{word}-{utc_now().strftime(_STAMP)}")
    for end in COMPANIONS:
        companion = path.with_name(path.name + end)
        if companion.exists():
            os.replace(companion, aside.with_name(aside.name + end))
    os.replace(path, aside)
    return aside
