"""Where each imported paper stands in its file, and the keys under which it is found: an SQLite file beside it that can be made anew.

The papers themselves stay in their file of lines, which a person can read. The index says for which state of that file it was made; with
any other state, or damaged, it is thrown away by its maker.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from coi_tui.private_files import make_file, make_private

RULES = 1
"""Raised when papers are to be found under other keys than before."""
_MANY = 400
_TABLES = """
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS records (number INTEGER PRIMARY KEY, paper TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  changed INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS records_changed ON records (number) WHERE changed;
CREATE INDEX IF NOT EXISTS records_paper ON records (paper);
CREATE INDEX IF NOT EXISTS records_end ON records (start + length);
CREATE TABLE IF NOT EXISTS keys (key INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (key, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS near (key INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (key, title)) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Place:
    """A paper's number (papers stand in this order), its id, and its line in the file; ``changed``: since it was compared with others."""

    number: int
    paper: str
    start: int
    length: int
    changed: bool = False


class PaperIndex:
    """The index of one file of papers. Raises sqlite3.Error for one that is damaged. Changes count from ``commit`` on."""

    def __init__(self, path: Path) -> None:
        make_file(path)
        make_private(path)
        self._db = sqlite3.connect(path, isolation_level="IMMEDIATE")
        try:
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_TABLES)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        self._db.close()

    def is_of(self, file: Path) -> bool:
        """Whether it was made for the file as it is now."""
        found = self._db.execute("SELECT value FROM state WHERE name = 'file'").fetchone()
        return found is not None and found[0] == state_of(file)

    def commit(self, file: Path) -> None:
        """Keep what was changed: it is the index of the file as it is now."""
        self._db.execute("INSERT OR REPLACE INTO state VALUES ('file', ?)", [state_of(file)])
        self._db.commit()

    def empty(self) -> None:
        for table in ("state", "records", "keys", "near"):
            self._db.execute(f"DELETE FROM {table}")

    # -- finding --------------------------------------------------------------------------------------------------

    def under(self, keys: Iterable[str]) -> list[int]:
        """Numbers of the papers under any of the keys."""
        return [
            n
            for marks, some in _portions(keys)
            for (n,) in self._db.execute(f"SELECT number FROM keys WHERE key IN ({marks})", some)
        ]

    def titles_near(self, keys: Iterable[str]) -> list[str]:
        """Titles under any of the keys of similar titles."""
        return [
            t
            for marks, some in _portions(keys)
            for (t,) in self._db.execute(f"SELECT title FROM near WHERE key IN ({marks})", some)
        ]

    def place(self, number: int) -> Place:
        return Place(
            *self._db.execute("SELECT * FROM records WHERE number = ?", [number]).fetchone()
        )

    def places(self) -> Iterator[Place]:
        """All, in their order."""
        return (
            Place(*row)
            for row in self._db.execute("SELECT * FROM records ORDER BY number").fetchall()
        )

    def changed(self) -> list[int]:
        """Papers that are to be compared with the others again."""
        return [
            n
            for (n,) in self._db.execute("SELECT number FROM records WHERE changed ORDER BY number")
        ]

    def named(self, paper: str) -> int | None:
        found = self._db.execute("SELECT number FROM records WHERE paper = ?", [paper]).fetchone()
        return int(found[0]) if found else None

    def end(self) -> int:
        """Where the last line of the file ends."""
        return int(
            self._db.execute("SELECT coalesce(max(start + length), 0) FROM records").fetchone()[0]
        )

    def next_number(self) -> int:
        return int(
            self._db.execute("SELECT coalesce(max(number), -1) + 1 FROM records").fetchone()[0]
        )

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM records").fetchone()[0])

    # -- changing -------------------------------------------------------------------------------------------------

    def put(self, places: Sequence[Place]) -> None:
        rows = [(p.number, p.paper, p.start, p.length, p.changed) for p in places]
        self._db.executemany("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)", rows)

    def compared(self) -> None:
        """All papers that are there have been compared with each other."""
        self._db.execute("UPDATE records SET changed = 0 WHERE changed")

    def add_keys(self, keys: Iterable[tuple[str, int]], near: Iterable[tuple[str, str]]) -> None:
        """Keys with the numbers of their papers, and keys of similar titles with the titles. Sorted: SQLite then adds page by page."""
        self._db.executemany(
            "INSERT OR IGNORE INTO keys VALUES (?, ?)",
            sorted((_number(key), number) for key, number in keys),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO near VALUES (?, ?)",
            sorted((_number(key), title) for key, title in near),
        )

    def drop_keys(self, number: int, keys: Iterable[str]) -> None:
        """Titles stay under their keys: whoever finds one that has gone finds no paper of it."""
        self._db.executemany(
            "DELETE FROM keys WHERE key = ? AND number = ?",
            [(_number(key), number) for key in keys],
        )

    def drop(self, number: int) -> None:
        self._db.execute("DELETE FROM records WHERE number = ?", [number])


def state_of(file: Path) -> str:
    """What tells one state of a file from another without reading it."""
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return f"{RULES}: none"
    return f"{RULES}: {found.st_ino} {found.st_size} {found.st_mtime_ns}"


def _number(key: str) -> int:
    """A key as 64 bits: two keys of one number only make two papers be compared."""
    return int.from_bytes(
        blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True
    )


def _portions(keys: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
    asked = map(_number, dict.fromkeys(keys))
    while some := list(islice(asked, _MANY)):
        yield ", ".join("?" * len(some)), some
