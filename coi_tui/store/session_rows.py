"""Rows of a session file: values as JSON and back, the hash chain, what a known paper may still learn, and what one commit adds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Entry, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.validation import problem
from coi_tui.store.row_hashes import count_commit, link_hash, text_hash

if TYPE_CHECKING:
    from sqlite_utils import Database


@cache
def entry_adapter() -> TypeAdapter[Decision | Version]:
    """Reads a log row of either kind."""
    return TypeAdapter(Entry)


def to_json(value: object, what: str) -> str:
    """Strict JSON in the value's own order. Raises StoreError for what JSON or UTF-8 cannot hold (NaN, half characters, objects)."""
    try:
        plain = value.model_dump() if isinstance(value, BaseModel) else value
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except (TypeError, ValueError, PydanticSerializationError) as error:
        raise StoreError(
            f"{what} cannot be stored as JSON ({type(error).__name__}), so nothing was written."
        ) from error
    return text


def entries_of(rows: Iterable[tuple[int, str]], name: str, hint: str) -> list[Decision | Version]:
    """Log rows as entries. Raises StoreError naming the first row that cannot be read."""
    read = entry_adapter().validate_json
    out: list[Decision | Version] = []
    seq = 0
    try:
        for seq, text in rows:  # noqa: B007 - the error names the row
            out.append(read(text))
    except ValidationError as error:
        raise StoreError(
            f"Entry {seq} of {name} cannot be read ({problem(error, 'the row')}).", hint
        ) from None
    return out


def papers_of(rows: Iterable[tuple[str, str]], name: str, hint: str) -> dict[str, Paper]:
    """Paper rows by id. Raises StoreError naming the first that cannot be read."""
    out: dict[str, Paper] = {}
    key = ""
    try:
        for key, text in rows:
            out[key] = Paper.model_validate_json(text)
    except ValidationError as error:
        raise StoreError(
            f"Paper {key} of {name} cannot be read ({problem(error, 'the row')}).", hint
        ) from None
    return out


def call_texts(call: Call) -> tuple[str, str]:
    """A call's row: everything but id and reply, and the reply by itself."""
    what = f"The call {call.key[:12]} ({call.kind})"
    nothing_said = (
        set() if call.cached_tokens else {"cached_tokens"}
    )  # as earlier versions of the program wrote it
    plain: dict[str, Any] = call.model_dump(exclude={"id", "reply"} | nothing_said)
    return to_json(plain, what), to_json(call.reply, f"The reply of {what[0].lower()}{what[1:]}")


@cache
def _object() -> TypeAdapter[dict[str, Any]]:
    return TypeAdapter(dict[str, Any])


def call_of(number: int, text: str, reply: str | None) -> Call:
    """A call from its row. Without its reply, that is empty. ValidationError for a row that is none."""
    read = _object().validate_json
    return Call.model_validate(
        {**read(text), "id": number, "reply": read(reply) if reply is not None else {}}
    )


# -- what one commit adds ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Batch:
    """A commit as texts, made before its transaction begins: what cannot be written is known before anything is."""

    log: list[tuple[int, str]]
    papers: list[Paper]
    calls: list[tuple[str, str, str]]
    failures: list[str]
    events: list[tuple[int, str]]


def batch(
    entries: Sequence[Decision | Version],
    papers: Iterable[Paper],
    calls: Sequence[Call],
    failures: Sequence[Failure],
    job_events: Sequence[JobEvent],
) -> Batch:
    """Everything of a commit as JSON. StoreError for what JSON cannot hold."""
    return Batch(
        log=[
            (entry.seq, to_json(entry, f"Entry {entry.seq} ({entry.address})")) for entry in entries
        ],
        papers=list(papers),
        calls=[(call.key, *call_texts(call)) for call in calls],
        failures=[
            to_json(failure, f"The failure of {failure.step} at {failure.address}")
            for failure in failures
        ],
        events=[
            (event.job, to_json(event, f"An event of job {event.job}")) for event in job_events
        ],
    )


