"""One session file, ``NAME.coi.db``: the log, the papers and the calls of a session. Added to,
never changed. And the one thread that owns the connection of a file, this or the library's.

A file is opened whatever state it is in: to write where that is possible, else for reading only,
with the reason. Callers never pass request headers: no key can get in, because none is ever handed
over. Nothing is filtered here.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, ParamSpec, Self, TypeVar, Unpack

from pydantic import ValidationError

from coi_tui.model.entries import Call, Decision, Failure, JobEvent, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.money import NOTHING, Money
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, Values
from coi_tui.paths import make_file
from coi_tui.store.backups import back_up, due, last_good
from coi_tui.store.chain import (
    LOST,
    NewRows,
    adapter,
    append,
    call_of,
    drop_draft,
    findings,
    loss_of,
    mark_path,
    note_mark,
    put_row,
    read_mark,
    to_json,
)
from coi_tui.store.connection import (
    FileLock,
    as_store_error,
    fold_wal,
    has_wal,
    is_damage,
    is_full,
    iso,
    moment,
    plain_connection,
    prepare_for_writing,
    session_name,
    sweep,
    utc_now,
)
from coi_tui.store.creation import create_session
from coi_tui.store.schema import check_format, fault_in

OPEN_ELSEWHERE = "open elsewhere"
NOT_WRITABLE = "the file or folder cannot be written"
DISK_FULL = "the disk is full"
ASKED = "opened for reading only"
WHAT_TO_DO = {
    OPEN_ELSEWHERE: "Close it elsewhere first.",
    NOT_WRITABLE: "Change the permissions of the file and its folder, or work on a copy.",
    DISK_FULL: "Free some space, then open it again.",
    ASKED: "",
}
"""What helps where a session can only be read for a reason."""

P = ParamSpec("P")
T = TypeVar("T")


class ThreadedFile:
    """A file with a thread of its own, on which work runs in order, one at a time. ``await
    file.run(file.method, ...)`` leaves the loop free."""

    _thread: int | None = None
    _closed = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{path.name}")

    def _release(self) -> None:
        """On the thread, before that ends."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the file, refuse more work, and wait until the thread is done. Safe to call
        twice."""
        if not self._closed:
            try:
                self._call(self._release)
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
    inputs: Values = field(default_factory=dict)


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
    """A session on disk, opened to write where that is possible; else ``read_only_reason`` says why
    not. Every method may be called from any thread.

    Sync methods hand the work to the file's own thread and wait; ``await file.run(file.commit,
    ...)`` waits without blocking the loop. ``notices`` are sentences about what went wrong but stops
    nothing (a copy that could not be made).
    """

    def __init__(self, path: Path, *, read_only: bool = False, backups: Path | None = None) -> None:
        """Raises StoreError, for a damaged file with the name of the last good copy."""
        super().__init__(path)
        self.name = session_name(path)
        self.read_only_reason = ASKED if read_only else ""
        self.notices: list[str] = []
        self._backups = backups
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._spent: Spent | None = None
        self._known_calls: dict[int, Call] | None = None
        try:
            self._call(self._open)
        except BaseException:
            self._end()
            raise

    @classmethod
    def create(
        cls,
        path: Path,
        meta: Mapping[str, str],
        *,
        entries: Sequence[Decision | Version] = (),
        backups: Path | None = None,
    ) -> SessionFile:
        """Make a new session with the first ``entries`` of its log, and open it. ``created`` is
        added to ``meta`` where it is missing. StoreError if the file exists."""
        create_session(path, {"created": iso(utc_now()), **meta}, entries)
        return cls(path, backups=backups)

    @property
    def read_only(self) -> bool:
        return bool(self.read_only_reason)

    # -- opening and closing, on the file's thread

    def _open(self) -> None:
        """Lock, connect, check, note the time, back up if due. Nothing is written
        before the file was found whole."""
        path = self.path
        if not path.is_file():
            raise StoreError(f"There is no session {path}.", "`coi ls` lists the sessions.")
        try:
            self.read_only_reason = self.read_only_reason or self._take_lock()
            self._connect("ro" if self.read_only or has_wal(path) else "rw")
            if not self.read_only:
                self._make_ready()
        except BaseException:
            self._lock.release()
            raise

    def _take_lock(self) -> str:
        """Why the file cannot be written, or nothing once the lock is ours."""
        if not (os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)):
            return NOT_WRITABLE
        try:
            return "" if self._lock.acquire() else OPEN_ELSEWHERE
        except OSError as error:  # a disk that cannot be written, or has no locks: reading remains
            return DISK_FULL if is_full(error) else NOT_WRITABLE

    def _connect(self, mode: Literal["ro", "rw"]) -> None:
        """Connect to the file, which must be a whole session."""
        path = self.path
        if path.stat().st_size == 0:  # SQLite would take it for a new database and drop its WAL
            raise self._damaged("it is empty")
        try:
            self._conn = plain_connection(path, mode)
            try:
                check_format(self._conn, path)
                if fault := fault_in(self._conn):
                    raise self._damaged(fault)
            except BaseException:
                self._conn.close()
                raise
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            raise self._damaged(str(error)) from error

    def _damaged(self, cause: str) -> StoreError:
        copy = last_good(self._backups, self.path)
        hint = f"Restore the last good copy, {copy}." if copy else "There is no good copy of it."
        return StoreError(f"The file {self.path} is damaged: {cause}.", hint)

    def _connect_again(self, mode: Literal["ro", "rw"]) -> None:
        self._conn.close()
        self._conn = plain_connection(self.path, mode)

    def _make_ready(self) -> None:
        """Prepare for writing; on a full disk reading is still possible."""
        path, lost = self.path, loss_of(self._conn, read_mark(self.path))
        self.notices += filter(None, [lost])
        try:
            sweep(path.parent)
            self._connect_again("rw")
            prepare_for_writing(self._conn, synchronous="FULL")
            if self._backups is not None and due(self._backups, path, utc_now()):
                self._try_to_back_up(self._backups)
            with self._conn as db:
                put_row(db, "meta", "opened", iso(utc_now()))
                if lost:
                    put_row(db, "meta", LOST, lost)
            make_file(mark_path(path))
            note_mark(path, db)
        except (sqlite3.OperationalError, OSError) as error:
            self.notices.append(as_store_error(error, path).message)
            self.read_only_reason = DISK_FULL if is_full(error) else NOT_WRITABLE
            self._lock.release()
            self._connect_again("ro")

    def _try_to_back_up(self, backups: Path) -> None:
        """A backup that fails is reported, and the session can be worked on all the same."""
        try:
            back_up(self._conn, backups, self.path)
        except (sqlite3.Error, OSError) as error:
            why = as_store_error(error, backups).message
            self.notices.append(f"No backup of {self.path.name} could be made: {why}")

    def _release(self) -> None:
        """Bring everything into the one file, and let go of it."""
        try:
            if not self.read_only and fold_wal(self._conn):
                with contextlib.suppress(OSError):
                    mark_path(self.path).unlink(missing_ok=True)
        finally:
            self._conn.close()
            self._lock.release()

    # -- reading

    def load(self) -> Loaded:
        """All entries in order, all papers by id, all meta rows."""

        def work() -> Loaded:
            db, entry, paper = self._conn, adapter("log"), adapter("papers")
            with moment(db):
                meta = db.execute("SELECT key, value FROM meta ORDER BY key").fetchall()
                log = db.execute("SELECT json FROM log ORDER BY seq").fetchall()
                papers = db.execute("SELECT id, json FROM papers ORDER BY id").fetchall()
            entries = [entry.validate_json(text) for (text,) in log]
            return Loaded(
                entries, {key: paper.validate_json(text) for key, text in papers}, dict(meta)
            )

        return self._call(work)

    def find_call(self, key: str) -> Call | None:
        """The stored call of this content key, with its reply."""
        return self._one_call("key = ?", key)

    def call(self, number: int) -> Call | None:
        """A call by its id, with its reply."""
        return self._one_call("id = ?", number)

    def _one_call(self, where: str, value: str | int) -> Call | None:
        sql = f"SELECT id, json, reply FROM calls WHERE {where}"
        rows = self._call(lambda: [call_of(*row) for row in self._conn.execute(sql, [value])])
        return rows[0] if rows else None

    def calls(self, *, replies: bool = False) -> list[Call]:
        """All calls, oldest first; without their replies unless asked for."""
        sql = f"SELECT id, json{', reply' * replies} FROM calls ORDER BY id"
        return self._call(lambda: [call_of(*row) for row in self._conn.execute(sql)])

    def known_calls(self) -> Mapping[int, Call]:
        """All calls by number, without their replies. Read once, then updated with each commit, so
        that screens never wait for the disk."""

        def learn() -> Mapping[int, Call]:  # so that no commit comes between reading and storing
            self._known_calls = {call.id: call for call in self.calls()}
            return self._known_calls

        return self._call(learn) if self._known_calls is None else self._known_calls

    def spent(self) -> Spent:
        """The sums over all calls; stored, for screens ask at every key."""
        if self._spent is None:
            self._spent = Spent().plus(self.known_calls().values())
        return self._spent

    def failures(self) -> list[Failure]:
        """All failures, oldest first."""
        return self._all("failures")

    def job_events(self) -> list[JobEvent]:
        """All changes of jobs, oldest first."""
        return self._all("job_events")

    def _all(self, table: str) -> list[Any]:
        sql = f"SELECT json FROM {table} ORDER BY id"
        return self._call(
            lambda: [adapter(table).validate_json(text) for (text,) in self._conn.execute(sql)]
        )

    def next_job(self) -> int:
        """The number for the next job. It is taken when that job's first event is committed."""
        sql = "SELECT coalesce(max(job), 0) + 1 FROM job_events"
        return self._call(lambda: int(self._conn.execute(sql).fetchone()[0]))

    def drafts(self) -> dict[str, Draft]:
        """Texts being written, by address."""
        sql = "SELECT address, text, base, inputs FROM drafts ORDER BY address"
        return self._call(
            lambda: {
                address: Draft(address, text, base, json.loads(inputs))
                for address, text, base, inputs in self._conn.execute(sql)
            }
        )

    def ui(self) -> Fields:
        """What the screens remember: last cursor, folds ..."""
        sql = "SELECT key, value FROM ui"
        return self._call(
            lambda: {key: json.loads(value) for key, value in self._conn.execute(sql)}
        )

    def verify(self) -> list[str]:
        """One clear sentence for each thing that is not as it was written; an empty list means
        sound. Nothing is repaired."""

        def work() -> list[str]:
            mark = read_mark(self.path)  # before the moment: a writer may be at work
            with moment(self._conn):
                lost = self._conn.execute("SELECT value FROM meta WHERE key = ?", [LOST])
                losses = [*(text for (text,) in lost), loss_of(self._conn, mark)]
                return [*findings(self._conn), *filter(None, losses)]

        return self._call(work)

    # -- writing

    def commit(self, **new: Unpack[NewRows]) -> list[int]:
        """Everything in one transaction, or nothing and a StoreError. Returns the ids of the calls,
        in their order.

        A call whose key is known is not stored again: the known one's id is returned. A known paper
        learns only what it did not say.
        """

        def work() -> list[int]:
            ids = self._change(lambda db: append(db, self.path.name, new))
            if self._known_calls is not None:
                made = {
                    n: c.model_copy(update={"id": n, "reply": {}})
                    for n, c in zip(ids, new.get("calls", ()), strict=True)
                    if n not in self._known_calls
                }
                # a new one: the loop may be going through the old one
                self._known_calls, self._spent = {**self._known_calls, **made}, None
            return ids

        return self._call(work)

    def save_draft(self, address: str, text: str, base: int | None, inputs: Values) -> None:
        """Store a text that is being written; the last one of its address replaces the one
        before."""
        read = to_json(dict(inputs), f"The draft of {address}")
        self._change(lambda db: put_row(db, "drafts", address, text, base, read))

    def drop_draft(self, address: str) -> None:
        """Forget the draft of an address, if there is one."""
        self._change(lambda db: drop_draft(db, address))

    def set_ui(self, key: str, value: Any) -> None:
        """Remember a JSON value for the screens."""
        text = to_json(value, f"The screen setting {key}")
        self._change(lambda db: put_row(db, "ui", key, text))

    def set_meta(self, key: str, value: str) -> None:
        """Set a meta row (name, topic, method, summary ...)."""
        self._change(lambda db: put_row(db, "meta", key, value))

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
            note_mark(self.path, db)
            return done

        return self._call(work)

    def checkpoint(self) -> None:
        """Bring what was committed from the write-ahead log into the session file itself, without
        waiting for readers."""
        if not self.read_only:
            self._call(lambda: self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall())

    def back_up(self, *, if_due: bool = False) -> Path | None:
        """A copy of the session now, or when the newest is older than half an hour; three are
        stored. None where none was made, also for a file that is only read."""
        place = self._backups
        if place is None or self.read_only:
            return None

        def work() -> Path | None:
            if if_due and not due(place, self.path, utc_now()):
                return None
            return back_up(self._conn, place, self.path)

        return self._call(work)
