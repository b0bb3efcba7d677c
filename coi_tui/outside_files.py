"""The border for files that a person hands over: read up to a limit, and only where they are files,
with one clear sentence where not.

A device or a pipe may never end, and a file of a gigabyte is none that was meant. Needs nothing but
the standard library.
"""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import IO, Any

from coi_tui.model.errors import UsageError

MOST_LIST = 64_000_000
"""Bytes of a list of papers: some 30,000 with their abstracts."""
MOST_TEXT = 4_000_000
"""Bytes of a text for a cell."""
MOST_SETTINGS = 1_000_000
"""Bytes of a file of settings, keys or of a prompt."""


def read_file(file: Path, most: int, *, pipe: bool = False) -> bytes:
    """The bytes of a file. ``pipe``: what another program writes into a pipe will do.

    Raises OSError where it cannot be read, UsageError where it is no file or larger than ``most``.
    """
    with open(file, "rb", buffering=0, opener=None if pipe else _at_once) as opened:
        mode = os.fstat(opened.fileno()).st_mode
        if not (stat.S_ISREG(mode) or (pipe and (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)))):
            raise UsageError(
                f"{file} is not a file, so it was not read.", "Give the name of a file."
            )
        return read_stream(opened, most, str(file))


def read_stream(stream: IO[bytes], most: int, name: str) -> bytes:
    """Everything of a stream. Raises UsageError for more than ``most`` bytes."""
    parts, left = list[bytes](), most + 1
    while left and (part := stream.read(min(left, 1_000_000))):
        parts.append(part)
        left -= len(part)
    if not left:
        raise UsageError(
            f"{name} is larger than {most // 1_000_000} MB, so it was not read.",
            "Give a smaller file, or split it.",
        )
    return b"".join(parts)


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for someone to write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a TOML text. Raises tomllib.TOMLDecodeError, also where it is nested too
    deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
