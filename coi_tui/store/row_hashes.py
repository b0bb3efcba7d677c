"""What lets a later change of a row be seen: the hash chains of tables that are only added to, the sums of tables whose rows are replaced.

All of it stands in the table ``heads``: for a chain the number of its rows and the last hash, for a sum the number of rows and the sum of
their hashes, and under ``commits`` how often the file was written. Files of formats below 4 have no sums; then they are left out.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

Value = str | int | None

CHAINED = {"log": "seq", "calls": "id", "failures": "id", "job_events": "id", "paper_log": "id"}
"""The append-only tables and the column that numbers their rows from 1."""
TEXTS = {
    "log": "json",
    "calls": "json, reply",
    "failures": "json",
    "job_events": "json",
    "paper_log": "paper, hash",
}
"""What of a row is in its chain."""
SUMMED = {
    "meta": ("key", "value"),
    "drafts": ("address", "text", "base", "inputs"),
    "ui": ("key", "value"),
}
"""Tables whose rows may be replaced, with their columns; the first is the key."""
COMMITS = "commits"
_WIDTH = 2**256


def link_hash(previous: str, *parts: str) -> str:
    """The chain hash of a row: of the row before it and of its own texts. Lengths keep the parts apart."""
    h = hashlib.sha256(previous.encode("ascii"))
    for part in parts:
        raw = part.encode("utf-8")
        h.update(f"\n{len(raw)}\n".encode("ascii"))
        h.update(raw)
    return h.hexdigest()


def text_hash(text: str) -> str:
    """The hash of one text; of a paper as it was stored."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sum_of(rows: Iterable[Sequence[Value]]) -> tuple[int, str]:
    """How many rows there are, and the sum of their hashes, which does not depend on their order."""
    count, total = 0, 0
    for row in rows:
        count, total = count + 1, (total + _number(row)) % _WIDTH
    return count, f"{total:064x}"


def _number(row: Sequence[Value]) -> int:
    return int(text_hash(json.dumps(list(row), ensure_ascii=True)), 16)


def put_row(db: sqlite3.Connection | Database, table: str, row: Sequence[Value]) -> None:
    """Add a row, or replace the one of its key, inside the caller's transaction."""
    columns = ", ".join(SUMMED[table])
    _change_sum(db, table, row[0], row)
    db.execute(
        f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})",
        list(row),
    )


def drop_row(db: sqlite3.Connection | Database, table: str, key: str) -> None:
    """Delete the row of a key, if there is one, inside the caller's transaction."""
    _change_sum(db, table, key, None)
    db.execute(f"DELETE FROM {table} WHERE {SUMMED[table][0]} = ?", [key])


def count_commit(db: sqlite3.Connection | Database) -> None:
    """Count one more commit, inside it."""
    db.execute("UPDATE heads SET rows = rows + 1 WHERE name = ?", [COMMITS])


def _change_sum(
    db: sqlite3.Connection | Database, table: str, key: Value, new: Sequence[Value] | None
) -> None:
    """Take the old row out of the sum and the new one in, before the row itself is changed."""
    head = db.execute("SELECT rows, chain FROM heads WHERE name = ?", [table]).fetchone()
    if head is None:
        return
    columns = SUMMED[table]
    old = db.execute(
        f"SELECT {', '.join(columns)} FROM {table} WHERE {columns[0]} = ?", [key]
    ).fetchone()
    try:
        count, total = int(head[0]), int(head[1], 16)
    except (ValueError, TypeError):  # damaged: it stays so, for the check to find
        return
    if old is not None:
        count, total = count - 1, total - _number(old)
    if new is not None:
        count, total = count + 1, total + _number(new)
    db.execute(
        "UPDATE heads SET rows = ?, chain = ? WHERE name = ?",
        [count, f"{total % _WIDTH:064x}", table],
    )


def begin_sums(db: sqlite3.Connection | Database) -> None:
    """Enter the sums of the rows as they are, and a count of commits, into a file that has none."""
    for table, columns in SUMMED.items():
        rows = db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        db.execute("INSERT INTO heads (name, rows, chain) VALUES (?, ?, ?)", [table, *sum_of(rows)])
    db.execute("INSERT INTO heads (name, rows, chain) VALUES (?, 0, '')", [COMMITS])
