"""Writing exports: never over an existing file without a yes, never half of one.

A device or a pipe is written to: it is not a file that could be replaced.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from coi_tui.model.errors import UsageError, why_not_written
from coi_tui.paths import FILE_MODE, write_whole


def write_files(files: Mapping[Path, str], overwrite: bool = False) -> None:
    """Write each text to its path; a file that is replaced keeps its rights. Raises UsageError for
    a folder, a file that exists (without ``overwrite``; then nothing is written), and one that
    cannot be written, which is then as it was before."""
    path = Path()
    try:
        modes = {path: path.stat().st_mode for path in files if path.exists()}
        for path, mode in modes.items():
            if stat.S_ISDIR(mode):
                raise UsageError(f"{path} is a folder.", "Give the name of a file.")
            if stat.S_ISREG(mode) and not overwrite:
                raise UsageError(
                    f"{path} already exists.",
                    "Choose another name, or say that it may be overwritten.",
                )
        for path, text in files.items():
            mode = modes.get(path, stat.S_IFREG | FILE_MODE)
            if stat.S_ISREG(mode):
                write_whole(Path(os.path.realpath(path)), text, mode=stat.S_IMODE(mode))
            else:
                path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        why, hint = why_not_written(error)
        raise UsageError(f"{path} cannot be written: {why}.", hint) from None
