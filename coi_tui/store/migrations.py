"""The shape of the library file, as numbered steps. A step is never changed once released; a new
shape is a new step.

sqlite_utils is imported inside the functions: nothing here loads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

LIBRARY_FORMAT = 1
LIBRARY_ID = 0x436F496C  # "CoIl"

_LIBRARY_1 = """
CREATE TABLE papers (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE links (citing TEXT NOT NULL, cited TEXT NOT NULL, kind TEXT NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY (citing, cited, kind)) STRICT, WITHOUT ROWID;
CREATE INDEX links_cited ON links (cited);
CREATE TABLE embeddings (paper TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (paper, model)) STRICT;
CREATE TABLE replies (key TEXT PRIMARY KEY, json TEXT NOT NULL, date TEXT NOT NULL) STRICT;
CREATE TABLE own_papers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL) STRICT;
"""


def library_001(db: Database) -> None:
    """The first shape of the library file."""
    db.executescript(_LIBRARY_1)
    db.execute(f"PRAGMA application_id = {LIBRARY_ID}")
    db.execute("PRAGMA user_version = 1")


def library_migrations() -> Migrations:
    """All steps of the library file, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations("coi-library")
    steps(name="001")(library_001)
    return steps
