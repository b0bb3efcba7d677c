"""The library: papers, links, embeddings and answers of services that are stored for the next
session.

No session depends on it: each holds what it has paid for. So it may be missing or damaged at any
time; a file that cannot be used is moved aside and a new one made. What could not be stored is
reported in ``notices``, and the work goes on. Callers never pass request headers: no key can get
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
from coi_tui.model.papers import Link, Paper, fill_missing
from coi_tui.private_files import make_folder, make_private
from coi_tui.store.backups import move_aside
from coi_tui.store.chain import to_json
from coi_tui.store.connection import (
    as_store_error,
    is_damage,
    iso,
    lift_limit,
    plain_connection,
    pragma_number,
    prepare_for_writing,
    utc_now,
)
from coi_tui.store.files import clear_companions
from coi_tui.store.session_file import ThreadedFile

if TYPE_CHECKING:
    from sqlite_utils import Database

T = TypeVar("T")
Write = Callable[["Database"], Any]

log = logging.getLogger(__name__)
LIBRARY_FORMAT = 2
LIBRARY_ID = 0x436F496C  # "CoIl"

_TABLES: Mapping[str, tuple[str, ...]] = {
    "papers": ("id", "json"),
    "links": ("citing", "cited", "kind", "evidence"),
    "embeddings": ("paper", "model", "vector"),
    "replies": ("key", "json", "date"),
}
_KEYS: Mapping[str, int] = {"papers": 1, "links": 3, "embeddings": 2, "replies": 1}
"""How many of a table's first columns make its key."""


