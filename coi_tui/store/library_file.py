"""The library: the researcher's own papers, and papers, links, embeddings and answers of
services that are stored for the next session.

No session depends on it: each holds what it has paid for. So it may be missing or damaged at any
time, and is then made anew, with the own papers that can still be read in the damaged file. What
could not be stored of the rest is reported in ``notices``, and the work goes on. Callers never pass
request headers: no key can get in.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Link, Paper
from coi_tui.private_files import make_folder, make_private
from coi_tui.store import chain as rows
from coi_tui.store import library_rows as table
from coi_tui.store.backups import move_aside
from coi_tui.store.connection import (
    NEWER,
    DamagedError,
    ForeignFileError,
    as_store_error,
    database,
    fault_of,
    format_of,
    is_damage,
    iso,
    lift_limit,
    plain_connection,
    prepare_for_writing,
    utc_now,
)
from coi_tui.store.files import FileLock, clear_companions
from coi_tui.store.session_file import KeptFile, Writer

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

T = TypeVar("T")

log = logging.getLogger(__name__)
LIBRARY_FORMAT = 1
LIBRARY_ID = 0x436F496C  # "CoIl"

_LIBRARY_1 = """
CREATE TABLE papers (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE links (citing TEXT NOT NULL, cited TEXT NOT NULL, kind TEXT NOT NULL, evidence TEXT NOT NULL,
  PRIMARY KEY (citing, cited, kind)) STRICT, WITHOUT ROWID;
CREATE INDEX links_cited ON links (cited);
CREATE TABLE embeddings (paper TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (paper, model)) STRICT;
CREATE TABLE replies (key TEXT PRIMARY KEY, json TEXT NOT NULL, date TEXT NOT NULL) STRICT;
CREATE TABLE own_papers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL) STRICT;
"""
CHECKED_BYTES = 64 * 2**20
"""A larger library is not checked at opening (that would read it all); damage in it is met when it
is used."""
WAIT_S = 10.0


class LibraryFile(KeptFile):
    """The library on disk. Every method may be called from any thread; ``await
    library.run(library.papers, ids)`` leaves the loop free.

    ``remember_...`` return whether it was stored. ``read_only_reason`` is empty where the library
    can be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: list[str] = []
        self._writer = Writer(path)
        self._opened: Opened | None = None

    @classmethod
    def open(cls, path: Path) -> LibraryFile:
        """Open the library, or make it. A damaged one is moved aside and reported in ``notices``;
        what is on the disk never raises."""
        library = cls(path)
        try:
            library._writer.call(library._db)
        except BaseException:
            library.close()
            raise
        return library

    @property
    def read_only_reason(self) -> str:
        return self._opened.read_only_reason if self._opened else ""

    # -- reading

    def papers(self, ids: Iterable[str]) -> dict[str, Paper]:
        """The known ones of these papers."""
        wanted = list(ids)
        return self._read(lambda db: table.papers(db, wanted))

    def all_papers(self) -> list[Paper]:
        """Every known paper, by id."""
        found = self._read(
            lambda db: [
                table.read(Paper, text)
                for (text,) in db.execute("SELECT json FROM papers ORDER BY id")
            ]
        )
        return [paper for paper in found if paper is not None]

    def links(self, paper: str) -> list[Link]:
        """All links to and from a paper, in a fixed order."""
        return self._read(lambda db: table.links(db, paper))

    def embeddings(self, papers: Iterable[str], model: str) -> dict[str, array[float]]:
        """The known vectors of these papers by this model, as ``array('f')`` (``numpy.asarray`` takes
        it as it is)."""
        wanted = list(papers)
        return self._read(lambda db: table.embeddings(db, wanted, model))

    def cached(self, key: str) -> tuple[Any, str] | None:
        """A service's answer to this request and the date (ISO, UTC) on which it was given."""
        row = self._read(
            lambda db: db.execute("SELECT json, date FROM replies WHERE key = ?", [key]).fetchone()
        )
        return (json.loads(row[0]), str(row[1])) if row else None

    # -- remembering

    def remember_papers(self, papers: Iterable[Paper]) -> bool:
        """Keep papers. A known one learns what it did not say, and takes the newer citation
        count."""
        new = list(papers)
        return self._write(lambda db: table.add_papers(db, new))

    def remember_links(self, links: Iterable[Link]) -> bool:
        """Store links; the newest evidence replaces the one before."""
        new = [(link.citing, link.cited, link.kind, link.evidence) for link in links]
        return self._write(lambda db: table.put(db, "links (citing, cited, kind, evidence)", new))

    def remember_embeddings(self, model: str, vectors: Mapping[str, Iterable[float]]) -> bool:
        """Keep the vectors of a model, by paper, as 32-bit floats."""
        new = [(paper, model, array("f", vector).tobytes()) for paper, vector in vectors.items()]
        return self._write(lambda db: table.put(db, "embeddings (paper, model, vector)", new))

    def remember_reply(self, key: str, reply: Any, date: str = "") -> bool:
        """Store a service's answer (JSON) under its request's key, with the time (ISO, UTC) at
        which it was given; now by default."""
        new = [(key, rows.to_json(reply, "The answer"), date or iso(utc_now()))]
        return self._write(lambda db: table.put(db, "replies (key, json, date)", new))

    # -- the researcher's own papers

    def own_papers(self) -> list[Paper]:
        """In the order in which they came. Raises StoreError where the file cannot be used."""
        return self._read(lambda db: table.own_papers(self._on_disk(db)))

    def change_own(self, change: Callable[[list[Paper]], list[Paper]]) -> None:
        """Replace the own papers by what ``change`` makes of them, in one transaction: all of it is
        on the disk, or nothing is changed. Raises StoreError where it cannot be."""

        def work(db: Database) -> None:
            self._on_disk(db, write=True).execute("PRAGMA synchronous = FULL")
            table.at_once(db, lambda db: table.change_own(db, change))

        self._read(work)

    def _on_disk(self, db: Database, *, write: bool = False) -> Database:
        """The connection, if it is that of the file: the own papers are never those of a library
        that lives in memory. Raises StoreError."""
        assert self._opened is not None
        if not self._opened.on_disk or (write and self.read_only_reason):
            why = self.read_only_reason or self.notices[-1].rstrip(".")
            raise StoreError(f"Your own papers cannot be used: {why}.", "Check the file.")
        return db

    # -- on the library's thread

    def _db(self) -> Database:
        """The connection."""
        if self._opened is None:
            self._connect_again()
        assert self._opened is not None
        return self._opened.db

    def _connect_again(self, *, damaged: bool = False) -> None:
        self._let_go()
        self._opened = open_library(self.path, damaged=damaged)
        for notice in self._opened.notices:
            self._notice(notice)

    def _let_go(self) -> None:
        if self._opened is not None:
            self._opened.db.close()
            self._opened = None

    def _read(self, work: Callable[[Database], T]) -> T:
        return self._writer.call(lambda: self._with_repair(work))

    def _with_repair(self, work: Callable[[Database], T]) -> T:
        """Do it; where the file turns out damaged, move that aside and do it on a new one."""
        try:
            return work(self._db())
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._connect_again(damaged=True)
            return work(self._db())

    def _write(self, work: Callable[[Database], None]) -> bool:
        def on_thread() -> bool:
            self._db()
            if self.read_only_reason:
                return False
            try:
                self._with_repair(lambda db: table.at_once(db, work))
            except (
                sqlite3.Error,
                OSError,
            ) as error:  # a full disk or a long lock: the work goes on without the cache
                self._notice(
                    f"Something was not stored in the library: {as_store_error(error, self.path).message}"
                )
                return False
            return True

        return self._writer.call(on_thread)

    def _notice(self, notice: str) -> None:
        if notice not in self.notices:
            self.notices.append(notice)
            log.warning(notice)


