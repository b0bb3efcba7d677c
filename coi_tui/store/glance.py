"""What the screens remember of a session, read before the session is open: plain sqlite3, reading only, nothing heavy loaded."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from coi_tui.model.errors import StoreError
from coi_tui.store.migrations import SESSION_FORMAT, SESSION_ID
from coi_tui.store.opening import format_of, plain_connection

BUSY_S = 0.05
"""Seconds that a first frame waits for a file which another program is writing."""


def stamp(connection: sqlite3.Connection) -> str:
    """Says of a session's content whether it is the same as before: the heads of the chained tables, and the texts being written."""
    heads = connection.execute("SELECT name, rows, chain FROM heads ORDER BY name").fetchall()
    drafts = connection.execute("SELECT address FROM drafts ORDER BY address").fetchall()
    return json.dumps([heads, drafts])


def glance(path: Path) -> tuple[dict[str, Any], str]:
    """What the screens remember, and the stamp of the content as it is now. Both empty where the file cannot be read: opening says why."""
    try:
        with contextlib.closing(plain_connection(path, "ro", busy_s=BUSY_S)) as connection:
            if format_of(connection, path, SESSION_ID) > SESSION_FORMAT:
                return {}, ""
            return {key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM ui")}, stamp(connection)
    except (sqlite3.Error, OSError, ValueError, StoreError):
        return {}, ""
