"""Writing an export: never over an existing file without a yes, never half of it (ux.md, check 35)."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from coi_tui.model.errors import UsageError


def write_new(path: Path, text: str, overwrite: bool = False) -> None:
    """Write ``text`` to ``path`` in one step. Raises UsageError when it exists (without ``overwrite``) or cannot be written."""
    target = path.expanduser()
    target = target.resolve() if target.is_symlink() else target
    if target.is_dir():
        raise UsageError(f"{path} is a folder.", "Give the name of a file.")
    if target.exists() and not overwrite:
        raise _exists(path)
    temp = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.tmp")
    try:
        _write(temp, text)
        _place(temp, target, overwrite, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.", "Choose another place.") from None
    finally:
        with suppress(OSError):
            temp.unlink()


def _write(temp: Path, text: str) -> None:
    with temp.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _place(temp: Path, target: Path, overwrite: bool, shown: Path) -> None:
    """A hard link refuses to go over a file that came in between; where there are no links, look once more and rename."""
    if not overwrite:
        try:
            os.link(temp, target)
            return
        except FileExistsError:
            raise _exists(shown) from None
        except OSError:
            if target.exists():
                raise _exists(shown) from None
    os.replace(temp, target)


def _exists(path: Path) -> UsageError:
    return UsageError(f"{path} exists already.", "Choose another name, or say that it may be overwritten.")
