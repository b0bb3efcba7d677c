"""Making and opening a session file.

A new file appears under its name only when it is whole. An existing one is opened whatever state it
is in: to write where that is possible, else for reading only, with the reason.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError
from coi_tui.private_files import make_file, make_folder, make_private
from coi_tui.store.backups import back_up, due, last_good
from coi_tui.store.chain import LOST, append, mark_path, note_mark, put_row, salvage_wal
from coi_tui.store.connection import (
    NEWER,
    DamagedError,
    as_store_error,
    fold_wal,
    format_of,
    has_wal,
    is_damage,
    is_full,
    iso,
    lift_limit,
    plain_connection,
    pragma_number,
    prepare_for_writing,
    session_name,
    utc_now,
)
from coi_tui.store.files import COMPANIONS, FileLock, clear_companions, sweep, unfinished
from coi_tui.store.schema import SESSION_FORMAT, SESSION_ID, bring_up_to_date, fault_in

OPEN_ELSEWHERE = "open elsewhere"
NOT_WRITABLE = "the file or folder cannot be written"
DISK_FULL = "the disk is full"
ASKED = "opened for reading only"
_WHAT_TO_DO = {
    OPEN_ELSEWHERE: "Close it elsewhere first.",
    NOT_WRITABLE: "Change the permissions of the file and its folder, or work on a copy.",
    DISK_FULL: "Free some space, then open it again.",
    NEWER: "Update coi-tui, then open it again.",
}


def what_to_do(reason: str) -> str:
    """What helps where a session can only be read for a reason."""
    return _WHAT_TO_DO.get(reason, "")


def create_session(
    path: Path, meta: Mapping[str, str], entries: Sequence[Decision | Version] = ()
) -> None:
    """Make a new session file with the first entries of its log. Raises StoreError, sqlite3.Error,
    OSError."""

    def fill(db: sqlite3.Connection) -> None:
        for item in meta.items():
            put_row(db, "meta", item)
        append(db, path.name, entries)

    build_session(path, fill)


def build_session(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a new session file with what ``fill`` writes. Raises StoreError, sqlite3.Error,
    OSError."""

    def build(fresh: Path) -> None:
        with contextlib.closing(plain_connection(fresh, "rwc")) as db:
            bring_up_to_date(db)
            lift_limit(db)
            with db:
                put_row(db, "meta", ("id", secrets.token_hex(16)))
                fill(db)

    _put(path, build)


def put_session(path: Path, whole: bytes, name: str) -> None:
    """Make a new session file of the bytes of another, under a name and an id of its own; they are
    not checked, being ours.

    Raises StoreError, sqlite3.Error, OSError.
    """

    def build(fresh: Path) -> None:
        make_file(fresh)
        fresh.write_bytes(whole)
        with contextlib.closing(plain_connection(fresh, "rw")) as db, db:
            put_row(db, "meta", ("id", secrets.token_hex(16)))
            put_row(db, "meta", ("name", name))

    _put(path, build)


