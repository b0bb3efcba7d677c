"""Session files in a list: what each is about, and whether it is archived.

Looking is cheap: plain sqlite3, reading only, no lock taken, nothing migrated, pydantic not loaded.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from coi_tui.model.address import cell_ref
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.money import Money
from coi_tui.model.text import clean_line
from coi_tui.store.connection import (
    is_damage,
    is_held,
    iso,
    plain_connection,
    session_files,
    session_name,
)
from coi_tui.store.schema import check_format, schema_faults

PeekState = Literal["ok", "damaged", "open elsewhere", "unreadable"]


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
class SessionSummary:
    """What a session says of itself for the list; each value is left at its default where the file
    holds none that may be shown. ``next`` is None where the file does not say."""

    next: NextStep | None = None
    step: str = ""
    method: str = ""
    at: str = ""
    pick: str = ""
    branches: int = 0
    papers: int = 0
    ideas: int = 0
    calls: int = 0
    known_usd: float = 0.0
    calls_without_price: int = 0
    stale: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    """The ids of the papers in its chains."""
    news: str = ""
    """What is new and not seen yet."""

    @property
    def needs(self) -> PendingCounts:
        """What in it needs the person."""
        return self.next.needs if self.next else PendingCounts()

    @property
    def cost(self) -> Money:
        return Money(self.known_usd, self.calls_without_price)


@dataclass(frozen=True)
class SessionHeader:
    """A session as the list shows it. ``changed`` is the time of the last log entry; ``reason`` says
    what is special: why its state is not ``ok``, or of which session this is a copy."""

    path: Path
    name: str
    topic: str = ""
    method: str = ""
    created: str = ""
    changed: str = ""
    opened: str = ""
    archived: str = ""
    """When it was archived; empty where it was not."""
    summary: SessionSummary = field(default_factory=SessionSummary)
    size: int = 0
    state: PeekState = "ok"
    reason: str = ""
    id: str = ""
    entries: int = 0


def peek(path: Path) -> SessionHeader:
    """Look at one file. Never raises for what is in it: the state says what is wrong."""
    found = SessionHeader(path, session_name(path))
    try:
        stat = path.stat()
        opened = iso(datetime.fromtimestamp(stat.st_mtime, UTC))
        found = replace(found, size=stat.st_size, opened=opened)
        if stat.st_size == 0:
            return replace(found, state="damaged", reason="the file is empty")
        with contextlib.closing(plain_connection(path, "ro", busy_s=0.2)) as connection:
            return _read(connection, found)
    except Exception as error:  # noqa: BLE001 - whatever a file holds, the list shows the others
        state: PeekState = "damaged" if is_damage(error) else "unreadable"
        return replace(found, state=state, reason=str(error))


def _read(connection: sqlite3.Connection, found: SessionHeader) -> SessionHeader:
    check_format(connection, found.path)
    if faults := schema_faults(connection):
        return replace(found, state="damaged", reason=faults[0])
    if is_held(found.path.with_name(found.path.name + ".lock")):
        found = replace(found, state="open elsewhere", reason="open elsewhere")
    meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    last = connection.execute("SELECT json, seq FROM log ORDER BY seq DESC LIMIT 1").fetchone()
    created = plain_time(meta.get("created", ""))
    return replace(
        found,
        id=str(meta.get("id", "")),
        entries=int(last[1]) if last else 0,
        topic=plain_line(meta.get("topic", ""), MOST_TOPIC),
        method=plain_line(meta.get("method", ""), MOST_NAME),
        created=created,
        changed=plain_time(json.loads(last[0]).get("time", "") if last else "") or created,
        opened=plain_time(meta.get("opened", "")) or found.opened,
        archived=plain_time(meta.get("archived", "")),
        summary=read_summary(meta.get("summary", "")),
    )


# -- what a file says of itself: it may come from anybody

MOST_NAME, MOST_TOPIC, MOST_LISTED, MOST_NUMBER = 120, 300, 9, 1e15
MOST_PAPERS = 99
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]{1,20}(?:Z|[+-]\d\d:\d\d)?)?")


def plain_line(text: object, most: int) -> str:
    """A text on one line, without control characters, cut at a sane length."""
    return clean_line(str(text)[: 4 * most])[:most]


def plain_time(text: object) -> str:
    """An ISO time; anything else is empty."""
    return text if isinstance(text, str) and _TIME.fullmatch(text) else ""


_WORD = re.compile(r"[\w -]{0,60}")
"""What an action, a stage and a method may be called: they are in the commands that are shown."""


def read_summary(text: str) -> SessionSummary:
    """A summary with each value of the kind that it should have; others are left out, and what
    comes next as a whole where any word of it is nothing that this program writes."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    step = found.get("next") if isinstance(found, dict) else None
    coming = None
    if isinstance(step, dict):
        coming = _as(NextStep(), step)
        words = (coming.action, coming.stage, coming.method)
        same = all(step.get(f.name) == getattr(coming, f.name) for f in fields(coming)[1:])
        if not (same and all(map(_WORD.fullmatch, words)) and _is_address(coming.address)):
            coming = None
    summary: SessionSummary = _as(SessionSummary(), found)
    stale, drafts = summary.stale[:MOST_LISTED], summary.drafts[:MOST_LISTED]
    return replace(summary, next=coming, stale=stale, drafts=drafts)


