"""Rows of a session file, as JSON and back, and what lets a later change of the file be seen: one
hash chain over all of its rows, and a mark beside the file.

Each row that is written, replaced or dropped adds a line to the table ``chain``: the table and the
key of the row, and the hash of the line before together with what the row holds now. Every row must
fit the last line about it.

The mark, ``.NAME.coi.db.mark``, shows the loss of a write-ahead log. While a session is open its
last commits are in that log (``NAME.coi.db-wal``). Where it is cut, damaged or deleted, SQLite goes
back to what it can still read and reports nothing. The mark says how long the hash chain was after
each commit. It is not forced onto the disk: a mark from before the last commits is harmless. It
goes when a session is closed.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from coi_tui.model.entries import Call, Decision, Entry, Failure, JobEvent, Version
from coi_tui.model.errors import StoreError, problem
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.text import count, digest
from coi_tui.store.schema import fault_in

Value = str | int | None

TABLES = {
    "meta": "The session's own",
    "log": "Log entry",
    "calls": "Call",
    "failures": "Failure",
    "job_events": "Job event",
    "papers": "Paper",
    "drafts": "The draft of",
    "ui": "The screens' own",
}
"""The tables of a session, whose first column is the key; and what a row is called in a finding,
before its key."""


def _head(db: sqlite3.Connection) -> tuple[int, str]:
    """The number of the last line, and its hash."""
    last = db.execute("SELECT n, hash FROM chain ORDER BY n DESC LIMIT 1").fetchone()
    return last or (0, "")


def put_row(db: sqlite3.Connection, table: str, *row: Value) -> None:
    """Add a row, or replace the one of its key, inside the caller's transaction."""
    db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    _add_line(db, table, row[0], row)


def drop_draft(db: sqlite3.Connection, address: str) -> None:
    """Delete the draft of an address, if there is one, inside the caller's transaction."""
    if db.execute("DELETE FROM drafts WHERE address = ?", [address]).rowcount:
        _add_line(db, "drafts", address, None)


def _add_line(db: sqlite3.Connection, table: str, key: Value, row: Sequence[Value] | None) -> None:
    number, before = _head(db)
    line = (number + 1, table, str(key), digest([before, table, row]))
    db.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", line)


def _changed_rows(db: sqlite3.Connection) -> Iterator[str]:
    """A sentence for each row that is not as it was written."""
    last: dict[tuple[str, str], tuple[str, str]] = {}
    before = ""
    lines = db.execute("SELECT n, name, key, hash FROM chain ORDER BY n")
    for place, (number, table, key, written) in enumerate(lines, 1):
        if number != place:
            yield f"Line {place} of the hash chain is missing."
            return
        last[table, key] = before, written
        before = written
    for table, word in TABLES.items():
        for row in db.execute(f"SELECT * FROM {table} NOT INDEXED"):
            before, written = last.pop((table, str(row[0])), ("", ""))
            if not written:
                yield f"{word} {row[0]} was added by another program."
            elif written != digest([before, table, row]):
                yield f"{word} {row[0]} was changed after it was written."
    for (table, key), (before, written) in last.items():
        if written != digest([before, table, None]):
            yield f"{TABLES.get(table, table)} {key} is missing."


def _unreadable_rows(db: sqlite3.Connection) -> Iterator[str]:
    for table, word in TABLES.items():
        for row in db.execute(f"SELECT * FROM {table} ORDER BY 1"):
            try:
                if table == "calls":
                    call_of(row[0], *row[2:])
                elif table != "meta":
                    adapter(table).validate_json(row[-1])
            except ValidationError as error:
                yield f"{word} {row[0]} cannot be read ({problem(error, 'the row')})."


def findings(db: sqlite3.Connection) -> list[str]:
    """What is not as it was written, a sentence each, in a fixed order. Of a file that SQLite finds
    broken, or whose tables are not ours, nothing else is read."""
    try:
        if fault := fault_in(db, "integrity_check"):
            return [f"The file is damaged: {fault}."]
        return [*_changed_rows(db), *_unreadable_rows(db)]
    except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
        # bytes that are no text, a number where a text was
        return [f"The file is damaged: {error}."]


# -- the mark

LOST = "lost"
"""Under this key the session itself says what was lost."""
Mark = tuple[str, int, str]
"""The id of a session, and the length and end of its hash chain."""


def mark_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.mark")


def current_mark(db: sqlite3.Connection) -> Mark:
    """How far a session is written now."""
    (session,) = db.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    return (session, *_head(db))


def note_mark(path: Path, db: sqlite3.Connection) -> None:
    """Note how far a session is written. What goes wrong stops nothing: the mark is a second
    look."""
    with contextlib.suppress(OSError):
        mark_path(path).write_text(json.dumps(current_mark(db)))