def _put(path: Path, build: Callable[[Path], None]) -> None:
    """Build a file under a name of its own, then give it its name unless that is taken."""
    make_folder(path.parent)
    if path.exists():
        raise _taken(path)
    sweep(path.parent)
    fresh = unfinished(path)
    fresh.unlink(missing_ok=True)
    try:
        build(fresh)
        clear_companions(path)
        _publish(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
        clear_companions(fresh)


def _publish(fresh: Path, path: Path) -> None:
    """Name the file, without ever replacing another."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a disk without hard links
        os.replace(fresh, path)


def _taken(path: Path) -> StoreError:
    hint = f"Choose another name, or go on with it: `coi resume {shlex.quote(session_name(path))}`."
    return StoreError(f"The session {path} already exists, so nothing was written.", hint)


@dataclass
class Opened:
    """A session file that is open. ``read_only_reason`` is empty where it can be written.

    ``notices``: sentences about what went wrong but stops nothing.

    ``wal``: whether a reader sees the last commit while the next one is being written.
    """

    path: Path
    connection: sqlite3.Connection
    lock: FileLock
    read_only_reason: str = ""
    wal: bool = False
    notices: list[str] = field(default_factory=list)

    def close(self) -> None:
        """Bring everything into the one file and let go of it."""
        try:
            if not self.read_only_reason and fold_wal(self.connection):
                with contextlib.suppress(OSError):
                    mark_path(self.path).unlink(missing_ok=True)
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Close it as it is."""
        self.connection.close()
        self.lock.release()

    def connect_again(self, mode: Literal["ro", "rw"]) -> None:
        self.connection.close()
        self.connection = plain_connection(self.path, mode)
        lift_limit(self.connection)


def open_session(path: Path, *, read_only: bool, backups: Path | None) -> Opened:
    """Make private, lock, connect, check, bring up to date, note the time, back up if due. To be
    called on the thread that will use the connection.

    Nothing is written before the file was found whole, and what is left of a lost log kept aside.

    Raises DamagedError naming the last good copy, StoreError for what is no session at all, and
    what SQLite or the disk says.
    """
    if not path.is_file():
        raise StoreError(f"There is no session {path}.", "`coi ls` lists the sessions.")
    make_private(
        path,
        *(path.with_name(path.name + end) for end in COMPANIONS),
        *((folder := backups / session_name(path)), *folder.glob("*")) if backups else (),
    )
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        reason = ASKED if read_only else _take_lock(lock, path)
        connection, why = _connect(path, "ro" if reason or has_wal(path) else "rw", backups)
    except BaseException:
        lock.release()
        raise
    opened = Opened(path, connection, lock, reason or why)
    try:
        if not opened.read_only_reason:
            _make_ready(opened, backups)
        elif not reason:
            _only_read(opened)
    except BaseException:
        opened.let_go()
        raise
    return opened


def _only_read(opened: Opened) -> None:
    """Give up writing, and go on reading."""
    opened.lock.release()
    opened.connect_again("ro")


def _take_lock(lock: FileLock, path: Path) -> str:
    """Why the file cannot be written, or nothing once the lock is ours."""
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return NOT_WRITABLE
    try:
        return "" if lock.acquire() else OPEN_ELSEWHERE
    except OSError as error:  # a disk that cannot be written, or has no locks: reading is possible
        return DISK_FULL if is_full(error) else NOT_WRITABLE


def _connect(
    path: Path, mode: Literal["ro", "rw"], backups: Path | None
) -> tuple[sqlite3.Connection, str]:
    """A connection to a whole session file, and why it can only be read."""
    if (
        path.stat().st_size == 0
    ):  # SQLite would take it for a new database, and drop a WAL beside it
        raise DamagedError(path, "it is empty", last_good(backups, path))
    connection: sqlite3.Connection | None = None
    try:
        connection = plain_connection(path, mode)
        number = format_of(connection, path, SESSION_ID)
        if fault := fault_in(connection):
            raise DamagedError(path, fault, last_good(backups, path))
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
            raise DamagedError(path, str(error), last_good(backups, path)) from error
        raise
    return connection, NEWER if number > SESSION_FORMAT else ""


def _make_ready(opened: Opened, backups: Path | None) -> None:
    """Prepare for writing; on a full disk reading is still possible."""
    path = opened.path
    try:
        if lost := salvage_wal(path, opened.connection):
            opened.notices.append(lost)
        sweep(path.parent)
        opened.connect_again("rw")
        db = opened.connection
        opened.wal = prepare_for_writing(db, synchronous="FULL")
        old = pragma_number(db, "user_version") < SESSION_FORMAT
        if backups is not None and (old or due(backups, path, utc_now())):
            _try_to_back_up(opened, backups)
        bring_up_to_date(db)
        with db:
            put_row(db, "meta", ("opened", iso(utc_now())))
            if lost:
                put_row(db, "meta", (LOST, lost))
        note_mark(path, db)
    except (sqlite3.OperationalError, OSError) as error:
        opened.notices.append(as_store_error(error, path).message)
        opened.read_only_reason = DISK_FULL if is_full(error) else NOT_WRITABLE
        _only_read(opened)


def _try_to_back_up(opened: Opened, backups: Path) -> None:
    """A backup that fails is reported in the notices, and the session can be worked on all the
    same."""
    try:
        back_up(opened.connection, backups, opened.path, utc_now())
    except (sqlite3.Error, OSError) as error:
        opened.notices.append(
            f"No backup of {opened.path.name} could be made: {as_store_error(error, backups).message}"
        )
