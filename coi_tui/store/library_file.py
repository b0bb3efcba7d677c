"""The library: papers, embeddings and answers of services that are stored for the next
session.

No session depends on it: each holds what it has paid for. So it may be missing or damaged at any
time; a file that cannot be used is moved aside and a new one made. What could not be stored or read
is reported in ``notices``, and the work goes on. Callers never pass request headers: no key can get
in.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.paths import make_folder
from coi_tui.store.backups import move_aside
from coi_tui.store.chain import to_json
from coi_tui.store.connection import (
    as_store_error,
    clear_companions,
    header,
    is_damage,
    iso,
    moment,
    plain_connection,
    prepare_for_writing,
    utc_now,
)
from coi_tui.store.session_file import ThreadedFile

if TYPE_CHECKING:
    from sqlite_utils import Database

T = TypeVar("T")

log = logging.getLogger(__name__)
LIBRARY = (0x436F496C, 2)  # "CoIl" and its format
_TABLES = f"""
CREATE TABLE IF NOT EXISTS papers (id TEXT PRIMARY KEY, json TEXT) STRICT;
CREATE TABLE IF NOT EXISTS embeddings (paper TEXT, model TEXT, vector BLOB, PRIMARY KEY (paper, model)) STRICT;
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, json TEXT, date TEXT) STRICT;
PRAGMA application_id = {LIBRARY[0]};
PRAGMA user_version = {LIBRARY[1]};
"""


class LibraryFile(ThreadedFile):
    """The library on disk, made where it is missing; what is on the disk never raises. Every method
    may be called from any thread; ``await library.run(library.paper, id)`` leaves the loop free.

    ``remember_...`` return whether it was stored.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.notices: list[str] = []
        self._call(self._connect)

    # -- reading

    def paper(self, paper: str) -> Paper | None:
        """A known paper by its id."""
        return next(iter(self._papers("WHERE id = ?", paper)), None)

    def all_papers(self) -> list[Paper]:
        """Every known paper, by id."""
        return self._papers("ORDER BY id")

    def _papers(self, which: str, *values: str) -> list[Paper]:
        sql = f"SELECT json FROM papers {which}"
        none: list[Any] = []
        rows = self._do(lambda db: db.execute(sql, values).fetchall(), none)
        return [paper for (text,) in rows if (paper := _paper(text))]

    def embeddings(self, papers: Iterable[str], model: str) -> dict[str, array[float]]:
        """The known vectors of these papers by this model, as ``array('f')`` (``numpy.asarray`` takes
        it as it is)."""
        wanted = list(papers)
        sql = "SELECT vector FROM embeddings WHERE paper = ? AND model = ?"

        def find(db: Database) -> dict[str, array[float]]:
            rows = ((key, db.execute(sql, [key, model]).fetchone()) for key in wanted)
            return {key: array("f", row[0]) for key, row in rows if row}

        return self._do(find, {})

    def cached(self, key: str) -> tuple[Any, str] | None:
        """A service's answer to this request and the date (ISO, UTC) on which it was given."""
        sql = "SELECT json, date FROM replies WHERE key = ?"
        row = self._do(lambda db: db.execute(sql, [key]).fetchone(), None)
        return (json.loads(row[0]), str(row[1])) if row else None

    # -- remembering

    def remember_papers(self, papers: Iterable[Paper]) -> bool:
        """Store papers. A field that the newer record lacks keeps its value."""
        new = list(papers)

        def add(db: Database) -> None:
            for paper in new:
                row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
                known = _paper(row[0]) if row else None
                text = to_json(
                    fill_missing(paper, known) if known else paper, f"The paper {paper.id}"
                )
                db.table("papers").insert({"id": paper.id, "json": text}, replace=True)

        return self._write(add)

    def remember_embeddings(self, model: str, vectors: Mapping[str, Iterable[float]]) -> bool:
        """Store the vectors of a model, by paper, as 32-bit floats."""
        new = [
            {"paper": paper, "model": model, "vector": array("f", vector).tobytes()}
            for paper, vector in vectors.items()
        ]
        return self._replace("embeddings", new)

    def remember_reply(self, key: str, reply: Any, date: str = "") -> bool:
        """Store a service's answer (JSON) under its request's key, with the time (ISO, UTC) at
        which it was given; now by default."""
        row = {"key": key, "json": to_json(reply, "The answer"), "date": date or iso(utc_now())}
        return self._replace("replies", [row])

    def _replace(self, table: str, rows: list[dict[str, Any]]) -> bool:
        return self._write(lambda db: db.table(table).insert_all(rows, replace=True))

    def _write(self, work: Callable[[Database], object]) -> bool:
        """One short transaction that asks for the right to write first, so that two processes wait
        for each other instead of failing."""

        def change(db: Database) -> bool:
            with db.conn:
                db.conn.execute("BEGIN IMMEDIATE")
                work(db)
            return True

        return self._do(change, False)

    # -- on the library's thread

    def _do(self, work: Callable[[Database], T], failed: T) -> T:
        """What ``work`` gives, or ``failed`` with a notice: on a full disk or after a long lock the
        work goes on without the library, and a file that turns out damaged is replaced."""

        def on_thread() -> T:
            try:
                return work(self._db)
            except sqlite3.DatabaseError as error:
                if is_damage(error):
                    self._db.close()
                    self._connect(error)
                else:
                    why = as_store_error(error, self.path).message
                    self._notice(f"The library could not be used: {why}")
                return failed

        return self._call(on_thread)

    def _connect(self, damage: sqlite3.DatabaseError | None = None) -> None:
        """Connect to the file, to a new one in place of one that cannot be used, or to memory where
        the disk refuses. ``damage``: what was found wrong in use."""
        try:
            make_folder(self.path.parent)
            try:
                if damage:
                    raise damage
                self._db = _connection(self.path)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                moved = move_aside(self.path, "damaged")
                self._db = _connection(self.path)
                place = f" as {moved.name}" if moved else ""
                self._notice(
                    f"The library {self.path.name} could not be used ({error}). It was moved"
                    f" aside{place}, and a new one was made."
                )
        except (sqlite3.Error, OSError, StoreError) as error:
            self._db = _with_tables(sqlite3.connect(":memory:"))
            self._notice(
                f"The library {self.path.name} cannot be used ({error}); what is found now is lost"
                " when the program ends."
            )

    def _release(self) -> None:
        self._db.close()

    def _notice(self, notice: str) -> None:
        if notice not in self.notices:
            self.notices.append(notice)
            log.warning(notice)


def _connection(path: Path) -> Database:
    """The file, its tables made where it is new. A file of another program or format counts as
    damaged."""
    if not path.exists():
        clear_companions(path)
    db = plain_connection(path, "rwc")
    try:
        with moment(db):  # another process may make its tables now
            numbers = header(db)
            is_new = numbers == (0, 0) and not db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if not is_new and numbers != LIBRARY:
            raise sqlite3.DatabaseError("file is not a database of this version of coi-tui")
        prepare_for_writing(db, synchronous="NORMAL")
        found = _with_tables(db)
    except BaseException:
        db.close()
        raise
    return found


def _with_tables(connection: sqlite3.Connection) -> Database:
    """The connection through sqlite-utils (plugins off), with all tables."""
    from sqlite_utils import Database  # not for the list of sessions

    connection.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
    return Database(connection, execute_plugins=False)


def _paper(text: str) -> Paper | None:
    """A row as a paper; None where it does not fit, being of another version of the program."""
    try:
        return Paper.model_validate_json(text)
    except ValidationError:
        return None
