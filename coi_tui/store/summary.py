"""Session files in a list: what each is about, and whether it is archived.

Looking is cheap: plain sqlite3, reading only, no lock taken, nothing migrated, sqlite_utils not
loaded.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from coi_tui.model.address import parse_address
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.text import clean_line
from coi_tui.store.chain import put_row
from coi_tui.store.connection import (
    NEWER,
    SUFFIX,
    as_store_error,
    format_of,
    is_damage,
    iso,
    plain_connection,
    session_name,
)
from coi_tui.store.lock import FileLock, is_held
from coi_tui.store.mark import keep_the_rest
from coi_tui.store.schema import SESSION_FORMAT, SESSION_ID, schema_faults

PeekState = Literal["ok", "damaged", "newer", "held elsewhere", "unreadable"]


@dataclass(frozen=True)
class Needs:
    """How many things in a session need the person."""

    undecided: int = 0
    stale: int = 0
    failed: int = 0
    empty: int = 0


@dataclass(frozen=True)
class NextStep:
    """What comes next in a session. ``action``: the id of the workbench's key that does it,
    ``address``: the row that it is about.

    ``stage``: how far a run could go now; ``method``: whose stage that is, where it is not the
    method that the session began with.
    """

    needs: Needs = field(default_factory=Needs)
    action: str = ""
    address: str = ""
    stage: str = ""
    method: str = ""


@dataclass(frozen=True)
class Peek:
    """A session as the list shows it. ``changed`` is the time of the last log entry; ``reason`` is
    empty for ``ok``."""

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
        known = counts if isinstance(counts, dict) else {}
        return Needs(**{f.name: known.get(f.name, 0) for f in fields(Needs)})

    @property
    def next_step(self) -> NextStep | None:
        """What comes next in it; None where the file does not say, as those of earlier versions."""
        said = self.summary.get("next")
        return NextStep(self.needs, **said) if said else None


def peek(path: Path) -> Peek:
    """Look at one file. Never raises for what is in it: the state says what is wrong."""
    found = Peek(path, session_name(path))
    try:
        stat = path.stat()
        found = replace(
            found, size=stat.st_size, opened=iso(datetime.fromtimestamp(stat.st_mtime, UTC))
        )
        if stat.st_size == 0:
            return replace(found, state="damaged", reason="the file is empty")
        if not path.is_file():
            return replace(found, state="unreadable", reason="it is no file")
        with contextlib.closing(plain_connection(path, "ro", busy_s=0.2)) as connection:
            return _read(connection, found)
    except sqlite3.Error as error:
        return replace(
            found, state="damaged" if is_damage(error) else "unreadable", reason=str(error)
        )
    except OSError as error:
        return replace(found, state="unreadable", reason=error.strerror or str(error))
    except StoreError as error:
        return replace(found, state="unreadable", reason=error.message)
    except Exception as error:  # noqa: BLE001 - whatever a file holds, the list shows the other sessions
        return replace(
            found,
            state="damaged",
            reason=f"what it says of itself cannot be read ({type(error).__name__})",
        )


def _read(connection: sqlite3.Connection, found: Peek) -> Peek:
    number = format_of(connection, found.path, SESSION_ID)
    if number > SESSION_FORMAT:
        found = replace(found, state="newer", reason=NEWER)
    elif is_held(found.path.with_name(found.path.name + ".lock")):
        found = replace(found, state="held elsewhere", reason="open elsewhere")
    if faults := schema_faults(connection).unreadable:
        return replace(found, state="damaged", reason=faults[0])
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    last = connection.execute("SELECT json FROM log ORDER BY seq DESC LIMIT 1").fetchone()
    summary = plain_summary(meta.get("summary") or "{}")
    if summary is None:
        return replace(found, state="damaged", reason="its summary cannot be read")
    created = plain_time(meta.get("created", ""))
    return replace(
        found,
        name=plain_line(meta.get("name", ""), MOST_NAME) or found.name,
        topic=plain_line(meta.get("topic", ""), MOST_TOPIC),
        method=plain_line(meta.get("method", ""), MOST_NAME),
        created=created,
        changed=plain_time(json.loads(last[0]).get("time", "") if last else "") or created,
        opened=plain_time(meta.get("opened", "")) or found.opened,
        archived=plain_time(meta.get("archived", "")),
        summary=summary,
    )


# -- what a file says of itself: it may come from anybody

MOST_NAME, MOST_TOPIC, MOST_LISTED, MOST_NUMBER = 120, 300, 9, 1e15
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]{1,20}(?:Z|[+-]\d\d:\d\d)?)?")


def plain_line(text: object, most: int) -> str:
    """A text on one line, without control characters, cut at a sane length."""
    return clean_line(str(text)[: 4 * most])[:most]


def plain_time(text: object) -> str:
    """An ISO time; anything else is empty."""
    return text if isinstance(text, str) and _TIME.fullmatch(text) else ""


def plain_summary(text: str) -> dict[str, Any] | None:
    """A summary with each value of the kind that it should have; others are left out. None for what
    is no JSON object."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    found = {name: _KINDS[name](value) for name, value in said.items() if name in _KINDS}
    return {name: value for name, value in found.items() if value is not _OTHER}


