"""How far a session was written, noted beside its file, so that the loss of a write-ahead log is seen.

While a session is open its last commits stand in the log beside it (``NAME.coi.db-wal``). Where that is cut, damaged or deleted, SQLite
goes back to what it can still read and says nothing. The mark, ``.NAME.coi.db.mark``, holds the heads of all hash chains after each commit.
It is not forced onto the disk: a mark from before the last commits is harmless, and the commits themselves are forced. It goes when a
session is closed, since then everything is in the one file.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coi_tui.model.errors import StoreError
from coi_tui.private_files import FILE_MODE, write_whole
from coi_tui.store.connection import iso, plain_connection, utc_now
from coi_tui.store.row_hashes import CHAINED, COMMITS, text_hash

Heads = dict[str, tuple[int, str]]

_WORDS = {
    "log": ("log entry", "log entries"),
    "calls": ("call", "calls"),
    "failures": ("failure", "failures"),
    "job_events": ("job event", "job events"),
    "paper_log": ("change of papers", "changes of papers"),
}
_TEXTS = {"drafts": "unfinished texts", "ui": "what the screens remember"}
UNREADABLE = "what the file and its write-ahead log hold cannot be read"


@dataclass(frozen=True)
class Mark:
    """The id of a session and the heads of its chains and sums after a commit."""

    session: str
    heads: Heads


def mark_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.mark")


def heads_of(connection: sqlite3.Connection) -> Heads:
    return {
        str(name): (int(rows), str(chain))
        for name, rows, chain in connection.execute("SELECT name, rows, chain FROM heads")
    }


def read_mark(path: Path) -> Mark | None:
    """The mark of a session file; None where there is none, or none that can be read."""
    try:
        kept, _, text = mark_path(path).read_text("utf-8").strip().partition("\n")
        if kept != text_hash(text):
            return None
        said: dict[str, Any] = json.loads(text)
        return Mark(
            str(said["session"]),
            {name: (int(rows), str(chain)) for name, (rows, chain) in said["heads"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


class MarkFile:
    """The mark of a session that is open for writing. What goes wrong with it stops nothing: it is a second look, not the work."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path, self._connection, self._fd = mark_path(path), connection, -1
        row = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
        self._session = str(row[0]) if row else ""

    def note(self) -> None:
        """Note the heads as they are after a commit."""
        text = json.dumps(
            {"session": self._session, "heads": heads_of(self._connection)}, separators=(",", ":")
        )
        line = f"{text_hash(text)}\n{text}\n"
        try:
            if self._fd < 0:
                self._fd = os.open(
                    self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), FILE_MODE
                )
            os.lseek(self._fd, 0, os.SEEK_SET)
            os.write(self._fd, line.ljust(2048).encode("ascii"))
        except OSError:
            self.close()

    def close(self, *, remove: bool = False) -> None:
        """Let go of it; with ``remove`` everything is in the session file, and no mark is needed."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        if remove:
            remove_mark(self._path.with_name(self._path.name[1:].removesuffix(".mark")))


def remove_mark(path: Path) -> None:
    """Remove the mark of a session file, if there is one and the disk allows it."""
    try:
        mark_path(path).unlink(missing_ok=True)
    except OSError:
        return


def losses(connection: sqlite3.Connection, mark: Mark) -> list[str]:
    """What the mark knows of and the file does not hold, in a few words each."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    if row is None or row[0] != mark.session:
        return []
    heads = heads_of(connection)
    lost = [
        words
        for table, number in CHAINED.items()
        if (words := _lost_of(connection, table, number, mark, heads))
    ]
    if heads.get(COMMITS, (0, ""))[0] < mark.heads.get(COMMITS, (0, ""))[0]:
        lost += [
            words for table, words in _TEXTS.items() if heads.get(table) != mark.heads.get(table)
        ]
        if not lost and heads.get("meta") != mark.heads.get("meta"):
            lost = ["what the file says of itself"]
    return lost


