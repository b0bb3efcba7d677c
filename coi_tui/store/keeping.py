"""Session files as things to keep: put away, copied, taken in from elsewhere. What is in them is not looked at."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.private_files import make_folder
from coi_tui.store.backups import copy_to
from coi_tui.store.lock import FileLock
from coi_tui.store.migrations import SESSION_FORMAT, SESSION_ID
from coi_tui.store.opening import NEWER, fault_of, format_of, plain_connection
from coi_tui.store.writer import said

ARCHIVED, NAME = "archived", "name"


def _set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    with connection:
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))


def set_archived(path: Path, when: str) -> None:
    """Put a session away at an ISO time, or with an empty one take it back. Raises StoreError where it is open elsewhere or not writable.

    The time of the file stays, since the list is ordered by it.
    """
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        if not lock.acquire():
            raise StoreError(f"{path.name} is open elsewhere.", "Close it there first.")
        stat = path.stat()
        with contextlib.closing(plain_connection(path, "rw")) as connection:
            format_of(connection, path, SESSION_ID)
            _set_meta(connection, ARCHIVED, when)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    except (sqlite3.Error, OSError) as error:
        raise said(error, path) from error
    finally:
        lock.release()


def take_in(source: Path, target: Path, name: str) -> None:
    """A whole copy of a session file under another name; the source is only read, also while it is open somewhere.

    Raises StoreError for what is no session file, is damaged, or was made by a newer format, and where the disk refuses.
    """
    try:
        make_folder(target.parent)
        with contextlib.closing(plain_connection(source, "ro")) as connection:
            if format_of(connection, source, SESSION_ID) > SESSION_FORMAT:
                raise StoreError(f"{source.name} was {NEWER}.", "Update coi-tui, then import it again.")
            if fault := fault_of(connection):
                raise StoreError(f"{source.name} is damaged: {fault}.", "Ask for another copy of it.")
            copy_to(connection, target)
        with contextlib.closing(plain_connection(target, "rw")) as connection:
            _set_meta(connection, NAME, name)
            _set_meta(connection, ARCHIVED, "")
    except (sqlite3.Error, OSError) as error:
        raise said(error, source) from error
