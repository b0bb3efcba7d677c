"""Whether a session file is as it was written: SQLite's own check, its schema, the hash chains and sums, every row, every reference."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.papers import Paper
from coi_tui.model.validation import problem
from coi_tui.store import session_rows as rows
from coi_tui.store.connection import fault_of, pragma_number
from coi_tui.store.row_hashes import CHAINED, SUMMED, TEXTS, link_hash, sum_of, text_hash
from coi_tui.store.schema import schema_faults

T = TypeVar("T", bound=BaseModel)
DAMAGED = "The file is damaged"
"""How the finding begins after which nothing else of the file was read."""


def findings(connection: sqlite3.Connection) -> list[str]:
    """All findings, in a fixed order. A file that SQLite itself finds broken is not looked at further."""
    try:
        faults = schema_faults(connection)
    except (sqlite3.Error, ValueError) as error:
        return [f"{DAMAGED}: {error}."]
    said = [f"{fault[0].upper()}{fault[1:]}." for fault in faults.all]
    return said if faults.unreadable else [*said, *row_findings(connection)]


def row_findings(connection: sqlite3.Connection) -> list[str]:
    """The same without the schema, whose tables are known to be ours."""
    try:
        if fault := fault_of(connection, "integrity_check"):
            return [f"{DAMAGED}: {fault}."]
        return _content(connection)
    except (
        sqlite3.Error,
        ValueError,
        TypeError,
        RecursionError,
    ) as error:  # bytes that are no text, a number where a text was
        return [f"{DAMAGED}: {error}."]


def _content(connection: sqlite3.Connection) -> list[str]:
    out = list(_format(connection))
    for table, number in CHAINED.items():
        out += _chain(connection, table, number)
    entries, bad = _entries(connection)
    out += bad
    out += _rows(
        connection, "SELECT id, json FROM papers ORDER BY id", "Paper", Paper.model_validate_json
    )
    out += _rows(
        connection,
        "SELECT id, json FROM failures ORDER BY id",
        "Failure",
        Failure.model_validate_json,
    )
    out += _rows(
        connection,
        "SELECT id, json FROM job_events ORDER BY id",
        "Job event",
        JobEvent.model_validate_json,
    )
    out += _calls(connection)
    out += _references(connection, entries)
    out += _filed(connection)
    out += _papers(connection)
    out += _sums(connection)
    return out


def _format(connection: sqlite3.Connection) -> Iterator[str]:
    row = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    number = pragma_number(connection, "user_version")
    if row is None or row[0] != str(number):
        yield f"The format number is {number} in the header and {row[0] if row else 'missing'} in the meta table."


def _chain(connection: sqlite3.Connection, table: str, number: str) -> Iterator[str]:
    """Recompute the chain. After the first break every later hash differs too, so only that one is reported."""
    chain, count = "", 0
    for key, kept, *texts in connection.execute(
        f"SELECT {number}, chain, {TEXTS[table]} FROM {table} ORDER BY {number}"
    ):
        count += 1
        if key != count:
            yield f"{table}: row {count} is missing (row {key} follows)."
            return
        chain = link_hash(chain, *texts)
        if chain != kept:
            yield f"{table}: row {key}, or one before it, was changed after it was written."
            return
    head = connection.execute("SELECT rows, chain FROM heads WHERE name = ?", [table]).fetchone()
    if head is None or tuple(head) != (count, chain):
        yield f"{table}: the last rows are not those that were written last ({count} found, {head[0] if head else 'no number'} expected)."


def _entries(connection: sqlite3.Connection) -> tuple[dict[int, Decision | Version], list[str]]:
    read = rows.entry_adapter().validate_json
    entries: dict[int, Decision | Version] = {}
    bad: list[str] = []
    for seq, text in connection.execute("SELECT seq, json FROM log ORDER BY seq"):
        try:
            entry = read(text)
        except ValidationError as error:
            bad.append(f"Entry {seq} cannot be read ({problem(error, 'the row')}).")
            continue
        entries[seq] = entry
        if entry.seq != seq:
            bad.append(f"Entry {seq} calls itself {entry.seq}.")
        if isinstance(entry, Version):
            bad += _meanings(entry, entries)
    return entries, bad


def _meanings(version: Version, before: dict[int, Decision | Version]) -> Iterator[str]:
    """Each field that says something means its own content, or what it meant in a parent."""
    own = meanings_of(version.content)
    parents = [p for n in version.parents if isinstance(p := before.get(n), Version)]
    for name in sorted(own.keys() | version.meanings.keys()):
        kept = version.meanings.get(name)
        if kept != own.get(name) and kept not in {p.meanings.get(name) for p in parents}:
            yield f"Version {version.seq} ({version.address}): the stored meaning of {name} is neither its own nor a parent's."


def _rows(
    connection: sqlite3.Connection, sql: str, what: str, read: Callable[[str], T]
) -> Iterator[str]:
    for key, text in connection.execute(sql):
        try:
            value = read(text)
        except ValidationError as error:
            yield f"{what} {key} cannot be read ({problem(error, 'the row')})."
            continue
        if isinstance(value, Paper) and value.id != key:
            yield f"Paper {key} calls itself {value.id}."


def _papers(connection: sqlite3.Connection) -> Iterator[str]:
    """Each paper says what the chain of papers says that it said last."""
    last = dict(connection.execute("SELECT paper, hash FROM paper_log ORDER BY id"))
    for key, text in connection.execute("SELECT id, json FROM papers ORDER BY id"):
        kept = last.pop(key, None)
        if kept is None:
            yield f"Paper {key} was added by another program."
        elif kept != text_hash(text):
            yield f"Paper {key} was changed after it was written."
    yield from (f"Paper {key} is missing." for key in last)


_WHAT = {
    "meta": "what the file says of itself",
    "drafts": "the list of unfinished texts",
    "ui": "what the screens remember",
}


def _sums(connection: sqlite3.Connection) -> Iterator[str]:
    for table, columns in SUMMED.items():
        found = sum_of(connection.execute(f"SELECT {', '.join(columns)} FROM {table}"))
        kept = connection.execute(
            "SELECT rows, chain FROM heads WHERE name = ?", [table]
        ).fetchone()
        if kept is None or tuple(kept) != found:
            yield f"{table}: {_WHAT[table]} was changed, or a part of it lost, after it was written."


def _filed(connection: sqlite3.Connection) -> Iterator[str]:
    """What stands in a column of its own is what the row says, and what should be JSON is."""
    for number, job, text in connection.execute("SELECT id, job, json FROM job_events ORDER BY id"):
        if _plain(text, dict).get("job", job) != job:
            yield f"Job event {number} is filed under another job than its own."
    for table, key, column in (("drafts", "address", "inputs"), ("ui", "key", "value")):
        for name, text in connection.execute(f"SELECT {key}, {column} FROM {table} ORDER BY {key}"):
            if _plain(text, object) is _NO_JSON:
                yield f"{table}: the {column} of {name} cannot be read."


_NO_JSON: Any = {}


def _plain(text: str, kind: type[Any]) -> Any:
    """A text as JSON of a kind, else nothing; rows that cannot be read have a finding of their own."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _NO_JSON
    return value if isinstance(value, kind) else _NO_JSON