# -- opening it whatever state it is in: missing, damaged, foreign, newer, on a disk that cannot be
# written -----------


@dataclass(frozen=True)
class Opened:
    """A connection, whether it is to the file (else the library is in memory only), and the notices
    about it."""

    db: Database
    on_disk: bool = True
    read_only_reason: str = ""
    notices: tuple[str, ...] = ()


def open_library(path: Path, *, damaged: bool = False) -> Opened:
    """Open or make it, one process at a time. ``damaged``: it was found broken in use."""
    lock = FileLock(path.with_name(path.name + ".lock"))
    try:
        make_folder(path.parent)
        make_private(path)
        if not lock.acquire(WAIT_S):
            return _in_memory(path, "another program is busy opening it")
        return _open(path, damaged)
    except (sqlite3.Error, OSError) as error:
        return _in_memory(path, as_store_error(error, path).message.rstrip("."))
    finally:
        lock.release()


def _open(path: Path, damaged: bool) -> Opened:
    if damaged:
        return _made_anew(path, "it was found damaged while in use")
    try:
        return _connect(path)
    except DamagedError as error:
        return _made_anew(path, error.cause)
    except ForeignFileError:
        return _made_anew(path, "it was not made by coi-tui")


def _made_anew(path: Path, why: str) -> Opened:
    """A new library in the place of a damaged one, with the own papers that can be read there."""
    moved = move_aside(path, "damaged")
    opened = _connect(path)
    saved = _own_rows(moved) if moved else []
    table.at_once(opened.db, lambda db: table.put_own(db, saved))
    kept = f" Your own papers in it that can be read were kept: {len(saved)}." if saved else ""
    notice = f"The library {path.name} was moved to {moved.name if moved else 'nothing'}, and a new one was made: {why}.{kept}"
    return replace(opened, notices=(notice, *opened.notices))


