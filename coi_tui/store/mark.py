"""How far a session was written, noted beside its file, so that the loss of a write-ahead log is
seen.

While a session is open its last commits stand in the log beside it (``NAME.coi.db-wal``). Where
that is cut, damaged or deleted, SQLite goes back to what it can still read and says nothing. The
mark, ``.NAME.coi.db.mark``, says how long the hash chain was after each commit. It is not forced
onto the disk: a mark from before the last commits is harmless. It goes when a session is closed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from coi_tui.model.wording import count
from coi_tui.private_files import FILE_MODE, make_file
from coi_tui.store.chain import head

_REST = re.compile(r".+\.lost-(\d+)-(\d+)-(\d+)-(\d+)\.wal")


class Mark(NamedTuple):
    """The id of a session, the length and end of its hash chain, and the length of its log."""

    session: str
    changes: int
    end: str
    entries: int


def mark_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.mark")


def _now(connection: sqlite3.Connection) -> Mark:
    (session,) = connection.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    (entries,) = connection.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()
    return Mark(session, *head(connection), entries)


def note_mark(path: Path, connection: sqlite3.Connection) -> None:
    """Note how far a session is written. What goes wrong stops nothing: the mark is a second
    look."""
    line = json.dumps(_now(connection)).ljust(256).encode()
    with contextlib.suppress(OSError):
        number = os.open(mark_path(path), os.O_WRONLY | os.O_CREAT, FILE_MODE)
        with os.fdopen(number, "wb", buffering=0) as out:
            out.write(line)


def read_mark(path: Path) -> Mark | None:
    """The mark of a session file; None where there is none, or none that can be read."""
    try:
        session, changes, end, entries = json.loads(mark_path(path).read_bytes())
        return Mark(str(session), int(changes), str(end), int(entries))
    except (OSError, ValueError, TypeError):
        return None


def loss_of(path: Path, connection: sqlite3.Connection, mark: Mark | None) -> Path | None:
    """Where the rest of a lost log is to be kept, by a name that says what is lost: the changes and
    entries that are there, and those that the mark knows of. None where nothing is lost."""
    try:
        now = _now(connection)
        if mark is None or mark.session != now.session:
            return None
        there = connection.execute("SELECT hash FROM chain WHERE n = ?", [mark.changes]).fetchone()
    except (sqlite3.Error, TypeError):  # that the file is damaged is found by the check itself
        return None
    if there == (mark.end,):
        return None
    numbers = (now.changes, mark.changes, now.entries, mark.entries)
    return path.with_name(f"{path.name}.lost-{'-'.join(map(str, numbers))}.wal")


def keep_the_rest(path: Path, connection: sqlite3.Connection) -> str:
    """Before a session is written: where commits are lost, copy what is left of its write-ahead log
    aside. A sentence about it, else empty. Raises OSError: then nothing may be written."""
    rest = loss_of(path, connection, read_mark(path))
    if rest is None:
        return ""
    make_file(rest)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(path.with_name(path.name + "-wal"), rest)
    return sentence_of(rest)


def kept_rests(path: Path) -> Iterator[Path]:
    """What was kept of lost logs."""
    return (
        file
        for file in sorted(path.parent.iterdir())
        if file.name.startswith(f"{path.name}.lost-") and _REST.fullmatch(file.name)
    )


def sentence_of(rest: Path) -> str:
    """What is lost, by the name of the file that holds the rest of the log."""
    found = _REST.fullmatch(rest.name)
    assert found is not None
    have, wanted, first, last = map(int, found.groups())
    lost = count(wanted - have, "change") if have < wanted else "what others have replaced"
    entries = f"log entry {last}" if first + 1 == last else f"log entries {first + 1} to {last}"
    said = f"Lost with the write-ahead log: {lost}{f', {entries} among them' * (first < last)}."
    if not rest.exists():
        return said
    left = "Nothing is left of the log; this is told as long as {} is there."
    if rest.stat().st_size:
        left = "What is left of the log is kept in {}; this is told as long as that is there."
    return f"{said} {left.format(rest.name)}"
