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
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from coi_tui.model.address import parse_address
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.text import clean_line
from coi_tui.store.connection import (
    NEWER,
    SUFFIX,
    format_of,
    is_damage,
    iso,
    plain_connection,
    session_name,
)
from coi_tui.store.files import is_held
from coi_tui.store.schema import SESSION_FORMAT, SESSION_ID, schema_faults

PeekState = Literal["ok", "damaged", "newer", "held elsewhere", "unreadable"]


@dataclass(frozen=True)
class PendingCounts:
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

    needs: PendingCounts = field(default_factory=PendingCounts)
    action: str = ""
    address: str = ""
    stage: str = ""
    method: str = ""


@dataclass(frozen=True)
class SessionHeader:
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
    def needs(self) -> PendingCounts:
        """What in it needs the person."""
        counts = self.summary.get("needs")
        known = counts if isinstance(counts, dict) else {}
        return PendingCounts(**{f.name: known.get(f.name, 0) for f in fields(PendingCounts)})

    @property
    def next_step(self) -> NextStep | None:
        """What comes next in it; None where the file does not say, as those of earlier versions."""
        said = self.summary.get("next")
        return NextStep(self.needs, **said) if said else None


def peek(path: Path) -> SessionHeader:
    """Look at one file. Never raises for what is in it: the state says what is wrong."""
    found = SessionHeader(path, session_name(path))
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


def _read(connection: sqlite3.Connection, found: SessionHeader) -> SessionHeader:
    number = format_of(connection, found.path, SESSION_ID)
    if number > SESSION_FORMAT:
        found = replace(found, state="newer", reason=NEWER)
    elif is_held(found.path.with_name(found.path.name + ".lock")):
        found = replace(found, state="held elsewhere", reason="open elsewhere")
    if faults := schema_faults(connection):
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


_KINDS: Mapping[str, tuple[str, ...]] = {
    "text": ("step", "method", "leader", "pick", "at"),
    "number": (
        "calls",
        "spent_usd",
        "known_usd",
        "calls_without_price",
        "branches",
        "papers",
        "rejected",
        "ideas",
        "cap_usd",
        "cap_tokens",
    ),
    "list": ("waiting", "stale", "drafts", "others"),
    "counts": ("needs", "verdicts"),
    "step": ("next",),
}
"""What the list of sessions shows of a summary, by the kind of its values."""
_WORD = re.compile(r"[\w -]{0,60}")
"""What an action, a stage and a method may be called: they stand in the commands that are shown."""


def plain_summary(text: str) -> dict[str, Any] | None:
    """A summary with each value of the kind that it should have; others are left out. None for what
    is no JSON object."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    found = {name: _plain(said.get(name), kind) for kind in _KINDS for name in _KINDS[kind]}
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: object, kind: str) -> object:
    """A value of that kind as it may be shown; None where it is of another."""
    match kind, value:
        case "text", str():
            return plain_line(value, MOST_NAME)
        case "number", int() | float():
            return value if _is_number(value) else None
        case "list", list():
            return [plain_line(one, MOST_NAME) for one in value[:MOST_LISTED] if one == str(one)]
        case "counts", dict():
            some = list(value.items())[:MOST_LISTED]
            return {plain_line(key, MOST_NAME): n for key, n in some if _is_number(n)}
        case "step", dict():
            return _next(value)
    return None


def _next(said: Mapping[str, object]) -> Mapping[str, object] | None:
    """What comes next, as ``NextStep`` has it; None where any of it is nothing that this program
    writes."""
    step = {f.name: said.get(f.name) for f in fields(NextStep) if f.name != "needs"}
    words = [word for name, word in step.items() if name != "address"]
    plain = all(isinstance(word, str) and _WORD.fullmatch(word) for word in words)
    return step if plain and _is_address(step["address"]) else None


def _is_address(said: object) -> bool:
    try:
        return said == "" or (isinstance(said, str) and str(parse_address(said)) == said)
    except UsageError:
        return False


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= MOST_NUMBER  # type: ignore[operator]


def list_sessions(folder: Path) -> list[SessionHeader]:
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
