"""A session file from elsewhere is taken in row by row: each is read and checked, then written into
a new file.

Nothing else comes along: no view, no trigger, no index, nothing of the pages that no row uses. A
file that does not verify is refused, since a copy of it would get new hashes and be called sound.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.store.chain import TABLES, put_row
from coi_tui.store.connection import (
    NEWER,
    as_store_error,
    format_of,
    lift_limit,
    moment,
    plain_connection,
)
from coi_tui.store.integrity import row_findings
from coi_tui.store.schema import SESSION_FORMAT, SESSION_ID, schema_faults
from coi_tui.store.session_opening import build_session
from coi_tui.store.summary import MOST_TOPIC, plain_line, plain_time, read_summary

_ANOTHER = "Ask for another copy of it."


def import_copy(source: Path, target: Path, name: str) -> None:
    """A clean copy of a session file under another name; the source is only read, also while it is
    open somewhere.

    Raises StoreError for what is no session file, is damaged, or was made by a newer format, and
    where the disk refuses.
    """
    try:
        with closing(plain_connection(source, "ro")) as connection, moment(connection):
            _check(connection, source)
            build_session(target, lambda db: _copy(connection, db, name))
    except (sqlite3.Error, OSError) as error:
        if "not a database" in str(error):
            raise StoreError(f"{source.name} is not a session file.", _ANOTHER) from error
        raise as_store_error(error, source) from error


def _check(connection: sqlite3.Connection, source: Path) -> None:
    """Raises StoreError for a file that must not be taken in."""
    if format_of(connection, source, SESSION_ID) > SESSION_FORMAT:
        raise StoreError(f"{source.name} was {NEWER}.", "Update coi-tui, then import it again.")
    if faults := schema_faults(connection):
        raise StoreError(
            f"{source.name} is damaged, or was made to look like a session: {faults[0]}.", _ANOTHER
        )
    lift_limit(connection)
    if found := row_findings(connection):
        raise StoreError(
            f"{source.name} is damaged, so nothing was imported: {found[0].rstrip('.')}.", _ANOTHER
        )


def _copy(source: sqlite3.Connection, db: sqlite3.Connection, name: str) -> None:
    """Write the rows, which have been checked, into the new file."""
    for table, columns in TABLES.items():
        if table != "meta":
            for row in source.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1"):
                put_row(db, table, row)
    for item in _meta(dict(source.execute("SELECT key, value FROM meta").fetchall())):
        put_row(db, "meta", item)
    put_row(db, "meta", ("name", name))


def _meta(said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What a file says of itself, cleaned; its name, id and format are the new file's own, and it
    is in no archive here."""
    for key in ("topic", "method"):
        if key in said:
            yield key, plain_line(said[key], MOST_TOPIC)
    for key in ("created", "opened"):
        if when := plain_time(said.get(key, "")):
            yield key, when
    yield "summary", json.dumps(asdict(read_summary(said.get("summary", ""))))
