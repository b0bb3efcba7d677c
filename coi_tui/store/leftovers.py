"""Files that are being built bear the number of their process; those of processes that were killed are removed by the next one."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
import time
from pathlib import Path

from coi_tui.model.hashing import digest

COMPANIONS = ("-wal", "-shm", "-journal")
A_DAY_S = 24 * 3600.0
_UNFINISHED = re.compile(
    r"\..+\.(\d{1,10})-([0-9a-f]{6})\.(?:new|part|restored)(?:-wal|-shm|-journal)?"
)
_UNFINISHED_BEFORE = re.compile(
    r"\..+\.coi\.db\.(?:(?:\d{1,10}\.)?new|restored(?:\.part)?)(?:-wal|-shm|-journal)?|.+\.coi\.db\.part"
)
"""How earlier versions called them, without the machine."""


def unfinished(path: Path, word: str) -> Path:
    """The name under which ``path`` is built: hidden, with the process and the machine. ``word``: new, part or restored."""
    return path.with_name(f".{path.name}.{os.getpid()}-{_machine()}.{word}")


def _machine() -> str:
    return digest(platform.node())[:6]


def clear_companions(path: Path) -> None:
    """Remove what a database that is gone may have left beside its name: it would spoil the next one of that name."""
    for end in COMPANIONS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what processes that are gone left unfinished in a folder. What cannot be removed stays, and stops nothing."""
    try:
        found = [
            entry
            for entry in os.scandir(folder)
            if entry.name.startswith(".") or entry.name.endswith(".part")
        ]
    except OSError:
        return
    for entry in found:
        with contextlib.suppress(OSError):
            if _is_left(entry.name, time.time() - entry.stat(follow_symlinks=False).st_mtime):
                os.unlink(entry.path)


def _is_left(name: str, age_s: float) -> bool:
    """Whether nobody works on a file any more: its process is gone, or, of another machine's, it is older than a day."""
    match = _UNFINISHED.fullmatch(name)
    if match is None:
        return age_s > A_DAY_S and _UNFINISHED_BEFORE.fullmatch(name) is not None
    return (match[2] == _machine() and not _runs(int(match[1]))) or age_s > A_DAY_S


def _runs(process: int) -> bool:
    """Whether a process is there; where that cannot be asked, it is taken to be."""
    if sys.platform == "win32" or process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
