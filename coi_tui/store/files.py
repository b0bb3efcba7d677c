"""Locks against a second writer, and files that are being built or were left unfinished.

A lock is the operating system's. It goes with the process, also on kill -9."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path

from coi_tui.private_files import FILE_MODE

if sys.platform == "win32":
    import msvcrt

    def _try(fd: int, *, shared: bool) -> bool:
        """Lock the first byte; False where another process holds it. Windows has no shared byte
        locks here."""
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(fd: int, *, shared: bool) -> bool:
        """Take the lock without waiting; False where another holder has it. Other errors (no locks
        on this disk) are raised."""
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """An exclusive lock, held by an open descriptor of ``path``. The file is removed when the lock
    is given back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None

    def acquire(self, wait_s: float = 0.3) -> bool:
        """True when the lock is ours; False when another holder keeps it for ``wait_s``. OSError
        when no lock file can be made.

        The short wait covers a session list that looks at the lock for a moment (``is_held``).
        """
        end = time.monotonic() + wait_s
        while True:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, FILE_MODE)
            try:
                got = _try(fd, shared=False)
            except OSError:
                os.close(fd)
                raise
            if got and self._still_there(fd):
                self._fd = fd
                return True
            os.close(fd)
            if not got:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.02)

    def release(self) -> None:
        """Give the lock back. Safe to call twice."""
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        if (
            sys.platform == "win32"
        ):  # an open file cannot be removed there: it stays, empty and unlocked
            os.close(fd)
            return
        try:
            self.path.unlink(missing_ok=True)
        finally:
            os.close(fd)

    def _still_there(self, fd: int) -> bool:
        """False where the holder before us removed the file between our opening and our locking
        it."""
        try:
            there = os.stat(self.path)
        except FileNotFoundError:
            return False
        ours = os.fstat(fd)
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock now. Looks with a shared lock that is given back at once;
    creates nothing."""
    try:
        fd = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except OSError:  # no lock file, or none that we may read: no holder that we could know of
        return False
    try:
        return not _try(fd, shared=True)
    except OSError:  # a disk without locks
        return False
    finally:
        os.close(fd)


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
