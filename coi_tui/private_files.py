"""Files and folders for this user alone, and files that are written whole or not at all.

What a researcher writes and reads is private: a folder of ours is entered, and a file of ours read,
by its owner only. Those that are there already lose the rights of others when they are opened:
earlier versions, another umask or a copy from elsewhere gave them. A folder that is not ours (that
of a session which was named by its path) stays as it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from coi_tui.model.errors import UsageError, why_not_written

FILE_MODE = 0o600
FOLDER_MODE = 0o700
OTHERS = 0o077


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing. Raises OSError."""
    missing = [above for above in folder.parents if not above.exists()]
    for each in (*reversed(missing), folder):
        each.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_file(file: Path) -> None:
    """Make an empty file where there is none, for another library to write into. Raises OSError."""
    os.close(os.open(file, os.O_CREAT | os.O_WRONLY, FILE_MODE))


def make_private(*places: Path) -> None:
    """Take the rights of others from files and folders of this user that are there. What the disk
    does not allow stays as it is."""
    if sys.platform == "win32":
        return
    for place in places:
        with contextlib.suppress(OSError):
            found = os.lstat(place)
            if (
                found.st_uid == os.geteuid()
                and found.st_mode & OTHERS
                and (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode))
            ):
                os.chmod(place, stat.S_IMODE(found.st_mode) & ~OTHERS)


def write_whole(file: Path, content: str | bytes, *, mode: int = FILE_MODE) -> None:
    """Put a content in the place of a file; it is on the disk when this returns.

    Raises OSError, also for a missing folder; then nothing has changed.
    """
    number, part = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.")
    try:
        with os.fdopen(number, "wb") as out:
            out.write(content.encode("utf-8") if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(part, mode)
        os.replace(part, file)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def write_files(files: Mapping[Path, str], overwrite: bool = False) -> None:
    """Write each text to its path; a file that is replaced keeps its rights, and a device or a pipe
    is written to. Raises UsageError for a folder, a file that exists (without ``overwrite``; then
    nothing is written), and one that cannot be written, which is then as it was before."""
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
