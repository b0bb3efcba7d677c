"""What lets a later change of a session file be seen: one hash chain over all of its rows.

Each row that is written, replaced or dropped adds a line to the table ``chain``: the table and the
key of the row, and the hash of the line before together with what the row holds now. Every row must
fit the last line about it.

The mark beside the file, ``.NAME.coi.db.mark``, shows the loss of a write-ahead log. While a session
is open its last commits stand in that (``NAME.coi.db-wal``). Where it is cut, damaged or deleted,
SQLite goes back to what it can still read and says nothing. The mark says how long the hash chain
was after each commit. It is not forced onto the disk: a mark from before the last commits is
harmless. It goes when a session is closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from coi_tui.model.text import count, digest
from coi_tui.private_files import FILE_MODE, make_file

Value = str | int | None

TABLES = {
    "meta": ("key", "value"),
    "log": ("seq", "json"),
    "calls": ("id", "key", "json", "reply"),
    "failures": ("id", "json"),
    "job_events": ("id", "job", "json"),
    "papers": ("id", "json"),
    "drafts": ("address", "text", "base", "inputs"),
    "ui": ("key", "value"),
}
"""The tables of a session with their columns; the first is the key."""

WORDS = {
    "meta": "The session's own",
    "log": "Log entry",
    "calls": "Call",
    "failures": "Failure",
    "job_events": "Job event",
    "papers": "Paper",
    "drafts": "The draft of",
    "ui": "The screens' own",
}
"""What a row is called in a finding, before its key."""


def head(db: sqlite3.Connection) -> tuple[int, str]:
    """The number of the last line, and its hash."""
    last = db.execute("SELECT n, hash FROM chain ORDER BY n DESC LIMIT 1").fetchone()
    return last or (0, "")


def put_row(db: sqlite3.Connection, table: str, row: Sequence[Value]) -> None:
    """Add a row, or replace the one of its key, inside the caller's transaction."""
    key, *rest = columns = TABLES[table]
    db.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
        f"ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in rest)}",
        row,
    )
    _add_line(db, table, row[0], row)


def drop_row(db: sqlite3.Connection, table: str, key: str) -> None:
    """Delete the row of a key, if there is one, inside the caller's transaction."""
    if db.execute(f"DELETE FROM {table} WHERE {TABLES[table][0]} = ?", [key]).rowcount:
        _add_line(db, table, key, None)


def _add_line(db: sqlite3.Connection, table: str, key: Value, row: Sequence[Value] | None) -> None:
    number, before = head(db)
    line = (number + 1, table, str(key), _link(before, table, row))
    db.execute("INSERT INTO chain (n, name, key, hash) VALUES (?, ?, ?, ?)", line)


def _link(before: str, table: str, row: Sequence[Value] | None) -> str:
    return digest([before, table, row])


def changed_rows(db: sqlite3.Connection) -> Iterator[str]:
    """A sentence for each row that is not as it was written. ValueError, TypeError for a line that
    is none."""
    last: dict[tuple[str, str], tuple[str, str]] = {}
    before = ""
    lines = db.execute("SELECT n, name, key, hash FROM chain ORDER BY n")
    for place, (number, table, key, kept) in enumerate(lines, 1):
        if number != place:
            yield f"Line {place} of the hash chain is missing."
            return
        last[table, key] = before, kept
        before = kept
    for table, columns in TABLES.items():
        for row in db.execute(f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED"):
            before, kept = last.pop((table, str(row[0])), ("", ""))
            if not kept:
                yield f"{WORDS[table]} {row[0]} was added by another program."
            elif kept != _link(before, table, row):
                yield f"{WORDS[table]} {row[0]} was changed after it was written."
    for (table, key), (before, kept) in last.items():
        if kept != _link(before, table, None):
            yield f"{WORDS.get(table, table)} {key} is missing."


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