def read_mark(path: Path) -> Mark | None:
    """The mark of a session file; None where there is none, or none that can be read."""
    try:
        session, changes, end = json.loads(mark_path(path).read_bytes())
        return str(session), int(changes), str(end)
    except (OSError, ValueError, TypeError):
        return None


def loss_of(db: sqlite3.Connection, mark: Mark | None) -> str:
    """What was lost with a write-ahead log, in a sentence; empty where nothing was."""
    try:
        session, changes, _ = current_mark(db)
        if mark is None or mark[0] != session:
            return ""
        there = db.execute("SELECT hash FROM chain WHERE n = ?", [mark[1]]).fetchone()
    except (sqlite3.Error, TypeError):  # that the file is damaged is found by the check itself
        return ""
    if there == (mark[2],):
        return ""
    lost = mark[1] - changes
    what = count(lost, "change") if lost > 0 else "changes that others have replaced since"
    return f"Lost with the write-ahead log: {what}."


# -- rows as JSON


@cache
def adapter(table: str) -> TypeAdapter[Any]:
    """What reads the rows of a table from JSON; in the log these are decisions or versions."""
    kinds: dict[str, Any] = {
        "log": Entry,
        "calls": dict[str, Any],
        "failures": Failure,
        "job_events": JobEvent,
        "papers": Paper,
    }
    return TypeAdapter(kinds.get(table, Any))


def to_json(value: object, what: str) -> str:
    """Strict JSON in the value's own order. Raises StoreError for what JSON or UTF-8 cannot hold
    (NaN, half characters, objects)."""
    try:
        plain = value.model_dump() if isinstance(value, BaseModel) else value
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except (TypeError, ValueError, PydanticSerializationError) as error:
        raise StoreError(
            f"{what} cannot be stored as JSON ({type(error).__name__}), so nothing was written."
        ) from error
    return text


def call_of(number: int, text: str, reply: str = "{}") -> Call:
    """A call from its row. ValidationError for a row that is none."""
    read = adapter("calls").validate_json
    return Call.model_validate({**read(text), "id": number, "reply": read(reply)})


# -- what one commit adds


class NewRows(TypedDict, total=False):
    """What one commit adds. Entries carry the next numbers of the log."""

    entries: Sequence[Decision | Version]
    papers: Iterable[Paper]
    calls: Sequence[Call]
    failures: Sequence[Failure]
    job_events: Sequence[JobEvent]


def append(db: sqlite3.Connection, name: str, new: NewRows) -> list[int]:
    """Add everything, inside the caller's transaction; returns the ids of the calls, in their
    order.

    StoreError for what JSON cannot hold, and for an entry whose number is not the next of the log.
    ``name`` is the file's.
    """
    for seq, entry in enumerate(new.get("entries", ()), _next(db, "log")):
        if entry.seq != seq:
            raise StoreError(
                f"Entry {entry.seq} cannot be added to {name}: the next number is {seq}, so nothing was written."
            )
        put_row(db, "log", seq, to_json(entry, f"Entry {seq} ({entry.address})"))
    for number, failure in enumerate(new.get("failures", ()), _next(db, "failures")):
        what = f"The failure of {failure.step} at {failure.address}"
        put_row(db, "failures", number, to_json(failure, what))
    for number, event in enumerate(new.get("job_events", ()), _next(db, "job_events")):
        text = to_json(event, f"An event of job {event.job}")
        put_row(db, "job_events", number, event.job, text)
    for paper in new.get("papers", ()):
        row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
        known = Paper.model_validate_json(row[0]) if row else None
        merged = fill_missing(known, paper) if known else paper
        if merged != known:
            put_row(db, "papers", paper.id, to_json(merged, f"The paper {paper.id}"))
    return [_add_call(db, call) for call in new.get("calls", ())]


def _add_call(db: sqlite3.Connection, call: Call) -> int:
    """The id of a call, which is added if its key is new."""
    known = db.execute("SELECT id FROM calls WHERE key = ?", [call.key]).fetchone()
    if known is not None:
        return int(known[0])
    what, number = f"The call {call.key[:12]} ({call.kind})", _next(db, "calls")
    text = to_json(call.model_dump(exclude={"id", "reply"}), what)
    put_row(db, "calls", number, call.key, text, to_json(call.reply, f"{what}, its reply,"))
    return number


def _next(db: sqlite3.Connection, table: str) -> int:
    """The number of the next row of a table that is only added to."""
    (number,) = db.execute(f"SELECT coalesce(max(rowid), 0) + 1 FROM {table}").fetchone()
    return int(number)
