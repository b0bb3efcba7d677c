"""How far a session was written, noted beside its file, so that the loss of a write-ahead log is
seen.

While a session is open its last commits stand in the log beside it (``NAME.coi.db-wal``). Where
that is cut, damaged or deleted, SQLite goes back to what it can still read and says nothing. The
mark, ``.NAME.coi.db.mark``, says how long the hash chain was after each commit. It is not forced
onto the disk: a mark from before the last commits is harmless. It goes when a session is closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

from coi_tui.model.text import count
from coi_tui.private_files import FILE_MODE, make_file
from coi_tui.store.chain import head

LOST = "lost"
"""Under this what was lost stands in the session itself."""


class Mark(NamedTuple):
    """The id of a session, the length and end of its hash chain, and the length of its log."""

    session: str
    changes: int
    end: str
    entries: int


def mark_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.mark")


def _now(connection: sqlite3.Connection) -> Mark:
    (session,) = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    (entries,) = connection.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
    return Mark(session, *head(connection), entries)


def note_mark(path: Path, connection: sqlite3.Connection) -> None:
    """Note how far a session is written. What goes wrong stops nothing: the mark is a second
    look."""
    line = json.dumps(_now(connection)).ljust(256).encode()
    with contextlib.suppress(OSError):
        number = os.open(mark_path(path), os.O_WRONLY | os.O_CREAT, FILE_MODE)
        with os.fdopen(number, "wb", buffering=0) as out:
            out.write(line)


def read_mark(path: Path) -> Mark | None:
    """The mark of a session file; None where there is none, or none that can be read."""
    try:
        session, changes, end, entries = json.loads(mark_path(path).read_bytes())
        return Mark(str(session), int(changes), str(end), int(entries))
    except (OSError, ValueError, TypeError):
        return None


def loss_of(connection: sqlite3.Connection, mark: Mark | None) -> str:
    """What was lost with a write-ahead log, in a sentence; empty where nothing was."""
    try:
        now = _now(connection)
        if mark is None or mark.session != now.session:
            return ""
        there = connection.execute("SELECT hash FROM chain WHERE n = ?", [mark.changes]).fetchone()
    except (sqlite3.Error, TypeError):  # that the file is damaged is found by the check itself
        return ""
    if there == (mark.end,):
        return ""
    lost = mark.changes - now.changes
    said = count(lost, "change") if lost > 0 else "what others have replaced"
    first, last = now.entries + 1, mark.entries
    entries = f"log entry {last}" if first == last else f"log entries {first} to {last}"
    return f"Lost with the write-ahead log: {said}{f', {entries} among them' * (first <= last)}."


def keep_the_rest(path: Path, connection: sqlite3.Connection) -> str:
    """Before a session is written: where commits are lost, copy what is left of its write-ahead log
    aside. A sentence about it, else empty. Raises OSError: then nothing may be written."""
    mark = read_mark(path)
    said, wal = loss_of(connection, mark), path.with_name(path.name + "-wal")
    if not said or mark is None or not wal.exists():
        return said
    rest = path.with_name(f"{path.name}.lost-{mark.changes}.wal")
    make_file(rest)
    shutil.copyfile(wal, rest)
    return f"{said} What is left of the log is kept in {rest.name}."
