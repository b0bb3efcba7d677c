"""The tables of a session file, and whether those of a file are the ones that coi-tui makes.

A file may come from anybody. A view that never ends, a trigger that rewrites what is added, a
missing trigger that made a table append-only: all of it is in the file's own schema, so
nothing else is read before this has been compared, word by word.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Literal

from coi_tui.model.errors import StoreError
from coi_tui.store.connection import NEWER, fault_of, header

SESSION_FORMAT = 1
SESSION_ID = 0x436F4973  # "CoIs", PRAGMA application_id
UPDATE = "Update coi-tui, then open it again."

_TABLES = f"""
PRAGMA application_id = {SESSION_ID};
PRAGMA user_version = {SESSION_FORMAT};
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE log (seq INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE calls (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL, reply TEXT NOT NULL) STRICT;
CREATE TABLE failures (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE job_events (id INTEGER PRIMARY KEY, job INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
CREATE TABLE papers (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE drafts (address TEXT PRIMARY KEY, text TEXT NOT NULL, base INTEGER, inputs TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ui (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE chain (n INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TRIGGER papers_keep BEFORE DELETE ON papers BEGIN SELECT RAISE(ABORT, 'papers of a session are never deleted'); END;
"""
_APPEND_ONLY = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only: no row is changed'); END;
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only: no row is deleted'); END;
CREATE TRIGGER {table}_gapless BEFORE INSERT ON {table} WHEN NEW.rowid IS NOT (SELECT coalesce(max(rowid), 0) + 1 FROM {table})
BEGIN SELECT RAISE(ABORT, '{table}: the next row must have the next number'); END;
"""
APPENDED = ("log", "calls", "failures", "job_events", "chain")
"""The tables that are only added to; their rows are numbered from 1."""


def make_tables(db: sqlite3.Connection) -> None:
    """Make a new file one of a session."""
    db.executescript(_TABLES)
    for table in APPENDED:
        db.executescript(_APPEND_ONLY.format(table=table))


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for what is no session file, or one of a newer coi-tui."""
    application, number = header(connection)
    if application != SESSION_ID or number < SESSION_FORMAT:
        raise StoreError(f"{path} was not made by coi-tui.", "Choose another file.")
    if number > SESSION_FORMAT:
        raise StoreError(f"{path.name} was {NEWER}.", UPDATE)


def fault_in(
    connection: sqlite3.Connection, check: Literal["quick_check", "integrity_check"] = "quick_check"
) -> str:
    """Why a session file is not whole, by its schema and SQLite's own check; empty where it is."""
    return "; ".join(schema_faults(connection)) or fault_of(connection, check)


def schema_faults(connection: sqlite3.Connection) -> list[str]:
    """What of the schema is not as it was made, as parts of a sentence: then it would not be safe
    to read the file."""
    found, faults = _objects(connection), []
    for (kind, name), made in _expected().items():
        if (there := found.pop((kind, name), None)) != made:
            what = "is missing" if there is None else "is not as coi-tui makes it"
            faults.append(f"the {kind} {name} {what}")
    others = ((kind, name) for kind, name in found if not name.startswith("sqlite_stat"))
    return [*faults, *(f"the {kind} {name} was not made by coi-tui" for kind, name in others)]


def _objects(connection: sqlite3.Connection) -> dict[tuple[str, str], tuple[str, str]]:
    """Kind and name of each object, with its table and the words that made it."""
    sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return {(kind, name): (table, text) for kind, name, table, text in connection.execute(sql)}


@cache
def _expected() -> dict[tuple[str, str], tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as empty:
        make_tables(empty)
        return _objects(empty)
