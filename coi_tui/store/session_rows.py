"""Rows of a session file: values as JSON and back, and what one commit adds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Entry, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.validation import problem
from coi_tui.store.chain import TABLES, put_row

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
