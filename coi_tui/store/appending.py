"""What one commit adds to a session file. Every function works inside the transaction of its caller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.store import rows
from coi_tui.store.migrations import raise_format

if TYPE_CHECKING:
    from sqlite_utils import Database


@dataclass(frozen=True)
class Batch:
    """A commit as texts, made before its transaction begins: what cannot be written is known before anything is."""

    log: list[tuple[int, str]]
    actions: frozenset[str]
    papers: list[Paper]
    calls: list[tuple[str, str, str]]
    failures: list[str]
    events: list[tuple[int, str]]


def batch(
    entries: Sequence[Decision | Version],
    papers: Iterable[Paper],
    calls: Sequence[Call],
    failures: Sequence[Failure],
    job_events: Sequence[JobEvent],
) -> Batch:
    """Everything of a commit as JSON. StoreError for what JSON cannot hold."""
    return Batch(
        log=[(entry.seq, rows.to_json(entry, f"Entry {entry.seq} ({entry.address})")) for entry in entries],
        actions=frozenset(entry.action for entry in entries if isinstance(entry, Decision)),
        papers=list(papers),
        calls=[(call.key, *rows.call_texts(call)) for call in calls],
        failures=[rows.to_json(failure, f"The failure of {failure.step} at {failure.address}") for failure in failures],
        events=[(event.job, rows.to_json(event, f"An event of job {event.job}")) for event in job_events],
    )


def append(db: Database, new: Batch, name: str) -> list[int]:
    """Add it all; returns the ids of the calls, in their order. ``name`` is the file's, for errors."""
    if new.log:
        _add_log(db, new.log, name)
        raise_format(db, new.actions)
    if new.failures:
        _add_failures(db, new.failures)
    if new.events:
        _add_events(db, new.events)
    _add_papers(db, new.papers)
    return _add_calls(db, new.calls) if new.calls else []


def _head(db: Database, table: str) -> tuple[int, str]:
    """How many rows an append-only table has, and its last chain hash."""
    count, chain = db.execute("SELECT rows, chain FROM heads WHERE name = ?", [table]).fetchone()
    return int(count), str(chain)


def _move_head(db: Database, table: str, count: int, chain: str) -> None:
    db.execute("UPDATE heads SET rows = ?, chain = ? WHERE name = ?", [count, chain, table])


def _add_log(db: Database, log: Sequence[tuple[int, str]], name: str) -> None:
    """Append entries. A number that is not the next one is refused; the table's trigger refuses it too."""
    count, chain = _head(db, "log")
    for seq, text in log:
        if seq != count + 1:
            raise StoreError(f"Entry {seq} cannot be added to {name}: the next number is {count + 1}, so nothing was written.")
        count, chain = seq, rows.link_hash(chain, text)
        db.execute("INSERT INTO log (seq, json, chain) VALUES (?, ?, ?)", [seq, text, chain])
    _move_head(db, "log", count, chain)


def _add_failures(db: Database, failures: Sequence[str]) -> None:
    count, chain = _head(db, "failures")
    for text in failures:
        count, chain = count + 1, rows.link_hash(chain, text)
        db.execute("INSERT INTO failures (id, json, chain) VALUES (?, ?, ?)", [count, text, chain])
    _move_head(db, "failures", count, chain)


def _add_events(db: Database, events: Sequence[tuple[int, str]]) -> None:
    count, chain = _head(db, "job_events")
    for job, text in events:
        count, chain = count + 1, rows.link_hash(chain, text)
        db.execute("INSERT INTO job_events (id, job, json, chain) VALUES (?, ?, ?, ?)", [count, job, text, chain])
    _move_head(db, "job_events", count, chain)


def _add_papers(db: Database, papers: Sequence[Paper]) -> None:
    """Add unknown papers; a known one learns only what it did not say."""
    for paper in papers:
        row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
        known = Paper.model_validate_json(row[0]) if row else None
        merged = rows.fill_missing(known, paper) if known else paper
        if merged != known:
            sql = "INSERT INTO papers (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json"
            db.execute(sql, [paper.id, rows.to_json(merged, f"The paper {paper.id}")])


def _add_calls(db: Database, calls: Sequence[tuple[str, str, str]]) -> list[int]:
    """Add calls whose key is new; of a known key the known id is returned."""
    count, chain = _head(db, "calls")
    ids: list[int] = []
    for key, text, reply in calls:
        known = db.execute("SELECT id FROM calls WHERE key = ?", [key]).fetchone()
        if known is None:
            count, chain = count + 1, rows.link_hash(chain, text, reply)
            values = [count, key, text, reply, chain]
            db.execute("INSERT INTO calls (id, key, json, reply, chain) VALUES (?, ?, ?, ?, ?)", values)
        ids.append(int(known[0]) if known else count)
    _move_head(db, "calls", count, chain)
    return ids