def _own_rows(damaged: Path) -> list[tuple[str, str]]:
    """Id and JSON of the own papers of a damaged library, up to the first that cannot be read."""
    found: list[tuple[str, str]] = []
    with (
        contextlib.suppress(sqlite3.Error, OSError, StoreError),
        contextlib.closing(plain_connection(damaged, "ro")) as connection,
    ):
        lift_limit(connection)
        found.extend(connection.execute("SELECT id, json FROM own_papers ORDER BY number"))
    return found


def _connect(path: Path) -> Opened:
    """One try. DamagedError or NotOursError leave the file as it is."""
    if not path.exists():
        clear_companions(path)
    db: Database | None = None
    try:
        db = database(path, "rwc")
        found = 0 if _is_empty(db) else format_of(db.conn, path, LIBRARY_ID)
        lift_limit(db.conn)
        if path.stat().st_size <= CHECKED_BYTES and (fault := fault_of(db.conn)):
            raise DamagedError(path, fault, None)
        if found > LIBRARY_FORMAT:
            notice = f"The library {path.name} was {NEWER}; it is opened read-only."
            return Opened(db, True, NEWER, (notice,))
        prepare_for_writing(db.conn, synchronous="NORMAL")
        library_migrations().apply(db)
        return Opened(db)
    except BaseException as error:
        if db is not None:
            db.close()
        if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
            raise DamagedError(path, str(error), None) from error
        raise


def _is_empty(db: Database) -> bool:
    """A file that was only begun: no table but the list of migrations."""
    return not db.execute(
        "SELECT count(*) FROM sqlite_master WHERE tbl_name <> '_sqlite_migrations'"
    ).fetchone()[0]


def _in_memory(path: Path, why: str) -> Opened:
    """A library for this run only."""
    from sqlite_utils import Database

    db = Database(memory=True, execute_plugins=False)
    library_migrations().apply(db)
    notice = f"The library {path.name} cannot be used ({why}); what is found now is lost when the program ends."
    return Opened(db, False, "", (notice,))


def library_001(db: Database) -> None:
    """The first shape of the library file."""
    db.executescript(_LIBRARY_1)
    db.execute(f"PRAGMA application_id = {LIBRARY_ID}")
    db.execute("PRAGMA user_version = 1")


def library_migrations() -> Migrations:
    """All steps of the library file, oldest first."""
    from sqlite_utils import Migrations

    steps = Migrations("coi-library")
    steps(name="001")(library_001)
    return steps