def _calls(connection: sqlite3.Connection) -> Iterator[str]:
    for number, key, text, reply in connection.execute(
        "SELECT id, key, json, reply FROM calls NOT INDEXED ORDER BY id"
    ):
        try:
            call: Call = rows.call_of(number, text, reply)
        except ValidationError as error:
            yield f"Call {number} cannot be read ({problem(error, 'the row')})."
            continue
        if call.key != key:
            yield f"Call {number} is filed under another key than its own."


def _references(
    connection: sqlite3.Connection, entries: dict[int, Decision | Version]
) -> Iterator[str]:
    """Calls and versions that are named must be there, and a version only after what it was made from."""
    calls = {int(row[0]) for row in connection.execute("SELECT id FROM calls")}
    versions = {seq for seq, entry in entries.items() if isinstance(entry, Version)}
    for entry in entries.values():
        if isinstance(entry, Decision):
            yield from _of_decision(entry, versions)
        else:
            yield from _of_version(entry, versions, calls, entries)


def _of_decision(entry: Decision, versions: set[int]) -> Iterator[str]:
    named = entry.value.get("version")
    if not isinstance(named, int) or named < 0:  # below 0: shared by a fork
        return
    if named not in versions or named >= entry.seq:
        yield f"Decision {entry.seq} ({entry.address}) names version {named}, which is not there."


def _of_version(
    entry: Version, versions: set[int], calls: set[int], entries: dict[int, Decision | Version]
) -> Iterator[str]:
    who = f"Version {entry.seq} ({entry.address})"
    for call in entry.calls:
        if call not in calls:
            yield f"{who} names call {call}, which is not there."
    for parent in entry.parents:
        if parent not in versions or parent >= entry.seq:
            yield f"{who} names version {parent} as a parent, which is not there."
    for source in entry.sources.values():
        if not _source_there(source, entry.seq, entries):
            yield f"{who} names {source} as a source, which is not there."


def _source_there(source: str, seq: int, entries: dict[int, Decision | Version]) -> bool:
    """``v12`` and ``d7`` name log entries; any other word is the engine's own."""
    match = re.fullmatch(r"([vd])(\d+)", source)
    if match is None:
        return True
    entry = entries.get(int(match[2]))
    kind = Version if match[1] == "v" else Decision
    return isinstance(entry, kind) and entry.seq < seq
