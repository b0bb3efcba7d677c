"""Whether a session file is as it was written: SQLite's own check, its schema, the hash chain, and
that every row can be read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator

from pydantic import ValidationError

from coi_tui.model.entries import Failure, JobEvent
from coi_tui.model.errors import problem
from coi_tui.model.papers import Paper
from coi_tui.store.chain import TABLES, WORDS, call_of, changed_rows, entry_adapter
from coi_tui.store.connection import fault_of, pragma_number
from coi_tui.store.schema import schema_faults

DAMAGED = "The file is damaged"
"""How the finding begins after which nothing else of the file was read."""


def findings(connection: sqlite3.Connection) -> list[str]:
    """All findings, in a fixed order. A file that SQLite itself finds broken is not looked at
    further."""
    try:
        faults = schema_faults(connection)
    except (sqlite3.Error, ValueError) as error:
        return [f"{DAMAGED}: {error}."]
    said = [f"{fault[0].upper()}{fault[1:]}." for fault in faults]
    return said or row_findings(connection)


def row_findings(connection: sqlite3.Connection) -> list[str]:
    """The same without the schema, whose tables are known to be ours."""
    try:
        if fault := fault_of(connection, "integrity_check"):
            return [f"{DAMAGED}: {fault}."]
        found = [*changed_rows(connection), *_unreadable_rows(connection)]
        number = pragma_number(connection, "user_version")
        if ("format", str(number)) not in connection.execute("SELECT key, value FROM meta"):
            found.append(f"The format number of the header, {number}, is not the session's own.")
        return found
    except (
        sqlite3.Error,
        ValueError,
        TypeError,
        RecursionError,
    ) as error:  # bytes that are no text, a number where a text was
        return [f"{DAMAGED}: {error}."]


def _unreadable_rows(connection: sqlite3.Connection) -> Iterator[str]:
    readers: dict[str, Callable[..., object]] = {
        "log": lambda _, text: entry_adapter().validate_json(text),
        "calls": lambda number, _, text, reply: call_of(number, text, reply),
        "failures": lambda _, text: Failure.model_validate_json(text),
        "job_events": lambda _, __, text: JobEvent.model_validate_json(text),
        "papers": lambda _, text: Paper.model_validate_json(text),
        "drafts": lambda *row: json.loads(row[-1]),
        "ui": lambda _, text: json.loads(text),
    }
    for table, read in readers.items():
        for row in connection.execute(f"SELECT {', '.join(TABLES[table])} FROM {table} ORDER BY 1"):
            try:
                read(*row)
            except ValidationError as error:
                yield f"{WORDS[table]} {row[0]} cannot be read ({problem(error, 'the row')})."
            except (ValueError, RecursionError):
                yield f"{WORDS[table]} {row[0]} cannot be read."
