"""One session file, ``NAME.coi.db``: the log, the papers and the calls of a session. Added to,
never changed. And the one thread that owns the connection of a file, this or the library's.

Callers never pass request headers: no key can get in, because none is ever handed over. Nothing is
filtered here.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar

from pydantic import ValidationError

from coi_tui.model.entries import Call, Decision, Failure, JobEvent, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.money import NOTHING, Money
from coi_tui.model.papers import Paper
from coi_tui.store import backups as copies
from coi_tui.store import chain as rows
from coi_tui.store.chain import LOST, drop_row, loss_of, note_mark, put_row, read_mark
from coi_tui.store.connection import NEWER, as_store_error, iso, moment, session_name, utc_now
from coi_tui.store.integrity import findings
from coi_tui.store.session_opening import create_session, open_session
from coi_tui.store.summary import peek

P = ParamSpec("P")

T = TypeVar("T")


class ThreadedFile:
    """A file with a thread of its own, on which work runs in order, one at a time. ``await
    file.run(file.method, ...)`` leaves the loop free."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{path.name}")
        self._thread: int | None = None
        self._closed = False

    def _let_go(self) -> None:
        """On the thread, before that ends."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file, refuse more work, and wait until the thread is done. Safe to call
        twice."""
        if not self._closed:
            try:
                self._call(self._let_go)
            finally:
                self._end()

    def _end(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _call(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the thread and wait for it. From the thread itself it runs at once."""
        if threading.get_ident() == self._thread:
            return self._guard(work)
        return self._submit(lambda: self._guard(work)).result()

    async def run(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The method on the file's thread, the loop left free. Once asked for, a write is done even
        if the waiting task is cancelled: what was paid for is stored."""
        return await asyncio.shield(
            asyncio.wrap_future(self._submit(lambda: method(*args, **kwargs)))
        )

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        if self._closed:
            raise StoreError(f"{self.path.name} is closed.")

        def on_thread() -> Any:
            self._thread = threading.get_ident()
            return work()

        return self._pool.submit(on_thread)

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            raise as_store_error(error, self.path) from error
        except (ValidationError, json.JSONDecodeError) as error:  # without the text of the row
            raise StoreError(
                f"A row of {self.path.name} cannot be read.",
                "Run `coi verify`, then restore a copy.",
            ) from error


@dataclass(frozen=True)
class Loaded:
    """What a session is folded from."""

    entries: list[Decision | Version]
    papers: dict[str, Paper]
    meta: dict[str, str]


@dataclass(frozen=True)
class Draft:
    """A text being written: outside the log until it is saved. ``base`` is the version it began
    from."""

    address: str
    text: str
    base: int | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Spent:
    """What all calls of models have cost; number and tokens of chat calls."""

    money: Money = NOTHING
    calls: int = 0
    tokens: int = 0

    def __str__(self) -> str:
        """``$0.42 spent so far``; tokens where no price is known."""
        if self.money.unpriced:
            return f"{self.tokens:,} tokens so far, {self.money}"
        return f"{self.money} spent so far" if self.money.usd else "nothing has been spent yet"

    def plus(self, calls: Iterable[Call]) -> Spent:
        new = list(calls)
        chats = [c for c in new if c.kind == "chat"]
        return Spent(
            self.money + Money.of(new),
            self.calls + len(chats),
            self.tokens + sum(c.prompt_tokens + c.completion_tokens for c in chats),
        )


class SessionFile(ThreadedFile):
    """A session on disk. Made by ``create`` or ``open``; every method may be called from any
    thread.

    Sync methods hand the work to the file's own thread and wait; ``await file.run(file.commit,
    ...)`` waits without blocking the loop.
    ``read_only_reason`` is empty for a file that can be written. ``notices`` are sentences about
    what went wrong but stops nothing (a copy that could not be made).
    """

    def __init__(self, path: Path, *, read_only: bool, backups: Path | None) -> None:
        super().__init__(path)
        self.name = session_name(path)
        self._backups = backups
        self._spent: Spent | None = None
        self._known_calls: dict[int, Call] | None = None
        try:
            self._opened = self._call(
                lambda: open_session(path, read_only=read_only, backups=backups)
            )
        except BaseException:
            self._end()
            raise

    # -- making, opening, closing

    @classmethod
    def create(
        cls,
        path: Path,
        meta: Mapping[str, str],
        *,
        entries: Sequence[Decision | Version] = (),
        backups: Path | None = None,
    ) -> SessionFile:
        """Make a new session and open it. ``created`` is added to ``meta`` where it is missing.
        StoreError if the file exists.

        The file appears under its name only when it is whole, with the first ``entries`` of its
        log.
        """
        if "format" in meta:
            raise ValueError("the format number is set by the store")
        try:
            create_session(path, {"created": iso(utc_now()), **meta}, entries)
        except (sqlite3.Error, OSError) as error:
            raise as_store_error(error, path) from error
        return cls.open(path, backups=backups)

    @classmethod
    def open(
        cls, path: Path, *, read_only: bool = False, backups: Path | None = None
    ) -> SessionFile:
        """Open a session, to write where that is possible; else ``read_only`` is set and says why.

        Raises DamagedError (a StoreError) naming the last good copy, or StoreError for what is no
        session at all.
        """
        return cls(path, read_only=read_only, backups=backups)

    @property
    def read_only_reason(self) -> str:
        return self._opened.read_only_reason

    @property
    def read_only(self) -> bool:
        return bool(self.read_only_reason)

    @property
    def wal(self) -> bool:
        return self._opened.wal

    @property
    def notices(self) -> list[str]:
        return self._opened.notices

    def _let_go(self) -> None:
        """Bring everything into the one file, and let go of it."""
        self._opened.close()

    # -- reading

    def load(self) -> Loaded:
        """All entries in order, all papers by id, all meta rows."""
        return self._call(self._load)

    def find_call(self, key: str) -> Call | None:
        """The stored call of this content key, with its reply."""
        return self._call(lambda: self._one_call("key = ?", key))

    def call(self, number: int) -> Call | None:
        """A call by its id, with its reply."""
        return self._call(lambda: self._one_call("id = ?", number))

    def calls(self, *, replies: bool = False, after: int = 0) -> list[Call]:
        """All calls, oldest first, or those with a number above ``after``; without their replies
        unless asked for."""
        sql = (
            f"SELECT id, json, {'reply' if replies else 'NULL'} FROM calls WHERE id > ? ORDER BY id"
        )
        return self._call(lambda: [rows.call_of(*row) for row in self._conn.execute(sql, (after,))])

    def known_calls(self) -> Mapping[int, Call]:
        """All calls by number, without their replies. Read once, then updated with each commit, so
        that screens never wait for the disk."""
        if self._known_calls is None:
            self._call(self._learn_calls)
        assert self._known_calls is not None
        return self._known_calls

    def _learn_calls(self) -> None:
        """On the file's thread, so that no commit comes between reading and keeping."""
        self._known_calls = {call.id: call for call in self.calls()}

    def spent(self) -> Spent:
        """The sums over all chat calls; kept, for screens ask at every key."""
        if self._spent is None:
            self._spent = Spent().plus(self.known_calls().values())
        return self._spent

    def failures(self) -> list[Failure]:
        """All failures, oldest first."""
        sql = "SELECT json FROM failures ORDER BY id"
        return self._call(
            lambda: [Failure.model_validate_json(text) for (text,) in self._conn.execute(sql)]
        )

    def job_events(self) -> list[JobEvent]:
        """All changes of jobs, oldest first."""
        sql = "SELECT json FROM job_events ORDER BY id"
        return self._call(
            lambda: [JobEvent.model_validate_json(text) for (text,) in self._conn.execute(sql)]
        )

    def next_job(self) -> int:
        """The number for the next job. It is taken when that job's first event is committed."""
        sql = "SELECT coalesce(max(job), 0) + 1 FROM job_events"
        return self._call(lambda: int(self._conn.execute(sql).fetchone()[0]))

    def drafts(self) -> dict[str, Draft]:
        """Texts being written, by address."""
        return self._call(self._drafts)

    def ui(self) -> dict[str, Any]:
        """What the screens remember: last cursor, folds ..."""
        return self._call(
            lambda: {
                key: json.loads(value)
                for key, value in self._conn.execute("SELECT key, value FROM ui")
            }
        )

    def verify(self) -> list[str]:
        """One clear sentence for each thing that is not as it was written; an empty list means
        sound. Nothing is repaired."""

        def work() -> list[str]:
            mark = read_mark(self.path)  # before the moment: a writer may be at work
            with moment(self._conn):
                lost = self._conn.execute("SELECT value FROM meta WHERE key = ?", [LOST])
                told = [*(text for (text,) in lost), loss_of(self._conn, mark)]
                return [*findings(self._conn), *filter(None, told)]

        return self._call(work)

    # -- writing

    def commit(
        self,
        *,
        entries: Sequence[Decision | Version] = (),
        papers: Iterable[Paper] = (),
        calls: Sequence[Call] = (),
        failures: Sequence[Failure] = (),
        job_events: Sequence[JobEvent] = (),
    ) -> list[int]:
        """Everything in one transaction, or nothing and a StoreError. Returns the ids of the calls,
        in their order.

        Entries carry the next numbers of the log. A call whose key is known is not stored again:
        the known one's id is returned. A known paper learns only what it did not say.
        """

        def work() -> list[int]:
            def change(db: sqlite3.Connection) -> list[int]:
                return rows.append(db, self.path.name, entries, papers, calls, failures, job_events)

            ids = self._change(change)
            if self._known_calls is not None:
                new = {
                    n: c.model_copy(update={"id": n, "reply": {}})
                    for n, c in zip(ids, calls, strict=True)
                    if n not in self._known_calls
                }
                # a new one: the loop may be going through the old one
                self._known_calls, self._spent = {**self._known_calls, **new}, None
            return ids

        return self._call(work)

    def save_draft(
        self, address: str, text: str, base: int | None, inputs: Mapping[str, Any]
    ) -> None:
        """Keep a text that is being written; the last one of its address replaces the one
        before."""
        kept = rows.to_json(dict(inputs), f"The draft of {address}")
        self._change(lambda db: put_row(db, "drafts", (address, text, base, kept)))

    def drop_draft(self, address: str) -> None:
        """Forget the draft of an address, if there is one."""
        self._change(lambda db: drop_row(db, "drafts", address))

    def set_ui(self, key: str, value: Any) -> None:
        """Remember a JSON value for the screens."""
        text = rows.to_json(value, f"The screen setting {key}")
        self._change(lambda db: put_row(db, "ui", (key, text)))

    def set_meta(self, key: str, value: str) -> None:
        """Set a meta row (name, topic, method, summary ...). The format number is not for
        callers."""
        if key == "format":
            raise ValueError("the format number is set by the store")
        self._change(lambda db: put_row(db, "meta", (key, value)))

    def checkpoint(self) -> None:
        """Bring what was committed from the write-ahead log into the session file itself, without
        waiting for readers."""
        if not self.read_only and self.wal:
            self._call(lambda: self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())

    def backup_now(self) -> Path:
        """A copy of the session now; three are kept. StoreError where no place for copies was named
        at opening."""
        if self._backups is None:
            raise StoreError(f"{self.path.name} was opened without a folder for copies.")
        place = self._backups
        return self._call(lambda: copies.back_up(self._conn, place, self.path, utc_now()))

    def backup_if_due(self) -> Path | None:
        """A copy when the newest is older than half an hour; to be called now and then while a
        session is open."""
        place = self._backups
        if place is None or self.read_only:
            return None
        is_due = self._call(lambda: copies.due(place, self.path, utc_now()))
        return self.backup_now() if is_due else None

    @staticmethod
    def restore(path: Path, backup: Path) -> Path | None:
        """Put a copy in the place of a session; what stood there is moved aside, and its new place
        returned."""
        return copies.restore(path, backup)

    # -- on the file's thread

    @property
    def _conn(self) -> sqlite3.Connection:
        return self._opened.connection

    def _load(self) -> Loaded:
        db = self._conn
        with moment(db):
            meta = dict(db.execute("SELECT key, value FROM meta ORDER BY key").fetchall())
            log = db.execute("SELECT seq, json FROM log ORDER BY seq").fetchall()
            papers = db.execute("SELECT id, json FROM papers ORDER BY id").fetchall()
        hint = "Use that newer coi-tui." if self.read_only_reason == NEWER else "Restore a copy."
        read = rows.entry_adapter().validate_json
        entries = rows.read_rows(log, read, "Entry", self.path.name, hint)
        known = rows.read_rows(papers, Paper.model_validate_json, "Paper", self.path.name, hint)
        return Loaded([*entries.values()], known, meta)

    def _one_call(self, where: str, value: str | int) -> Call | None:
        row = self._conn.execute(
            f"SELECT id, json, reply FROM calls WHERE {where}", [value]
        ).fetchone()
        return rows.call_of(*row) if row else None

    def _drafts(self) -> dict[str, Draft]:
        found = self._conn.execute(
            "SELECT address, text, base, inputs FROM drafts ORDER BY address"
        )
        return {
            address: Draft(address, text, base, json.loads(inputs))
            for address, text, base, inputs in found
        }

    def _change(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """One change, one transaction."""

        def work() -> T:
            if self.read_only:
                raise StoreError(
                    f"{self.path.name} is read-only ({self.read_only_reason}), so nothing was written.",
                    "Work on a copy.",
                )
            with self._conn as db:
                done = change(db)
            note_mark(self.path, self._conn)
            return done

        return self._call(work)


def set_archived(path: Path, when: str) -> None:
    """Archive a session at an ISO time, or with an empty one take it out of the archive; it keeps
    its place in the list. Raises StoreError where it is open elsewhere or cannot be written."""
    opened = peek(path).opened
    with SessionFile.open(path) as file:
        file.set_meta("archived", when)
        file.set_meta("opened", opened)
