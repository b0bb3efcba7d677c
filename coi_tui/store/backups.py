"""Backups of a session, made by SQLite's backup API: three are kept, and one can be restored.

A copy belongs to the id of its session, wherever the file lies and however it is called, and the
copies are ordered by the length of their logs: a clock may be wrong, and a path may have been
another session's before.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.model.text import digest
from coi_tui.private_files import make_file, make_folder, make_private
from coi_tui.store.chain import head, mark_path
from coi_tui.store.connection import (
    SUFFIX,
    as_store_error,
    format_of,
    plain_connection,
    session_name,
    uri,
    utc_now,
)
from coi_tui.store.files import COMPANIONS, FileLock, clear_companions, sweep, unfinished
from coi_tui.store.schema import SESSION_ID, fault_in

KEPT = 3
EVERY = timedelta(minutes=30)
_STAMP = "%Y%m%dT%H%M%S%fZ"
_NAME = re.compile(
    rf"(\d{{8}}T\d{{12}}Z)-([0-9a-f]{{8}})-([0-9a-f]{{12}})-(\d+)-(\d+){re.escape(SUFFIX)}"
)
"""Time, folder and id of the session, and the lengths of its log and of its hash chain."""


def _place(path: Path) -> str:
    """Tells the folders of sessions apart."""
    return digest(str(path.resolve().parent))[:8]


def copies(backups: Path, path: Path) -> list[Path]:
    """The copies of this session wherever its file lies now, the one with the longest log first.

    Of a file that is too damaged to have an id they are those of the last session that lay in its
    place.
    """
    found = [(m, file) for file in backups.glob("*/*") if (m := _NAME.fullmatch(file.name))]
    session = _session_of(path)
    if not session:
        here = [m for m, f in found if (m[2], f.parent.name) == (_place(path), session_name(path))]
        session = max((m[1], m[3]) for m in here)[1] if here else ""
    mine = [(int(m[4]), int(m[5]), m[1], file) for m, file in found if m[3] == session]
    return [file for *_, file in sorted(mine, reverse=True)]


def _session_of(path: Path) -> str:
    """The id of a session, as copies bear it; empty where it cannot be read."""
    try:
        with contextlib.closing(plain_connection(path, "ro")) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
            return str(row[0])[:12] if row else ""
    except (sqlite3.Error, OSError, StoreError, ValueError):
        return ""


def taken(copy: Path) -> datetime:
    """When a copy was made."""
    return datetime.strptime(copy.name.partition("-")[0], _STAMP).replace(tzinfo=UTC)


def due(backups: Path, path: Path, now: datetime) -> bool:
    """Whether no copy was made in the last half hour; one from the future, when a clock was wrong,
    does not count."""
    return not any(timedelta(0) <= now - taken(copy) <= EVERY for copy in copies(backups, path))


def copy_to(connection: sqlite3.Connection, target: Path) -> None:
    """A whole copy of what is committed, complete under its name or not there at all."""
    part = unfinished(target)
    try:
        make_file(part)
        with contextlib.closing(sqlite3.connect(uri(part, "rw"), uri=True)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def back_up(connection: sqlite3.Connection, backups: Path, path: Path, now: datetime) -> Path:
    """Make a copy now, and keep it and those two of the others that have the longest logs."""
    folder = backups / session_name(path)
    make_folder(folder)
    make_private(folder)
    sweep(folder)
    stamp, changes = now.astimezone(UTC).strftime(_STAMP), head(connection)[0]
    (entries,) = connection.execute("SELECT count(*) FROM log").fetchone()
    name = f"{stamp}-{_place(path)}-{_session_of(path)}-{entries}-{changes}{SUFFIX}"
    copy_to(connection, target := folder / name)
    for old in [copy for copy in copies(backups, path) if copy != target][KEPT - 1 :]:
        old.unlink(missing_ok=True)
    return target


def is_good(copy: Path) -> bool:
    """Whether a file is a whole session file."""
    try:
        with contextlib.closing(plain_connection(copy, "ro")) as connection:
            format_of(connection, copy, SESSION_ID)
            return not fault_in(connection)
    except (sqlite3.Error, OSError, StoreError):
        return False


def last_good(backups: Path | None, path: Path) -> Path | None:
    """The whole copy that has the longest log."""
    return next(filter(is_good, copies(backups, path)), None) if backups else None


def restore(path: Path, backup: Path) -> Path | None:
    """Put ``backup`` in the place of the session ``path``. What stood there is moved aside, never
    deleted; returns where to (or None).

    Raises StoreError when the copy is not whole, when the session is open somewhere, or when the
    disk refuses.
    """
    if not is_good(backup):
        raise StoreError(
            f"{backup} is not a complete session file, so nothing was restored.",
            "Choose another copy.",
        )
    lock = FileLock(path.with_name(path.name + ".lock"))
    fresh = unfinished(path.with_name(f"{path.name}.restored"))
    try:
        make_folder(path.parent)
        if not lock.acquire():
            raise StoreError(
                f"{path.name} is open elsewhere, so nothing was restored.", "Close it there first."
            )
        with contextlib.closing(plain_connection(backup, "ro")) as source:
            copy_to(source, fresh)
        aside = _keep_aside(path, "replaced")
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
    aside = _keep_aside(path, word)
    path.unlink(missing_ok=True)
    return aside


def _keep_aside(path: Path, word: str) -> Path | None:
    """As ``move_aside``, but the file keeps its name, too, until another takes it: a session is
    never without one."""
    if not path.exists():
        clear_companions(path)
        return None
    aside = path.with_name(f"{path.name}.{word}-{utc_now().strftime(_STAMP)}")
    for end in COMPANIONS:
        with contextlib.suppress(FileNotFoundError):
            os.replace(path.with_name(path.name + end), aside.with_name(aside.name + end))
    try:
        os.link(path, aside)
    except OSError:  # a disk without hard links
        os.replace(path, aside)
    return aside
