"""Putting lines behind the end of a file, all of them or none, also where the process is killed on the way.

One line needs no care: readers leave a last line out that was cut off. Before several are put down, a note beside the file says how far it
went until then; while the note is there, what stands behind that does not count, and the next one who writes takes it away.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from coi_tui.private_files import FILE_MODE, write_whole

_TAIL = 4096
"""Bytes before the end by which a note knows its file: one that a person has changed since then is left alone."""


def append_whole(file: Path, end: int, lines: bytes) -> int:
    """Put whole lines behind the first ``end`` bytes of a file. Returns where they begin. Raises OSError; the file is then as it was.

    Only one process at a time may do so.
    """
    several = lines.count(b"\n") > 1
    with os.fdopen(
        os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), FILE_MODE),
        "r+b",
        buffering=0,
    ) as out:
        out.truncate(end)
        out.seek(max(0, end - 1))
        cut = (
            end > 0 and out.read(1) != b"\n"
        )  # a person's editor may have left the last line without its end
        if several:
            write_whole(_note(file), f"{end} {_tail(out, end)}\n")
        try:
            out.seek(end)
            rest = memoryview(b"\n" + lines if cut else lines)
            while rest:
                rest = rest[out.write(rest) :]
            os.fsync(out.fileno())
        except OSError:
            out.truncate(end)
            _note(file).unlink(missing_ok=True)
            raise
        if several:
            _note(file).unlink()  # from here on they count
        return end + cut


def counted(file: Path, opened: BinaryIO) -> int:
    """How many bytes of a file count, from its beginning. The file may be written meanwhile."""
    before = _noted(file, opened)
    size = os.fstat(opened.fileno()).st_size
    ends = [end for end in (before, _noted(file, opened)) if end is not None]
    return min([size, *ends])


def take_back(file: Path) -> None:
    """Take away what a killed process has put behind the end of a file. Only for whom no other process writes beside."""
    if not _note(file).exists():
        return
    if file.exists():
        with file.open("r+b") as opened:
            end = _noted(file, opened)
            if end is not None:
                opened.truncate(end)
    _note(file).unlink(missing_ok=True)


def _note(file: Path) -> Path:
    return file.with_name(f"{file.name}.appending")


def _noted(file: Path, opened: BinaryIO) -> int | None:
    """The end that the note of a file names; None where there is none, or it was made for another file than this one is now."""
    try:
        end, _, tail = _note(file).read_text(encoding="ascii").strip().partition(" ")
        return int(end) if _tail(opened, int(end)) == tail else None
    except (FileNotFoundError, ValueError):
        return None


def _tail(opened: BinaryIO, end: int) -> str:
    """What stands before an end, in short."""
    opened.seek(max(0, end - _TAIL))
    return sha256(opened.read(min(end, _TAIL))).hexdigest()
