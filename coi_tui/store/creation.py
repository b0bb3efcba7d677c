"""New session files: empty, from a packed session of ours, or from a file that somebody sent. Each
appears under its name only when it is whole.

A session file from elsewhere is taken in row by row: each is read and checked, then written into a
new file. Nothing else comes along: no view, no trigger, no index, nothing of the pages that no row
uses. A file that does not verify is refused, since a copy of it would get new hashes and pass for
sound.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError
from coi_tui.paths import make_file, make_folder
from coi_tui.store.chain import TABLES, append, findings, put_row
from coi_tui.store.connection import (
    as_store_error,
    clear_companions,
    moment,
    plain_connection,
    session_name,
    sweep,
    unfinished,
)
from coi_tui.store.schema import check_format, make_tables
from coi_tui.store.summary import MOST_TOPIC, plain_line, plain_time, read_summary


def create_session(
    path: Path, meta: Mapping[str, str], entries: Sequence[Decision | Version]
) -> None:
    """Make a new session file with the first entries of its log. Raises StoreError."""

    def fill(db: sqlite3.Connection) -> None:
        for key, value in meta.items():
            put_row(db, "meta", key, value)
        append(db, path.name, {"entries": entries})

    _put(path, lambda fresh: _build(fresh, fill))


def put_session(path: Path, whole: bytes, name: str) -> None:
    """Make a new session file of the bytes of another, under a name and an id of its own; they are
    not checked, being ours. Raises StoreError.
    """

    def build(fresh: Path) -> None:
        make_file(fresh)
        fresh.write_bytes(whole)
        with closing(plain_connection(fresh, "rw")) as db, db:
            put_row(db, "meta", "id", secrets.token_hex(16))
            put_row(db, "meta", "name", name)

    _put(path, build)


def import_copy(source: Path, target: Path, name: str) -> None:
    """A clean copy of a session file under another name; the source is only read, also while it is
    open somewhere.

    Raises StoreError for what is no session file, is damaged, or was made by a newer format, and
    where the disk refuses.
    """
    try:
        with closing(plain_connection(source, "ro")) as connection, moment(connection):
            check_format(connection, source)
            if found := findings(connection):
                raise StoreError(
                    f"{source.name} is not sound, so nothing was imported. {found[0]}",
                    "Ask for another copy of it.",
                )
            _put(target, lambda fresh: _build(fresh, lambda db: _copy_rows(connection, db, name)))
    except (sqlite3.Error, OSError) as error:
        if "not a database" in str(error):
            raise StoreError(
                f"{source.name} is not a session file.", "Ask for another copy of it."
            ) from error
        raise as_store_error(error, source) from error


def _copy_rows(source: sqlite3.Connection, db: sqlite3.Connection, name: str) -> None:
    """Write the rows, which have been checked, into the new file. What the file says of itself is
    cleaned; its name and id are the new file's own, and it is not archived here."""
    for table in TABLES:
        if table != "meta":
            for row in source.execute(f"SELECT * FROM {table} ORDER BY 1"):
                put_row(db, table, *row)
    meta = dict(source.execute("SELECT key, value FROM meta").fetchall())
    clean = {
        **{key: plain_line(meta.get(key, ""), MOST_TOPIC) for key in ("topic", "method")},
        **{key: plain_time(meta.get(key, "")) for key in ("created", "opened")},
        "summary": json.dumps(asdict(read_summary(meta.get("summary", "")))),
        "name": name,
    }
    for key, value in clean.items():
        put_row(db, "meta", key, value)


def _build(fresh: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    with closing(plain_connection(fresh, "rwc")) as db:
        make_tables(db)
        with db:
            put_row(db, "meta", "id", secrets.token_hex(16))
            fill(db)


def _put(path: Path, build: Callable[[Path], None]) -> None:
    """Build a file under another name, then give it its name unless that is taken."""
    taken = StoreError(
        f"The session {path} already exists, so nothing was written.",
        f"Choose another name, or go on with it: `coi resume {shlex.quote(session_name(path))}`.",
    )
    fresh = unfinished(path)
    try:
        make_folder(path.parent)
        if path.exists():
            raise taken
        sweep(path.parent)
        fresh.unlink(missing_ok=True)
        build(fresh)
        clear_companions(path)
        try:
            os.link(fresh, path)  # never replaces another file
        except FileExistsError:
            raise taken from None
        except OSError:  # a disk without hard links
            os.replace(fresh, path)
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
            clear_companions(fresh)
