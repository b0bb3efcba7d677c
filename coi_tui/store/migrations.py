"""The shapes of the two files, as numbered steps. A step is never changed once released; a new shape is a new step.

sqlite_utils is imported inside the functions: nothing here loads it.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from coi_tui.store.row_hashes import begin_sums

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

SESSION_FORMAT = 1
"""The format that is read and written. A later one is a further step below, which gives the file its number."""
SESSION_ID = 0x436F4973  # "CoIs", PRAGMA application_id
LIBRARY_FORMAT = 1
LIBRARY_ID = 0x436F496C  # "CoIl"

ID_PREFIX = "coi-session-"
"""Begins the id of every session, so that it can be found in a file that is too damaged to be opened."""

_SESSION_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE log (seq INTEGER PRIMARY KEY, json TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE TABLE calls (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL, reply TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE TABLE failures (id INTEGER PRIMARY KEY, json TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE TABLE job_events (id INTEGER PRIMARY KEY, job INTEGER NOT NULL, json TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE TABLE heads (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, chain TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE papers (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE drafts (address TEXT PRIMARY KEY, text TEXT NOT NULL, base INTEGER, inputs TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ui (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE paper_log (id INTEGER PRIMARY KEY, paper TEXT NOT NULL, hash TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE INDEX job_events_job ON job_events (job);
CREATE TRIGGER papers_keep BEFORE DELETE ON papers BEGIN SELECT RAISE(ABORT, 'papers of a session are never deleted'); END;
"""

_APPEND_ONLY = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only: no row is changed'); END;
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only: no row is deleted'); END;
CREATE TRIGGER {table}_gapless BEFORE INSERT ON {table} WHEN NEW.{number} IS NOT (SELECT coalesce(max({number}), 0) + 1 FROM {table})
BEGIN SELECT RAISE(ABORT, '{table}: the next row must have the next number'); END;
INSERT INTO heads (name, rows, chain) VALUES ('{table}', 0, '');
"""

_LIBRARY_1 = """
CREATE TABLE papers (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE links (citing TEXT NOT NULL, cited TEXT NOT NULL, kind TEXT NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY (citing, cited, kind)) STRICT, WITHOUT ROWID;
CREATE INDEX links_cited ON links (cited);
CREATE TABLE embeddings (paper TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (paper, model)) STRICT;
CREATE TABLE texts (paper TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
CREATE TABLE replies (key TEXT PRIMARY KEY, json TEXT NOT NULL, date TEXT NOT NULL) STRICT;
"""


def session_001(db: Database) -> None:
    """The first shape of a session file: append-only tables in hash chains, sums of the rows that may be replaced, an id."""
    db.executescript(_SESSION_1)
    for table, number in (
        ("log", "seq"),
        ("calls", "id"),
        ("failures", "id"),
        ("job_events", "id"),
        ("paper_log", "id"),
    ):
        db.executescript(_APPEND_ONLY.format(table=table, number=number))
    db.execute(f"PRAGMA application_id = {SESSION_ID}")
    db.execute("INSERT INTO meta (key, value) VALUES ('id', ?)", [new_id()])
    db.execute("INSERT INTO meta (key, value) VALUES ('format', '1')")
    db.execute("PRAGMA user_version = 1")
    begin_sums(db)


def new_id() -> str:
    """An id for a session, unlike any other."""
    return f"{ID_PREFIX}{os.urandom(16).hex()}"


def library_001(db: Database) -> None:
    """The first shape of the library file."""
    db.executescript(_LIBRARY_1)
    db.execute(f"PRAGMA application_id = {LIBRARY_ID}")
    db.execute("PRAGMA user_version = 1")


SESSION_SET = "coi-session"
SESSION_STEPS = {"001": session_001}


def session_migrations() -> Migrations:
    """All steps of a session file, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations(SESSION_SET)
    for name, step in SESSION_STEPS.items():
        steps(name=name)(step)
    return steps


def steps_pending(connection: sqlite3.Connection) -> bool:
    """Whether a session file lacks a step, by the notes of sqlite_utils in it and without that package, so that opening need not wait."""
    try:
        noted = {
            name
            for (name,) in connection.execute(
                "SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [SESSION_SET]
            )
        }
    except sqlite3.OperationalError:  # no notes at all
        return True
    return not noted >= set(SESSION_STEPS)


def library_migrations() -> Migrations:
    """All steps of the library file, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations("coi-library")
    steps(name="001")(library_001)
    return steps