_OTHER: Any = object()
"""Stands for a value that is not of its kind."""


def _text(value: object) -> Any:
    return plain_line(value, MOST_NAME) if isinstance(value, str) else _OTHER


def _number(value: object) -> Any:
    return value if value is None or _is_number(value) else _OTHER


def _list(value: object) -> Any:
    return (
        [plain_line(each, MOST_NAME) for each in value[:MOST_LISTED] if isinstance(each, str)]
        if isinstance(value, list)
        else _OTHER
    )


def _counts(value: object) -> Any:
    if not isinstance(value, dict):
        return _OTHER
    return {
        plain_line(key, MOST_NAME): n
        for key, n in list(value.items())[:MOST_LISTED]
        if isinstance(n, int) and _is_number(n)
    }


_WORD = re.compile(r"[\w -]{0,60}")
"""What an action, a stage and a method may be called: they stand in the commands that are shown."""


def _next(value: object) -> Any:
    """What comes next, as ``NextStep`` has it; left out where any of it is nothing that this
    program writes."""
    names = [f.name for f in fields(NextStep) if f.name != "needs"]
    said = {name: value.get(name) for name in names} if isinstance(value, dict) else {}
    words = [said.get(name) for name in names if name != "address"]
    plain = all(isinstance(word, str) and _WORD.fullmatch(word) for word in words)
    return said if said and plain and _is_address(said["address"]) else _OTHER


def _is_address(said: object) -> bool:
    try:
        return said == "" or (isinstance(said, str) and str(parse_address(said)) == said)
    except UsageError:
        return False


_KINDS: Mapping[str, Callable[[object], Any]] = {
    **dict.fromkeys(("step", "leader", "pick", "at"), _text),
    **dict.fromkeys(
        (
            "calls",
            "spent_usd",
            "known_usd",
            "calls_without_price",
            "branches",
            "papers",
            "rejected",
            "ideas",
        ),
        _number,
    ),
    **dict.fromkeys(("cap_usd", "cap_tokens"), _number),
    **dict.fromkeys(("waiting", "stale", "drafts", "others"), _list),
    **dict.fromkeys(("needs", "verdicts"), _counts),
    "next": _next,
}
"""What the list of sessions shows of a summary, with the kind of each value."""


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_NUMBER
    )


def list_sessions(folder: Path) -> list[Peek]:
    """All sessions of a folder, the last opened first. A missing folder has none; one that may not
    be read is a StoreError."""
    try:
        names = sorted(
            name
            for name in os.listdir(folder)
            if name.endswith(SUFFIX) and not name.startswith(".")
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"The folder {folder} cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    return sorted(
        (peek(folder / name) for name in names), key=lambda found: found.opened, reverse=True
    )


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
        with contextlib.closing(plain_connection(path, "ro")) as connection:
            if format_of(connection, path, SESSION_ID) > SESSION_FORMAT:
                raise StoreError(f"{path.name} was {NEWER}.", "Use that newer coi-tui.")
            if faults := schema_faults(connection).all:
                raise StoreError(
                    f"{path.name} cannot be changed: {faults[0]}.",
                    "Import the file: that makes a clean copy.",
                )
            keep_the_rest(path, connection)
        with contextlib.closing(plain_connection(path, "rw")) as connection, connection:
            put_row(connection, "meta", ("archived", when))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    except (sqlite3.Error, OSError) as error:
        raise as_store_error(error, path) from error
    finally:
        lock.release()