def append(db: Database, new: Batch, name: str) -> list[int]:
    """Add it all; returns the ids of the calls, in their order. ``name`` is the file's, for errors."""
    if new.log:
        _add_log(db, new.log, name)
    if new.failures:
        _add_failures(db, new.failures)
    if new.events:
        _add_events(db, new.events)
    if new.papers:
        _add_papers(db, new.papers)
    ids = _add_calls(db, new.calls) if new.calls else []
    count_commit(db)
    return ids


def _head(db: Database, table: str) -> tuple[int, str]:
    """How many rows an append-only table has, and its last chain hash."""
    count, chain = db.execute("SELECT rows, chain FROM heads WHERE name = ?", [table]).fetchone()
    return int(count), str(chain)


def _move_head(db: Database, table: str, count: int, chain: str) -> None:
    db.execute("UPDATE heads SET rows = ?, chain = ? WHERE name = ?", [count, chain, table])


def _add_log(db: Database, log: Sequence[tuple[int, str]], name: str) -> None:
    """Append entries. A number that is not the next one is refused; the table's trigger refuses it too."""
    count, chain = _head(db, "log")
    for seq, text in log:
        if seq != count + 1:
            raise StoreError(
                f"Entry {seq} cannot be added to {name}: the next number is {count + 1}, so nothing was written."
            )
        count, chain = seq, link_hash(chain, text)
        db.execute("INSERT INTO log (seq, json, chain) VALUES (?, ?, ?)", [seq, text, chain])
    _move_head(db, "log", count, chain)


def _add_failures(db: Database, failures: Sequence[str]) -> None:
    count, chain = _head(db, "failures")
    for text in failures:
        count, chain = count + 1, link_hash(chain, text)
        db.execute("INSERT INTO failures (id, json, chain) VALUES (?, ?, ?)", [count, text, chain])
    _move_head(db, "failures", count, chain)


def _add_events(db: Database, events: Sequence[tuple[int, str]]) -> None:
    count, chain = _head(db, "job_events")
    for job, text in events:
        count, chain = count + 1, link_hash(chain, text)
        db.execute(
            "INSERT INTO job_events (id, job, json, chain) VALUES (?, ?, ?, ?)",
            [count, job, text, chain],
        )
    _move_head(db, "job_events", count, chain)


def _add_papers(db: Database, papers: Sequence[Paper]) -> None:
    """Add unknown papers; a known one learns only what it did not say. Each text that a paper ever had is in the hash chain."""
    count, chain = _head(db, "paper_log")
    for paper in papers:
        row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
        known = Paper.model_validate_json(row[0]) if row else None
        merged = fill_missing(known, paper) if known else paper
        if merged != known:
            text = to_json(merged, f"The paper {paper.id}")
            sql = "INSERT INTO papers (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json"
            db.execute(sql, [paper.id, text])
            count, kept = count + 1, text_hash(text)
            chain = link_hash(chain, paper.id, kept)
            db.execute(
                "INSERT INTO paper_log (id, paper, hash, chain) VALUES (?, ?, ?, ?)",
                [count, paper.id, kept, chain],
            )
    _move_head(db, "paper_log", count, chain)


def _add_calls(db: Database, calls: Sequence[tuple[str, str, str]]) -> list[int]:
    """Add calls whose key is new; of a known key the known id is returned."""
    count, chain = _head(db, "calls")
    ids: list[int] = []
    for key, text, reply in calls:
        known = db.execute("SELECT id FROM calls WHERE key = ?", [key]).fetchone()
        if known is None:
            count, chain = count + 1, link_hash(chain, text, reply)
            values = [count, key, text, reply, chain]
            db.execute(
                "INSERT INTO calls (id, key, json, reply, chain) VALUES (?, ?, ?, ?, ?)", values
            )
        ids.append(int(known[0]) if known else count)
    _move_head(db, "calls", count, chain)
    return ids
