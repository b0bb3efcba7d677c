"""Database files: how one is opened and locked, what it says it is, whether it is whole, what may be
beside it, and what SQLite's errors mean in a sentence."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from coi_tui.model.errors import FREE_SPACE, FULL, StoreError, why_not_written
from coi_tui.paths import FILE_MODE, make_file

SUFFIX = ".coi.db"
BUSY_S = 5.0
LONGEST = 256 * 2**20
"""Bytes of the longest text that is read."""
NEWER = "made by a newer coi-tui"
Mode = Literal["ro", "rw", "rwc"]

_SENTENCES = {
    "disk is full": ("The disk is full, so nothing was written to {name}.", FREE_SPACE),
    "readonly": (
        "{name} cannot be written: the file or its folder is read-only.",
        "Change its permissions, or work on a copy.",
    ),
    "database is locked": (
        "{name} is locked by another program, so nothing was written.",
        "Close the other program, then try again.",
    ),
    "malformed": ("{name} is damaged: {cause}.", "Restore a copy."),
    "not a database": ("{name} is damaged: {cause}.", "Restore a copy."),
    "disk i/o error": (
        "{name} could not be read or written: the disk reports an error.",
        "Check the disk, then try again.",
    ),
}


_CONFLICT = re.compile(r"(.+)\.coi([-_. (].*)\.db")
"""How programs that sync folders name a copy of ``NAME.coi.db`` that was changed elsewhere too."""


def session_name(path: Path) -> str:
    """``NAME`` of ``NAME.coi.db``; of a conflict copy (``NAME.coi (2).db``) with what tells it
    apart."""
    return _CONFLICT.sub(r"\1\2", path.name.removesuffix(SUFFIX))


def session_files(folder: Path) -> dict[str, Path]:
    """The sessions of a folder by their names, conflict copies too. Raises OSError."""
    names = sorted(n for n in os.listdir(folder) if n.endswith(".db") and not n.startswith("."))
    found = [folder / n for n in names if n.endswith(SUFFIX) or _CONFLICT.fullmatch(n)]
    return {session_name(path): path for path in found}


def plain_connection(path: Path, mode: Mode, *, busy_s: float = BUSY_S) -> sqlite3.Connection:
    """A connection of the standard library, which takes any file for one that somebody made to do
    harm: its tables are to be compared before a row is read.

    A file that was left in WAL mode and lies in a folder that cannot be written is read as it is,
    if there is no WAL.
    """
    if sqlite3.sqlite_version_info < (3, 37):
        raise StoreError(
            f"This Python has SQLite {sqlite3.sqlite_version}; coi-tui needs 3.37 or newer.",
            "Use a newer Python.",
        )
    if mode == "rwc":
        make_file(path)
    elif not path.is_file():
        raise StoreError(f"There is no file {path}.", "`coi ls` lists the sessions.")

    def connect(how: str) -> sqlite3.Connection:
        uri = f"{path.resolve().as_uri()}?mode={how}"  # quotes blanks, ``?`` and ``#`` in the path
        connection = sqlite3.connect(uri, uri=True, timeout=busy_s)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            if defensive := getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None):  # from 3.12 on
                connection.setconfig(defensive, True)  # type: ignore[attr-defined]
            connection.execute("PRAGMA schema_version").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    try:
        return connect(mode)
    except sqlite3.OperationalError as error:
        refused = any(words in str(error) for words in ("unable to open", "readonly"))
        if mode != "ro" or has_wal(path) or not refused:
            raise
        return connect(f"{mode}&immutable=1")


def has_wal(path: Path) -> bool:
    """Whether commits may be in a write-ahead log next to the file."""
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


@contextlib.contextmanager
def moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Read one moment of the file, also while another process writes it."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def prepare_for_writing(db: sqlite3.Connection, *, synchronous: Literal["FULL", "NORMAL"]) -> None:
    """Durability, and WAL where the disk (and a reader at this moment) allows it: it works
    without."""
    db.execute(f"PRAGMA synchronous = {synchronous}")
    try:
        db.execute("PRAGMA journal_mode = WAL").fetchone()
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise


def header(connection: sqlite3.Connection) -> tuple[int, int]:
    """The application and the format in the header of a file."""
    names = ("application_id", "user_version")
    application, number = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    return int(application), int(number)


def fault_of(
    connection: sqlite3.Connection, check: Literal["quick_check", "integrity_check"]
) -> str:
    """What SQLite's own check finds, in its words; empty when the file is whole."""
    try:
        rows = [str(row[0]) for row in connection.execute(f"PRAGMA {check}(3)")]
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if rows == ["ok"] else "; ".join(rows).replace("\n", " ")


