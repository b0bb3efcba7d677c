"""Rows of a session file, as JSON and back, and the hash chain over them with the mark beside the file.

What lets a later change of a session file be seen: one hash chain over all of its rows.

Each row that is written, replaced or dropped adds a line to the table ``chain``: the table and the
key of the row, and the hash of the line before together with what the row holds now. Every row must
fit the last line about it.

The mark beside the file, ``.NAME.coi.db.mark``, shows the loss of a write-ahead log. While a session
is open its last commits stand in that (``NAME.coi.db-wal``). Where it is cut, damaged or deleted,
SQLite goes back to what it can still read and says nothing. The mark says how long the hash chain
was after each commit. It is not forced onto the disk: a mark from before the last commits is
harmless. It goes when a session is closed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from coi_tui.model.entries import Call, Decision, Entry, Failure, JobEvent, Version
from coi_tui.model.errors import StoreError, problem
from coi_tui.model.papers import Paper, fill_missing
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


def salvage_wal(path: Path, connection: sqlite3.Connection) -> str:
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


K = TypeVar("K")
T = TypeVar("T")


@cache
def entry_adapter() -> TypeAdapter[Decision | Version]:
    """Reads a log row of either kind."""
    return TypeAdapter(Entry)


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


def read_rows(
    rows: Iterable[tuple[K, str]], read: Callable[[str], T], what: str, name: str, hint: str
) -> dict[K, T]:
    """Rows by their keys. Raises StoreError naming the first that cannot be read."""
    out: dict[K, T] = {}
    for key, text in rows:
        try:
            out[key] = read(text)
        except ValidationError as error:
            raise StoreError(
                f"{what} {key} of {name} cannot be read ({problem(error, 'the row')}).", hint
            ) from None
    return out


@cache
def _object() -> TypeAdapter[dict[str, Any]]:
    return TypeAdapter(dict[str, Any])


def call_of(number: int, text: str, reply: str | None) -> Call:
    """A call from its row. Without its reply, that is empty. ValidationError for a row that is
    none."""
    read = _object().validate_json
    return Call.model_validate(
        {**read(text), "id": number, "reply": read(reply) if reply is not None else {}}
    )


# -- what one commit adds


def append(
    db: sqlite3.Connection,
    name: str,
    entries: Sequence[Decision | Version] = (),
    papers: Iterable[Paper] = (),
    calls: Sequence[Call] = (),
    failures: Sequence[Failure] = (),
    job_events: Sequence[JobEvent] = (),
) -> list[int]:
    """Add everything, inside the caller's transaction; returns the ids of the calls, in their
    order.

    StoreError for what JSON cannot hold, and for an entry whose number is not the next of the log.
    ``name`` is the file's.
    """
    for seq, entry in enumerate(entries, _next(db, "log")):
        if entry.seq != seq:
            raise StoreError(
                f"Entry {entry.seq} cannot be added to {name}: the next number is {seq}, so nothing was written."
            )
        put_row(db, "log", (seq, to_json(entry, f"Entry {seq} ({entry.address})")))
    for number, failure in enumerate(failures, _next(db, "failures")):
        what = f"The failure of {failure.step} at {failure.address}"
        put_row(db, "failures", (number, to_json(failure, what)))
    for number, event in enumerate(job_events, _next(db, "job_events")):
        text = to_json(event, f"An event of job {event.job}")
        put_row(db, "job_events", (number, event.job, text))
    for paper in papers:
        row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
        known = Paper.model_validate_json(row[0]) if row else None
        merged = fill_missing(known, paper) if known else paper
        if merged != known:
            put_row(db, "papers", (paper.id, to_json(merged, f"The paper {paper.id}")))
    return [_add_call(db, call) for call in calls]


def _add_call(db: sqlite3.Connection, call: Call) -> int:
    """The id of a call, which is added if its key is new."""
    known = db.execute("SELECT id FROM calls WHERE key = ?", [call.key]).fetchone()
    if known is not None:
        return int(known[0])
    what = f"The call {call.key[:12]} ({call.kind})"
    reply = to_json(call.reply, f"The reply of {what[0].lower()}{what[1:]}")
    text = to_json(call.model_dump(exclude={"id", "reply"}), what)
    number = _next(db, "calls")
    put_row(db, "calls", (number, call.key, text, reply))
    return number


def _next(db: sqlite3.Connection, table: str) -> int:
    """The number of the next row of a table that is only added to."""
    (number,) = db.execute(
        f"SELECT coalesce(max({TABLES[table][0]}), 0) + 1 FROM {table}"
    ).fetchone()
    return int(number)
