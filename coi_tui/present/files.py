"""Writing exports: never over an existing file without a yes, never half of one, and of several
files all or none.

A device or a pipe is written to: it is not a file that could be replaced.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

from coi_tui.model.errors import UsageError, why_not_written
from coi_tui.private_files import FILE_MODE, write_whole


def write_all(files: Sequence[tuple[Path, str]], overwrite: bool = False) -> None:
    """Write each text to its path, all or none. Raises UsageError when one exists (without
    ``overwrite``) or cannot be written; then every file is as it was before.

    The texts are written whole next to their targets before the first of them takes its place.
    """
    none = " Nothing was written." if len(files) > 1 else ""
    parts: list[tuple[Path, Path]] = []
    path = Path()
    try:
        modes = []
        for path, _ in files:
            modes.append(_mode_of(path, overwrite, none))
        for (path, text), mode in zip(files, modes, strict=True):
            target = Path(os.path.realpath(path.expanduser()))
            if mode is not None:
                part = target.with_name(f".{target.name[:40]}.{secrets.token_hex(6)}.tmp")
                parts.append((part, target))
                write_whole(part, text, mode=mode)
        for part, path in parts:
            os.replace(part, path)
        for (path, text), mode in zip(files, modes, strict=True):
            if mode is None:
                path.expanduser().write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        why, hint = why_not_written(error)
        raise UsageError(f"{path} cannot be written: {why}.{none}", hint) from None
    finally:
        for part, _ in parts:
            part.unlink(missing_ok=True)


def _mode_of(path: Path, overwrite: bool, none: str) -> int | None:
    """The rights that the file is to have: those of the one that it replaces, or its owner's alone;
    None for a device or a pipe, where nothing can be lost. Raises UsageError for a folder, and
    without ``overwrite`` for a file that is there; OSError for a name that no disk takes."""
    try:
        mode = path.expanduser().stat().st_mode
    except FileNotFoundError:
        return FILE_MODE
    if stat.S_ISDIR(mode):
        raise UsageError(f"{path} is a folder.{none}", "Give the name of a file.")
    if not stat.S_ISREG(mode):
        return None
    if not overwrite:
        raise UsageError(
            f"{path} already exists.{none}",
            "Choose another name, or say that it may be overwritten.",
        )
    return stat.S_IMODE(mode)