def is_damage(error: Exception) -> bool:
    """Whether the error says that the file's content is broken (and not the disk, a lock or a
    permission)."""
    text = str(error).lower()
    return "malformed" in text or "not a database" in text


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Whether the error says that there is no space left."""
    return (
        error.errno in FULL if isinstance(error, OSError) else "disk is full" in str(error).lower()
    )


def fold_wal(db: sqlite3.Connection) -> bool:
    """Bring everything into the one file, so that a copy of it is whole. False where a reader needs
    a part of the log. Without WAL mode the file can also be opened where nothing can be written."""
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    with contextlib.suppress(sqlite3.OperationalError):  # somebody reads it
        db.execute("PRAGMA journal_mode = DELETE").fetchone()
    return not busy


def as_store_error(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    """The error as one clear sentence about ``path``."""
    if isinstance(error, OSError):
        cause, hint = why_not_written(error)
        return StoreError(f"{path.name} could not be read or written: {cause}.", hint)
    cause = str(error)
    for words, (sentence, hint) in _SENTENCES.items():
        if words in cause.lower():
            return StoreError(sentence.format(name=path.name, cause=cause), hint)
    return StoreError(f"{path.name} could not be read or written: {cause}.")


def utc_now() -> datetime:
    """The store's own clock, for the housekeeping of files only: the times in the log come from the
    caller."""
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """``2026-03-01T12:00:00.000000Z``: sortable as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# -- locks, and the files beside a database

if sys.platform == "win32":
    import msvcrt

    def _try(fd: int, *, shared: bool) -> bool:
        """Lock the first byte; False where another process holds it. Windows has no shared byte
        locks here."""
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(fd: int, *, shared: bool) -> bool:
        """Take the lock without waiting; False where another holder has it. Other errors (no locks
        on this disk) are raised."""
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """An exclusive lock of the operating system, which goes with the process, also on kill -9. The
    file is removed when the lock is given back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def acquire(self, wait_s: float = 0.3) -> bool:
        """True when the lock is ours; False when another holder keeps it for ``wait_s``. OSError
        when no lock file can be made.

        The short wait covers a session list that looks at the lock for a moment (``is_held``).
        """
        end = time.monotonic() + wait_s
        while not self._take():
            if time.monotonic() >= end:
                return False
            time.sleep(0.02)
        return True

    def _take(self) -> bool:
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, FILE_MODE)
        try:
            # the holder before us may have removed the file between our opening and our locking it
            with contextlib.suppress(FileNotFoundError):
                if _try(fd, shared=False) and os.path.samestat(os.stat(self.path), os.fstat(fd)):
                    self._fd = fd
            return self._fd == fd
        finally:
            if self._fd != fd:
                os.close(fd)

    def release(self) -> None:
        """Give the lock back. Safe to call twice."""
        fd, self._fd = self._fd, None
        if fd is not None:
            with contextlib.suppress(OSError):  # Windows removes no open file: it stays, unlocked
                self.path.unlink()
            os.close(fd)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock now. Looks with a shared lock that is given back at once;
    creates nothing."""
    try:
        fd = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except OSError:  # no lock file, or none that we may read: no holder that we could know of
        return False
    try:
        return not _try(fd, shared=True)
    except OSError:  # a disk without locks
        return False
    finally:
        os.close(fd)


COMPANIONS = ("-wal", "-shm", "-journal")
A_DAY_S = 24 * 3600.0


def unfinished(path: Path) -> Path:
    """The name under which a process builds ``path``."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def clear_companions(path: Path) -> None:
    """Remove what a database that is gone may have left: it would spoil the next
    one of that name."""
    for end in COMPANIONS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what was left unfinished in a folder for a day. What cannot be removed stays."""
    for end in ("", *COMPANIONS):
        for file in folder.glob(f".*.part{end}"):
            with contextlib.suppress(OSError):
                if time.time() - file.lstat().st_mtime > A_DAY_S:
                    file.unlink()