class LibraryFile(ThreadedFile):
    """The library on disk. Every method may be called from any thread; ``await
    library.run(library.paper, id)`` leaves the loop free.

    ``remember_...`` return whether it was stored.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.notices: list[str] = []
        self._call(self._connect)

    @classmethod
    def open(cls, path: Path) -> LibraryFile:
        """Open the library, or make it; what is on the disk never raises."""
        return cls(path)

    # -- reading

    def paper(self, paper: str) -> Paper | None:
        """A known paper by its id."""
        sql = "SELECT json FROM papers WHERE id = ?"
        row = self._read(lambda db: db.execute(sql, [paper]).fetchone())
        return _paper(row[0]) if row else None

    def all_papers(self) -> list[Paper]:
        """Every known paper, by id."""
        found = self._read(lambda db: db.execute("SELECT json FROM papers ORDER BY id").fetchall())
        return [paper for (text,) in found if (paper := _paper(text))]

    def links(self, paper: str) -> list[Link]:
        """All links to and from a paper, in a fixed order."""
        sql = (
            "SELECT citing, cited, kind, evidence FROM links WHERE citing = ? OR cited = ?"
            " ORDER BY citing, cited, kind"
        )
        found = self._read(lambda db: db.execute(sql, [paper, paper]).fetchall())
        return [Link(citing=a, cited=b, kind=kind, evidence=e) for a, b, kind, e in found]

    def embeddings(self, papers: Iterable[str], model: str) -> dict[str, array[float]]:
        """The known vectors of these papers by this model, as ``array('f')`` (``numpy.asarray`` takes
        it as it is)."""
        wanted = list(papers)
        sql = "SELECT vector FROM embeddings WHERE paper = ? AND model = ?"

        def find(db: Database) -> dict[str, array[float]]:
            rows = ((key, db.execute(sql, [key, model]).fetchone()) for key in wanted)
            return {key: array("f", row[0]) for key, row in rows if row}

        return self._read(find)

    def cached(self, key: str) -> tuple[Any, str] | None:
        """A service's answer to this request and the date (ISO, UTC) on which it was given."""
        sql = "SELECT json, date FROM replies WHERE key = ?"
        row = self._read(lambda db: db.execute(sql, [key]).fetchone())
        return (json.loads(row[0]), str(row[1])) if row else None

    # -- remembering

    def remember_papers(self, papers: Iterable[Paper]) -> bool:
        """Store papers. A known one learns what it did not say, and takes the newer citation
        count."""
        new = list(papers)

        def add(db: Database) -> None:
            for paper in new:
                row = db.execute("SELECT json FROM papers WHERE id = ?", [paper.id]).fetchone()
                known = _paper(row[0]) if row else None
                text = to_json(_merge(known, paper) if known else paper, f"The paper {paper.id}")
                db.table("papers").insert({"id": paper.id, "json": text}, replace=True)

        return self._write(add)

    def remember_links(self, links: Iterable[Link]) -> bool:
        """Store links; the newest evidence replaces the one before."""
        new = [{name: getattr(link, name) for name in _TABLES["links"]} for link in links]
        return self._write(lambda db: db.table("links").insert_all(new, replace=True))

    def remember_embeddings(self, model: str, vectors: Mapping[str, Iterable[float]]) -> bool:
        """Store the vectors of a model, by paper, as 32-bit floats."""
        new = [
            {"paper": paper, "model": model, "vector": array("f", vector).tobytes()}
            for paper, vector in vectors.items()
        ]
        return self._write(lambda db: db.table("embeddings").insert_all(new, replace=True))

    def remember_reply(self, key: str, reply: Any, date: str = "") -> bool:
        """Store a service's answer (JSON) under its request's key, with the time (ISO, UTC) at
        which it was given; now by default."""
        row = {"key": key, "json": to_json(reply, "The answer"), "date": date or iso(utc_now())}
        return self._write(lambda db: db.table("replies").insert(row, replace=True))

    # -- on the library's thread

    def _connect(self, damage: str = "") -> None:
        """Connect to the file, to a new one in place of one that cannot be used, or to memory where
        the disk refuses. ``damage``: what was found wrong in use."""
        try:
            make_folder(self.path.parent)
            make_private(self.path)
            try:
                if damage:
                    raise sqlite3.DatabaseError(damage)
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
                f"The library {self.path.name} cannot be used ({self._cause(error)}); what is found"
                " now is lost when the program ends."
            )

    def _let_go(self) -> None:
        self._db.close()

    def _read(self, work: Callable[[Database], T]) -> T:
        """Do it; where the file turns out damaged, move that aside and do it on a new one."""

        def on_thread() -> T:
            try:
                return work(self._db)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self._db.close()
                self._connect(str(error))
                return work(self._db)

        return self._call(on_thread)

    def _write(self, work: Write) -> bool:
        """One short transaction that asks for the right to write first, so that two processes wait
        for each other instead of failing."""

        def change(db: Database) -> None:
            with db.conn:
                db.conn.execute("BEGIN IMMEDIATE")
                work(db)

        def on_thread() -> bool:
            try:
                self._read(change)
            except StoreError as error:
                if not isinstance(error.__cause__, (sqlite3.Error, OSError)):
                    raise
                # a full disk or a long lock: the work goes on without the cache
                self._notice(f"Something was not stored in the library: {error.message}")
                return False
            return True

        return self._call(on_thread)

    def _cause(self, error: Exception) -> str:
        known = error if isinstance(error, StoreError) else as_store_error(error, self.path)  # type: ignore[arg-type]
        return known.message.rstrip(".")

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
        numbers = pragma_number(db, "application_id"), pragma_number(db, "user_version")
        is_new = numbers == (0, 0) and not db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if not is_new and numbers != (LIBRARY_ID, LIBRARY_FORMAT):
            raise sqlite3.DatabaseError("file is not a database of this version of coi-tui")
        prepare_for_writing(db, synchronous="NORMAL")
        found = _with_tables(db)
    except BaseException:
        db.close()
        raise
    lift_limit(db)
    return found


def _with_tables(connection: sqlite3.Connection) -> Database:
    """The connection through sqlite-utils (plugins off), with all tables."""
    from sqlite_utils import Database  # not for the list of sessions

    db = Database(connection, execute_plugins=False)
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for name, columns in _TABLES.items():
            kinds = {column: bytes if column == "vector" else str for column in columns}
            key = columns[: _KEYS[name]]
            pk = key[0] if len(key) == 1 else key
            db.create_table(name, kinds, pk=pk, strict=True, if_not_exists=True)
        db.table("links").create_index(["cited"], if_not_exists=True)
        connection.execute(f"PRAGMA application_id = {LIBRARY_ID}")
        connection.execute(f"PRAGMA user_version = {LIBRARY_FORMAT}")
    return db


def _paper(text: str) -> Paper | None:
    """A row as a paper; None where it does not fit, being of another version of the program."""
    try:
        return Paper.model_validate_json(text)
    except ValidationError:
        return None


def _merge(old: Paper, new: Paper) -> Paper:
    merged = fill_missing(old, new)
    newer = new.citations.count is not None and (new.citations.read or "") > (
        merged.citations.read or ""
    )
    return merged.model_copy(update={"citations": new.citations}) if newer else merged
