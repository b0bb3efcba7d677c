"""Session files in a list: what each is about, and whether it is archived.

Looking is cheap: plain sqlite3, reading only, no lock taken, nothing migrated, sqlite_utils not loaded.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from coi_tui.model.errors import StoreError
from coi_tui.store.connection import (
    NEWER,
    SUFFIX,
    as_store_error,
    format_of,
    is_damage,
    iso,
    plain_connection,
    session_name,
    set_meta,
)  # fmt: skip
from coi_tui.store.lock import FileLock, is_held
from coi_tui.store.migrations import SESSION_FORMAT, SESSION_ID

PeekState = Literal["ok", "damaged", "newer", "held elsewhere", "unreadable"]


@dataclass(frozen=True)
class Needs:
    """How many things in a session need the person."""

    undecided: int = 0
    stale: int = 0
    failed: int = 0
    queued: int = 0


@dataclass(frozen=True)
class Peek:
    """A session as the list shows it. ``changed`` is the time of the last log entry; ``reason`` is empty for ``ok``."""

    path: Path
    name: str
    topic: str = ""
    method: str = ""
    created: str = ""
    changed: str = ""
    opened: str = ""
    archived: str = ""
    """When it was archived; empty where it was not."""
    summary: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0
    state: PeekState = "ok"
    reason: str = ""

    @property
    def needs(self) -> Needs:
        """What in it needs the person."""
        counts = self.summary.get("needs")
        if not isinstance(counts, dict):
            counts = _counts_in_words(self.summary.get("waiting") or ())
        known = {f.name: counts.get(f.name, 0) for f in fields(Needs)}
        return Needs(**{name: number if isinstance(number, int) else 0 for name, number in known.items()})


def _counts_in_words(phrases: Iterable[object]) -> dict[str, int]:
    """The counts of a summary that an earlier version wrote: it holds phrases alone, which begin with their numbers."""
    names = {"plan": "queued", "plans": "queued"}
    split = (str(phrase).split(" ") for phrase in phrases)
    return {names.get(words[1], words[1]): int(words[0]) for words in split if len(words) > 1 and words[0].isdecimal()}


def peek(path: Path) -> Peek:
    """Look at one file. Never raises for what is in it: the state says what is wrong."""
    found = Peek(path, session_name(path))
    try:
        stat = path.stat()
        found = replace(found, size=stat.st_size, opened=iso(datetime.fromtimestamp(stat.st_mtime, UTC)))
        if stat.st_size == 0:
            return replace(found, state="damaged", reason="the file is empty")
        with contextlib.closing(plain_connection(path, "ro", busy_s=0.2)) as connection:
            return _read(connection, found)
    except sqlite3.Error as error:
        return replace(found, state="damaged" if is_damage(error) else "unreadable", reason=str(error))
    except OSError as error:
        return replace(found, state="unreadable", reason=error.strerror or str(error))
    except (ValueError, AttributeError):  # the summary or the last entry is no JSON object
        return replace(found, state="damaged", reason="its summary or its last entry cannot be read")
    except StoreError as error:
        return replace(found, state="unreadable", reason=error.message)


def _read(connection: sqlite3.Connection, found: Peek) -> Peek:
    number = format_of(connection, found.path, SESSION_ID)
    if number > SESSION_FORMAT:
        found = replace(found, state="newer", reason=NEWER)
    elif is_held(found.path.with_name(found.path.name + ".lock")):
        found = replace(found, state="held elsewhere", reason="open elsewhere")
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    last = connection.execute("SELECT json FROM log ORDER BY seq DESC LIMIT 1").fetchone()
    created = meta.get("created", "")
    return replace(
        found,
        name=meta.get("name") or found.name,
        topic=meta.get("topic", ""),
        method=meta.get("method", ""),
        created=created,
        changed=(json.loads(last[0]).get("time", "") if last else "") or created,
        opened=meta.get("opened") or found.opened,
        archived=meta.get("archived", ""),
        summary=dict(json.loads(meta.get("summary") or "{}").items()),
    )


def list_sessions(folder: Path) -> list[Peek]:
    """All sessions of a folder, the last opened first. A missing folder has none; one that may not be read is a StoreError."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX) and not name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be read: {error.strerror or error}.", "Check its permissions.") from error
    return sorted((peek(folder / name) for name in names), key=lambda found: found.opened, reverse=True)


def set_archived(path: Path, when: str) -> None:
    """Archive a session at an ISO time, or with an empty one take it out of the archive.

    Raises StoreError where it is open elsewhere or cannot be written.

    The time of the file stays, since the list is ordered by it.
    """
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        if not lock.acquire():
            raise StoreError(f"{path.name} is open elsewhere.", "Close it there first.")
        stat = path.stat()
        with contextlib.closing(plain_connection(path, "rw")) as connection:
            format_of(connection, path, SESSION_ID)
            set_meta(connection, "archived", when)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        lock.release()
