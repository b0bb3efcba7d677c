"""The shapes of the two files, as numbered steps. A step is never changed once released; a new shape is a new step.

sqlite_utils is imported inside the functions: nothing here loads it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from coi_tui.store.row_hashes import begin_sums, link_hash, put_row, text_hash

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

SESSION_FORMAT = 5
"""The newest that is read and written. A file bears the lowest number whose programs can read it all and keep its hashes true."""
SESSION_ID = 0x436F4973  # "CoIs", PRAGMA application_id
LIBRARY_FORMAT = 1
LIBRARY_ID = 0x436F496C  # "CoIl"

NEWER_ACTIONS = {2: frozenset({"add", "attach"}), 3: frozenset({"method"}), 5: frozenset({"ask"})}
"""Decisions that programs of lower formats cannot read, by the format that a file with one of them bears."""

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

_SESSION_3 = """
CREATE TABLE paper_log (id INTEGER PRIMARY KEY, paper TEXT NOT NULL, hash TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
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
    """The first shape of a session file."""
    db.executescript(_SESSION_1)
    for table, number in (("log", "seq"), ("calls", "id"), ("failures", "id"), ("job_events", "id")):
        db.executescript(_APPEND_ONLY.format(table=table, number=number))
    db.execute(f"PRAGMA application_id = {SESSION_ID}")
    _session_format(db, 1)


def session_002(db: Database) -> None:
    """The number for files that were given newer decisions before the number said so. Others keep theirs."""
    every = sorted(frozenset().union(*NEWER_ACTIONS.values()))
    sql = f"SELECT json FROM log WHERE {' OR '.join(['json LIKE ?'] * len(every))}"
    held = db.execute(sql, [f'%"action":"{action}"%' for action in every]).fetchall()
    raise_format(db, _actions_in(text for (text,) in held))


def session_003(db: Database) -> None:
    """An id, a hash chain of the papers, sums of the rows that may be replaced, a count of commits. Programs of lower formats keep none."""
    db.executescript(_SESSION_3)
    db.executescript(_APPEND_ONLY.format(table="paper_log", number="id"))
    chain, count = "", 0
    for paper, text in db.execute("SELECT id, json FROM papers ORDER BY id").fetchall():
        count, kept = count + 1, text_hash(text)
        chain = link_hash(chain, paper, kept)
        db.execute("INSERT INTO paper_log (id, paper, hash, chain) VALUES (?, ?, ?, ?)", [count, paper, kept, chain])
    db.execute("UPDATE heads SET rows = ?, chain = ? WHERE name = 'paper_log'", [count, chain])
    db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('id', ?)", [new_id()])
    _session_format(db, 4)
    begin_sums(db)


def new_id() -> str:
    """An id for a session, unlike any other."""
    return f"{ID_PREFIX}{os.urandom(16).hex()}"


def raise_format(db: Database, actions: Iterable[str]) -> None:
    """Give the file the number that these decisions need, inside the caller's transaction; it never sinks."""
    known = frozenset(actions)
    needed = max((number for number, newer in NEWER_ACTIONS.items() if newer & known), default=1)
    if int(db.execute("PRAGMA user_version").fetchone()[0]) < needed:
        _session_format(db, needed)


def _actions_in(texts: Iterable[str]) -> set[str]:
    """What the rows of a log decide. A row that cannot be read is skipped here: reading the log reports it."""
    out = set()
    for text in texts:
        try:
            out.add(str(json.loads(text).get("action")))
        except (ValueError, AttributeError):
            continue
    return out


def _session_format(db: Database, number: int) -> None:
    put_row(db, "meta", ("format", str(number)))
    db.execute(f"PRAGMA user_version = {number}")


def library_001(db: Database) -> None:
    """The first shape of the library file."""
    db.executescript(_LIBRARY_1)
    db.execute(f"PRAGMA application_id = {LIBRARY_ID}")
    db.execute("PRAGMA user_version = 1")


SESSION_SET = "coi-session"
SESSION_STEPS = {"001": session_001, "002": session_002, "003": session_003}


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
        noted = {name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [SESSION_SET])}
    except sqlite3.OperationalError:  # no notes at all
        return True
    return not noted >= set(SESSION_STEPS)


def library_migrations() -> Migrations:
    """All steps of the library file, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations("coi-library")
    steps(name="001")(library_001)
    return steps
