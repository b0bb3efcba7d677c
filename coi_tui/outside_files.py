"""The border for files that a person hands over: read up to a limit, and only where they are files,
with one clear sentence where not.

A device or a pipe may never end, and a file of a gigabyte is none that was meant. A text may be
edited in a program of the person's own.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

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


MARK = "<!-- coi-tui: write below this line; it and all above it are taken off -->\n"


def edit_outside(text: str, about: Sequence[str]) -> tuple[str | None, int]:
    """The text as the person's own editor ($VISUAL, else $EDITOR) left it, None where it is empty
    or unchanged, and the editor's exit code. ``about``: comments above the text, which is in a
    private temporary file meanwhile.

    Raises UsageError where no editor can be started, or what it left cannot be read.
    """
    command = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    if not command:
        raise UsageError("No editor is set.", "Set VISUAL or EDITOR.")
    lines = [*about, "An empty or unchanged text changes nothing."]
    header = "".join(f"<!-- {line.replace('--', '- -')} -->\n" for line in lines)
    with tempfile.TemporaryDirectory(prefix="coi-") as folder:
        path = Path(folder, "text.md")
        path.write_text(header + MARK + text, encoding="utf-8", newline="\n")
        try:
            code = subprocess.run([*shlex.split(command), str(path)], check=False).returncode
            raw = read_file(path, MOST_TEXT).decode("utf-8").replace("\r\n", "\n")
        except (OSError, ValueError) as error:
            raise UsageError(
                f"The text could not be edited with {command[:60]!r} ({type(error).__name__}).",
                "Your text here is as it was.",
            ) from None
    _, mark, below = raw.partition(MARK)
    new = clean(below if mark else raw)
    if not text.endswith("\n"):  # editors end a file with a line end of their own
        new = new.removesuffix("\n")
    return (new if new.strip() and new != text else None), code
