"""Opening the library whatever state it is in: missing, damaged, foreign, newer, on a disk that cannot be written."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.private_files import make_folder
from coi_tui.store.backups import clear_companions, move_aside
from coi_tui.store.lock import FileLock
from coi_tui.store.migrations import LIBRARY_FORMAT, LIBRARY_ID, library_migrations
from coi_tui.store.opening import NEWER, DamagedError, NotOursError, database, fault_of, format_of, is_damage, prepare_for_writing
from coi_tui.store.writer import said

if TYPE_CHECKING:
    from sqlite_utils import Database

CHECKED_BYTES = 64 * 2**20
"""A larger library is not checked at opening (that would read it all); damage in it is met when it is used."""
WAIT_S = 10.0


@dataclass(frozen=True)
class Opened:
    """A connection, the file it belongs to (None: it is in memory only), and what is to be said about it."""

    db: Database
    identity: tuple[int, int] | None
    read_only_reason: str = ""
    notices: tuple[str, ...] = ()


def identity(path: Path) -> tuple[int, int] | None:
    """Tells one file of a name from the next one; None when it is gone."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return (stat.st_dev, stat.st_ino)


def open_library(path: Path, damaged: tuple[int, int] | None = None) -> Opened:
    """Open or make it, one process at a time. ``damaged`` is a file that was found broken in use."""
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        make_folder(path.parent)
        if not lock.acquire(WAIT_S):
            return _in_memory(path, "another program is busy opening it")
        return _open(path, damaged)
    except (sqlite3.Error, OSError) as error:
        return _in_memory(path, said(error, path).message.rstrip("."))
    finally:
        lock.release()


def _open(path: Path, damaged: tuple[int, int] | None) -> Opened:
    said_so: tuple[str, ...] = ()
    if damaged is not None and identity(path) == damaged:
        said_so = (_aside(path, "it was found damaged while in use"),)
    try:
        return _connect(path, said_so)
    except DamagedError as error:
        return _connect(path, (*said_so, _aside(path, error.cause)))
    except NotOursError:
        return _connect(path, (*said_so, _aside(path, "it was not made by coi-tui")))


def _aside(path: Path, why: str) -> str:
    moved = move_aside(path, "damaged")
    return f"The library {path.name} was moved aside to {moved.name if moved else 'nothing'} and made anew: {why}."


def _connect(path: Path, notices: tuple[str, ...]) -> Opened:
    """One try. DamagedError or NotOursError leave the file as it is."""
    if identity(path) is None:
        clear_companions(path)
    db: Database | None = None
    try:
        db = database(path, "rwc")
        found = 0 if _is_empty(db) else format_of(db.conn, path, LIBRARY_ID)
        if path.stat().st_size <= CHECKED_BYTES and (fault := fault_of(db.conn)):
            raise DamagedError(path, fault, None)
        if found > LIBRARY_FORMAT:
            return Opened(db, identity(path), NEWER, (*notices, f"The library {path.name} was {NEWER}: it is only read."))
        prepare_for_writing(db.conn, synchronous="NORMAL")
        library_migrations().apply(db)
        return Opened(db, identity(path), "", notices)
    except BaseException as error:
        if db is not None:
            db.close()
        if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
            raise DamagedError(path, str(error), None) from error
        raise


def _is_empty(db: Database) -> bool:
    """A file that was only begun: no table but the list of migrations."""
    return not db.execute("SELECT count(*) FROM sqlite_master WHERE tbl_name <> '_sqlite_migrations'").fetchone()[0]


def _in_memory(path: Path, why: str) -> Opened:
    """A library for this run only."""
    from sqlite_utils import Database

    db = Database(memory=True, execute_plugins=False)
    library_migrations().apply(db)
    return Opened(db, None, "", (f"The library {path.name} cannot be used ({why}): what is found is remembered for this run only.",))