def _lost_of(
    connection: sqlite3.Connection, table: str, number: str, mark: Mark, heads: Heads
) -> str:
    """What of one chain is lost, or was replaced by something else."""
    have, (wanted, chain) = heads.get(table, (0, ""))[0], mark.heads.get(table, (0, ""))
    one, many = _WORDS[table]
    if have < wanted:
        return f"{one} {wanted}" if wanted == have + 1 else f"{many} {have + 1} to {wanted}"
    if not wanted:
        return ""
    row = connection.execute(f"SELECT chain FROM {table} WHERE {number} = ?", [wanted]).fetchone()
    return "" if row is not None and row[0] == chain else f"{one} {wanted} as it was written"


# -- keeping what is left of it -------------------------------------------------------------------------------------------


def keep_the_rest(path: Path) -> str:
    """Before a session is written: where commits are lost, copy its write-ahead log aside with a note of what is lost.

    A sentence about it; empty where nothing is lost. Raises OSError where the copy cannot be made: then nothing may be written.
    """
    mark = read_mark(path)
    if mark is None:
        return ""
    try:
        with closing(plain_connection(path, "ro")) as connection:
            lost = losses(connection, mark)
    except (sqlite3.Error, StoreError, ValueError, TypeError):
        lost = [UNREADABLE]
    return _note_loss(path, mark, lost) if lost else ""


def _note_loss(path: Path, mark: Mark, lost: list[str]) -> str:
    stem = f"{path.name}.lost-{mark.heads.get(COMMITS, (0, ''))[0]}"
    wal, rest, note = (
        path.with_name(name) for name in (f"{path.name}-wal", f"{stem}.wal", f"{stem}.json")
    )
    if not note.exists():
        if wal.exists() and wal.stat().st_size:
            part = rest.with_name(f".{rest.name}.part")
            shutil.copyfile(wal, part)
            part.chmod(FILE_MODE)
            os.replace(part, rest)
        said = {"found": iso(utc_now()), "lost": lost, "rest": rest.name if rest.exists() else ""}
        write_whole(note, json.dumps(said, indent=1))
    return sentence_of(note)


def told_losses(path: Path) -> list[str]:
    """A sentence for each loss that was noted, as long as its note lies beside the file."""
    try:
        notes = [
            file
            for file in path.parent.iterdir()
            if file.name.startswith(f"{path.name}.lost-") and file.suffix == ".json"
        ]
    except OSError:
        return []
    return [sentence_of(note) for note in sorted(notes)]


def loss_of(connection: sqlite3.Connection, mark: Mark | None) -> list[str]:
    """The same of a loss that was not noted yet: the session was not opened for writing since."""
    try:
        lost = losses(connection, mark) if mark is not None else []
    except (
        sqlite3.Error,
        ValueError,
        TypeError,
    ):  # that it is damaged is found by the check itself
        return []
    return [f"Lost with the write-ahead log: {', '.join(lost)}."] if lost else []


def sentence_of(note: Path) -> str:
    """What a note of a loss says."""
    try:
        said = json.loads(note.read_text("utf-8"))
        lost, when, rest = (
            ", ".join(map(str, said["lost"])),
            str(said["found"])[:10],
            str(said["rest"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return f"Something was lost; the note about it, {note.name}, cannot be read."
    kept = f"What is left of the log is kept in {rest}" if rest else "Nothing is left of the log"
    return f"Lost with the write-ahead log: {lost}. Found on {when}. {kept}; this is told as long as {note.name} is there."


def loss_files(path: Path) -> list[Path]:
    """The mark of a session and all that was kept of losses: what has to go with the session."""
    try:
        kept = [
            file for file in path.parent.iterdir() if file.name.startswith(f"{path.name}.lost-")
        ]
    except OSError:
        kept = []
    return [*sorted(kept), *(file for file in [mark_path(path)] if file.exists())]
