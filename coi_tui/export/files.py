"""Writing exports: never over an existing file without a yes, never half of one, and of several
files all or none.

A device or a pipe is written to: it is not a file that could be replaced.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from coi_tui.model.errors import UsageError, why_not_written
from coi_tui.private_files import FILE_MODE


def is_stream(path: Path) -> bool:
    """Whether this is a device, a pipe or the like: what is written there goes somewhere else, and
    nothing can be lost."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_new(path: Path, text: str, overwrite: bool = False) -> None:
    """Write ``text`` to ``path`` in one step. Raises UsageError when it exists (without
    ``overwrite``) or cannot be written."""
    write_all([(path, text)], overwrite)


def write_all(files: Sequence[tuple[Path, str]], overwrite: bool = False) -> None:
    """Write each text to its path, all or none. Raises UsageError as ``write_new`` does; then every
    file is as it was before.

    The texts are written whole under names of their own beside their targets before the first of
    them takes its place.
    """
    writes = [_Write(path, text) for path, text in files]
    none = " Nothing was written." if len(writes) > 1 else ""
    for write in writes:
        write.check(overwrite, none)
    try:
        for step in ("prepare", "place"):
            for write in writes:
                _tried(write, step, overwrite, none)
    except BaseException:
        for write in reversed(writes):
            write.take_back()
        raise
    finally:
        for write in writes:
            write.tidy()


def _tried(write: _Write, step: str, overwrite: bool, none: str) -> None:
    try:
        write.prepare() if step == "prepare" else write.place(overwrite)
    except FileExistsError:
        raise write.exists(none) from None
    except OSError as error:
        why, hint = why_not_written(error)
        raise UsageError(f"{write.path} cannot be written: {why}.{none}", hint) from None


class _Write:
    """One file on its way: its text under a name of its own, then in its place, and what stood
    there kept until all are done."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text
        target = path.expanduser()
        self.stream = is_stream(target)
        self.target = (
            Path(os.path.realpath(target)) if os.path.islink(target) and not self.stream else target
        )
        mark = secrets.token_hex(6)
        self.temp = self.target.with_name(f".{self.target.name[:40]}.{mark}.tmp")
        self.before = self.target.with_name(f".{self.target.name[:40]}.{mark}.old")
        self.placed = self.kept = False

    def check(self, overwrite: bool, none: str) -> None:
        """Raises UsageError for a folder, and without ``overwrite`` for a file that is there. A
        name too long fails when it is written."""
        if os.path.isdir(self.target):
            raise UsageError(f"{self.path} is a folder.{none}", "Give the name of a file.")
        if os.path.exists(self.target) and not overwrite and not self.stream:
            raise self.exists(none)

    def exists(self, none: str = "") -> UsageError:
        return UsageError(
            f"{self.path} already exists.{none}",
            "Choose another name, or say that it may be overwritten.",
        )

    def prepare(self) -> None:
        """Write the text under a name of its own, for its owner alone; a file that is to be
        replaced hands its rights on."""
        if self.stream:
            return
        mode = (
            stat.S_IMODE(os.stat(self.target).st_mode) if os.path.exists(self.target) else FILE_MODE
        )
        with open(
            os.open(self.temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE),
            "w",
            encoding="utf-8",
            newline="\n",
        ) as file:
            file.write(self.text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(self.temp, mode)

    def place(self, overwrite: bool) -> None:
        """Let the new text take its place. Raises FileExistsError for a file that came in between,
        where that is not to go."""
        if self.stream:
            with self.target.open("w", encoding="utf-8", newline="\n") as file:
                file.write(self.text)
            return
        if not overwrite:
            self._place_beside_none()
        else:
            self._keep_before()
            os.replace(self.temp, self.target)
        self.placed = True

    def _place_beside_none(self) -> None:
        """A hard link refuses to go over a file; where there are no links, look once more and
        rename."""
        try:
            os.link(self.temp, self.target)
        except FileExistsError:
            raise
        except OSError:
            if os.path.exists(self.target):
                raise FileExistsError from None
            os.replace(self.temp, self.target)

    def _keep_before(self) -> None:
        if not os.path.exists(self.target):
            return
        try:
            os.link(self.target, self.before)
        except OSError:  # no links on this disk: for a moment the name is free
            os.replace(self.target, self.before)
        self.kept = True

    def take_back(self) -> None:
        """As it was before."""
        with suppress(OSError):
            if self.kept:
                os.replace(self.before, self.target)
            elif self.placed:
                self.target.unlink()
        self.kept = self.placed = False

    def tidy(self) -> None:
        for path in (self.temp, self.before):
            with suppress(OSError):
                path.unlink()
