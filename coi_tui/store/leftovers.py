"""Files that are being built, and those that a killed process left unfinished."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

COMPANIONS = ("-wal", "-shm", "-journal")
A_DAY_S = 24 * 3600.0


def unfinished(path: Path) -> Path:
    """The name under which a process builds ``path``."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def clear_companions(path: Path) -> None:
    """Remove what a database that is gone may have left beside its name: it would spoil the next
    one of that name."""
    for end in COMPANIONS:
        path.with_name(path.name + end).unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what was left unfinished in a folder for a day. What cannot be removed stays."""
    for end in ("", *COMPANIONS):
        for file in folder.glob(f".*.part{end}"):
            with contextlib.suppress(OSError):
                if time.time() - file.lstat().st_mtime > A_DAY_S:
                    file.unlink()
