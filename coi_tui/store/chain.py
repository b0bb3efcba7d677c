"""What lets a later change of a session file be seen: one hash chain over all of its rows.

Each row that is written, replaced or dropped adds a line to the table ``chain``: the table and the
key of the row, and the hash of the line before together with what the row holds now. Every row must
fit the last line about it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from coi_tui.model.text import digest

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
    for count, (number, table, key, kept) in enumerate(lines, 1):
        if number != count:
            yield f"Line {count} of the hash chain is missing."
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
