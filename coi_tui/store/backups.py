"""Backups of a session, made by SQLite's backup API: three are kept, and one can be restored.

A copy belongs to the id of its session, wherever the file lies and however it is called, and the copies are ordered by the length of their
logs: a clock may be wrong, and a path may have been another session's before.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.model.hashing import digest
from coi_tui.private_files import make_file, make_folder, make_private
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
from coi_tui.store.high_water_mark import remove_mark
from coi_tui.store.leftovers import COMPANIONS, clear_companions, sweep, unfinished
from coi_tui.store.lock import FileLock
from coi_tui.store.migrations import ID_PREFIX, SESSION_ID
from coi_tui.store.schema import schema_faults

KEPT = 3
EVERY = timedelta(minutes=30)
_STAMP = "%Y%m%dT%H%M%S%fZ"
_ID = re.compile(rb"id" + ID_PREFIX.encode() + rb"([0-9a-f]{12})[0-9a-f]{20}")
_BY_ID = re.compile(
    rf"(\d{{8}}T\d{{12}}Z)-([0-9a-f]{{8}})-([0-9a-f]{{12}})-(\d+)-(\d+){re.escape(SUFFIX)}"
)
_BY_FOLDER = re.compile(rf"(\d{{8}}T\d{{12}}Z)-([0-9a-f]{{8}}){re.escape(SUFFIX)}")
"""How copies were called before sessions had ids."""


@dataclass(frozen=True)
class _Copy:
    """A copy with what its name says: the session, the folder that it lay in, how long its log was and how often it was written."""

    path: Path
    stamp: str
    place: str
    session: str = ""
    entries: int = 0
    commits: int = 0


def _place(path: Path) -> str:
    """Tells the folders of sessions apart."""
    return digest(str(path.resolve().parent))[:8]


def copies(backups: Path, path: Path, connection: sqlite3.Connection | None = None) -> list[Path]:
    """The copies of this session wherever its file lies now, the one with the longest log first.

    Of a file that is too damaged to have an id they are those of the last session that lay in its place.
    """
    session, created = _identity(path, connection)
    found = _of_session(backups, path, session, created) if session else _of_place(backups, path)
    return [
        c.path for c in sorted(found, key=lambda c: (c.entries, c.commits, c.stamp), reverse=True)
    ]


def _of_session(backups: Path, path: Path, session: str, created: str) -> list[_Copy]:
    """Those that bear its id, and those from before there were ids that were made of a session of the same time."""
    older = [
        c for c in _older_copies(backups, path) if not created or _created(c.path) in ("", created)
    ]
    return [*(c for c in _all_copies(backups) if c.session == session), *older]


def _of_place(backups: Path, path: Path) -> list[_Copy]:
    """Those of the last session that was copied from this place under this name."""
    there = [
        c for c in _all_copies(backups / session_name(path), deep=False) if c.place == _place(path)
    ]
    last = max(there, key=lambda c: c.stamp).session if there else ""
    return [*(c for c in there if c.session == last), *_older_copies(backups, path)]


def _all_copies(folder: Path, *, deep: bool = True) -> list[_Copy]:
    files = folder.glob("*/*") if deep else folder.glob("*")
    matches = ((file, _BY_ID.fullmatch(file.name)) for file in files)
    return [
        _Copy(file, m[1], m[2], m[3], int(m[4]), int(m[5])) for file, m in matches if m is not None
    ]


def _older_copies(backups: Path, path: Path) -> list[_Copy]:
    """Copies from before sessions had ids, of the folder and the name that the file has now."""
    matches = (
        (file, _BY_FOLDER.fullmatch(file.name)) for file in (backups / session_name(path)).glob("*")
    )
    return [
        _Copy(file, m[1], m[2], entries=_length(file))
        for file, m in matches
        if m is not None and m[2] == _place(path)
    ]


def _identity(path: Path, connection: sqlite3.Connection | None = None) -> tuple[str, str]:
    """The id of a session, as copies bear it, and when it was made; of a file that cannot be opened what can be found in its bytes."""
    try:
        if connection is None:
            with contextlib.closing(plain_connection(path, "ro")) as own:
                return _identity(path, own)
        meta = dict(
            connection.execute(
                "SELECT key, value FROM meta WHERE key IN ('id', 'created')"
            ).fetchall()
        )
        return str(meta.get("id", "")).removeprefix(ID_PREFIX)[:12], str(meta.get("created", ""))
    except (sqlite3.Error, OSError, StoreError, ValueError):
        return _id_in_bytes(path), ""


def _id_in_bytes(path: Path) -> str:
    """The id that stands in the bytes of a file, where only one does."""
    try:
        with path.open("rb") as file:
            found = {match[1].decode() for match in _ID.finditer(file.read(64 * 2**20))}
    except OSError:
        return ""
    return found.pop() if len(found) == 1 else ""


def _asked(file: Path, sql: str) -> str:
    """The first value that a copy answers; empty where it cannot be read."""
    try:
        with contextlib.closing(plain_connection(file, "ro")) as connection:
            row = connection.execute(sql).fetchone()
    except (sqlite3.Error, OSError, StoreError):
        return ""
    return str(row[0] or "") if row else ""


def _length(file: Path) -> int:
    said = _asked(file, "SELECT max(seq) FROM log")
    return int(said) if said.isdigit() else 0


def _created(file: Path) -> str:
    return _asked(file, "SELECT value FROM meta WHERE key = 'created'")


def taken(copy: Path) -> datetime:
    """When a copy was made."""
    return datetime.strptime(copy.name.partition("-")[0], _STAMP).replace(tzinfo=UTC)


def all_of(backups: Path, path: Path) -> Iterator[Path]:
    """The folder of the copies that are named as this session is, and what lies in it."""
    folder = backups / session_name(path)
    yield folder
    yield from folder.glob("*")


def due(
    backups: Path, path: Path, now: datetime, connection: sqlite3.Connection | None = None
) -> bool:
    """Whether no copy was made in the last half hour; one from the future, when a clock was wrong, does not count."""
    return not any(
        timedelta(0) <= now - taken(copy) <= EVERY for copy in copies(backups, path, connection)
    )


def copy_to(connection: sqlite3.Connection, target: Path) -> None:
    """A whole copy of what is committed, complete under its name or not there at all."""
    part = unfinished(target, "part")
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
    """Make a copy now, and keep it and those two of the others that have the longest logs."""
    folder = backups / session_name(path)
    make_folder(folder)
    make_private(folder, *copies(backups, path, connection))
    sweep(folder)
    stamp, session = now.astimezone(UTC).strftime(_STAMP), _identity(path, connection)[0]
    heads = {
        str(name): int(rows) for name, rows in connection.execute("SELECT name, rows FROM heads")
    }
    more = f"-{session}-{heads.get('log', 0)}-{heads.get('commits', 0)}" if session else ""
    target = folder / f"{stamp}-{_place(path)}{more}{SUFFIX}"
    copy_to(connection, target)
    for old in [copy for copy in copies(backups, path, connection) if copy != target][KEPT - 1 :]:
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
    """The whole copy that has the longest log."""
    return (
        next((copy for copy in copies(backups, path) if is_good(copy)), None) if backups else None
    )


def restore(path: Path, backup: Path) -> Path | None:
    """Put ``backup`` in the place of the session ``path``. What stood there is moved aside, never deleted; returns where to (or None).

    Raises StoreError when the copy is not whole, when the session is open somewhere, or when the disk refuses.
    """
    if not is_good(backup):
        raise StoreError(
            f"{backup} is not a complete session file, so nothing was restored.",
            "Choose another copy.",
        )
    lock = FileLock(path.with_name(path.name + ".lock"))
    fresh = unfinished(path, "restored")
    try:
        make_folder(path.parent)
        if not lock.acquire():
            raise StoreError(
                f"{path.name} is open elsewhere, so nothing was restored.", "Close it there first."
            )
        with contextlib.closing(plain_connection(backup, "ro")) as source:
            copy_to(source, fresh)
        aside = _keep_aside(path)
        os.replace(fresh, path)
        remove_mark(path)
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        fresh.unlink(missing_ok=True)
        lock.release()
    return aside


def _keep_aside(path: Path) -> Path | None:
    """As ``move_aside``, but the file keeps its name, too, until another takes it: a session is never without one."""
    if not path.exists():
        clear_companions(path)
        return None
    aside = _aside(path, "replaced")
    _move_companions(path, aside)
    try:
        os.link(path, aside)
    except OSError:  # a disk without hard links
        os.replace(path, aside)
    return aside


def move_aside(path: Path, word: str) -> Path | None:
    """Rename a database and what belongs to it to ``NAME.WORD-time``. None when there is nothing there."""
    if not path.exists():
        clear_companions(path)
        return None
    aside = _aside(path, word)
    _move_companions(path, aside)
    os.replace(path, aside)
    return aside


def _aside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.name}.{word}-{utc_now().strftime(_STAMP)}")


def _move_companions(path: Path, aside: Path) -> None:
    for end in COMPANIONS:
        companion = path.with_name(path.name + end)
        if companion.exists():
            os.replace(companion, aside.with_name(aside.name + end))
