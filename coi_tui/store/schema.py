"""The tables of a session file, and whether those of a file are the ones that coi-tui makes.

A file may come from anybody. A view that never ends, a trigger that rewrites what is added, a
missing trigger that would have kept a table append-only: all of it stands in the file's own schema,
so nothing else is read before this has been compared, word by word.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from coi_tui.store.connection import fault_of, lift_limit, pragma_number

SESSION_FORMAT = 1
"""The format that is read and written. A later one is a further step in ``STEPS``."""
SESSION_ID = 0x436F4973  # "CoIs", PRAGMA application_id

_SESSION_1 = f"""
PRAGMA application_id = {SESSION_ID};
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
CREATE TRIGGER {table}_gapless BEFORE INSERT ON {table} WHEN NEW.{number} IS NOT (SELECT coalesce(max({number}), 0) + 1 FROM {table})
BEGIN SELECT RAISE(ABORT, '{table}: the next row must have the next number'); END;
"""
APPENDED = {"log": "seq", "calls": "id", "failures": "id", "job_events": "id", "chain": "n"}
"""The tables that are only added to, and the column that numbers their rows from 1."""


def _session_001(db: sqlite3.Connection) -> None:
    """The first shape of a session file."""
    db.executescript(_SESSION_1)
    for table, number in APPENDED.items():
        db.executescript(_APPEND_ONLY.format(table=table, number=number))


STEPS = [_session_001]
"""What makes each format of the one before. A step is never changed once released."""


def bring_up_to_date(db: sqlite3.Connection) -> None:
    """Take the steps that a session file lacks; of an empty one all."""
    # It loads pydantic, which the list of sessions does without.
    from coi_tui.store.chain import put_row

    done = pragma_number(db, "user_version")
    for number, step in enumerate(STEPS[done:], done + 1):
        db.execute("BEGIN")
        with db:
            step(db)
            put_row(db, "meta", ("format", str(number)))
            db.execute(f"PRAGMA user_version = {number}")


def fault_in(connection: sqlite3.Connection) -> str:
    """Why a session file is not whole, by its schema and SQLite's own check; empty where it is.
    From then on the connection may work as long as it needs."""
    if faults := schema_faults(connection):
        return "; ".join(faults)
    lift_limit(connection)
    return fault_of(connection)


Objects = dict[tuple[str, str], tuple[str, str]]
"""Kind and name of each object, with its table and the words that made it."""


def schema_faults(connection: sqlite3.Connection) -> list[str]:
    """What of the schema of a session file is not as it was made, as parts of a sentence: then it
    would not be safe to read the file. Of a newer format only what is no table."""
    number = pragma_number(connection, "user_version")
    found, wanted = _objects(connection), _expected(min(number, SESSION_FORMAT))
    if number > SESSION_FORMAT:
        tables = [name for kind, name in wanted if kind == "table"]
        sql = {name: found.get(("table", name), ("", ""))[1] for name in tables}
        return [
            f"{name} is no table" for name in tables if not sql[name].startswith("CREATE TABLE ")
        ]
    faults = []
    for (kind, name), made in wanted.items():
        if (there := found.pop((kind, name), None)) != made:
            what = "is missing" if there is None else "is not as coi-tui makes it"
            faults.append(f"the {kind} {name} {what}")
    others = ((kind, name) for kind, name in found if not name.startswith("sqlite_stat"))
    return [*faults, *(f"the {kind} {name} was not made by coi-tui" for kind, name in others)]


def _objects(connection: sqlite3.Connection) -> Objects:
    sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
    return {(kind, name): (table, text) for kind, name, table, text in connection.execute(sql)}


@cache
def _expected(number: int) -> Objects:
    """The schema of a format, from the steps that make it."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for step in STEPS[:number]:
            step(empty)
        return _objects(empty)