def _as(default: Any, value: object) -> Any:
    """A value as it may be shown; the default where it is of another kind than that."""
    if is_dataclass(default) and isinstance(value, dict):
        known = {f.name: getattr(default, f.name) for f in fields(default)}
        return replace(default, **{name: _as(d, value.get(name)) for name, d in known.items()})  # type: ignore[type-var]
    match default, value:
        case str(), str():
            return plain_line(value, MOST_NAME)
        case int() | float(), int() | float() if 0 <= value <= MOST_NUMBER:
            return type(default)(value)
        case tuple(), list():
            return tuple(plain_line(one, MOST_NAME) for one in value[:MOST_PAPERS])
    return default


def _is_address(text: str) -> bool:
    try:
        return text == "" or str(cell_ref(text)) == text
    except UsageError:
        return False


def papers_in(header: SessionHeader) -> dict[str, set[str]]:
    """The papers that a session has met, each with all its identifiers (``arXiv:2201.11903``); none
    of a file that cannot be read."""
    found = dict[str, set[str]]()
    if header.state in ("ok", "open elsewhere"):
        sql = "SELECT id, json_extract(json, '$.ids') FROM papers"
        with (
            contextlib.suppress(sqlite3.Error, StoreError, ValueError, AttributeError),
            contextlib.closing(plain_connection(header.path, "ro", busy_s=0.2)) as connection,
        ):
            for name, ids in connection.execute(sql):
                found[name] = {f"{s}:{v}" for s, v in json.loads(ids or "{}").items()}
    return found


def list_sessions(folder: Path) -> list[SessionHeader]:
    """All sessions of a folder, the last opened first. A missing folder has none; one that may not
    be read is a StoreError."""
    try:
        files = session_files(folder).values()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"The folder {folder} cannot be read: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    found = sorted(map(peek, files), key=lambda header: header.opened, reverse=True)
    return [_told_apart(header, found) for header in found]


def _told_apart(header: SessionHeader, every: Iterable[SessionHeader]) -> SessionHeader:
    """A session file with what tells it from another of the same session, such as one that a synced
    folder made of a conflict."""
    same = (o for o in every if header.id and o.id == header.id and o.path != header.path)
    if header.state != "ok" or (other := next(same, None)) is None:
        return header
    many = f"{header.entries} entries here, {other.entries} there"
    return replace(header, reason=f"the same session as {other.name}: {many}")
