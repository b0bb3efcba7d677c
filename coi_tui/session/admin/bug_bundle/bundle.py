"""Puts the bundle together, and writes it when a person has seen what is inside."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coi_tui.config import Keys
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.paths import Paths
from coi_tui.private_files import write_whole
from coi_tui.session.admin.bug_bundle import machine
from coi_tui.session.admin.bug_bundle.sessions import session_numbers
from coi_tui.session.names import session_path

MOST_SESSIONS = 20
WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of each file inside: none."""


@dataclass(frozen=True)
class Inside:
    """One file of the bundle: its name, what it is in a sentence, and its text."""

    name: str
    what: str
    text: str


def gather(paths: Paths, keys: Keys, session: str = "") -> list[Inside]:
    """Everything that the bundle would hold, of one session or of the newest ones. Raises UsageError for an unknown session."""
    files = [session_path(paths, session, existing=True)] if session else _newest(paths)
    read = [session_numbers(path) for path in files]
    numbered = {f"session {n}": said for n, (said, _) in enumerate(read, start=1)}
    logs = {f"session {n}": lines for n, (_, lines) in enumerate(read, start=1)}
    many = f"{len(files)} session{'' if len(files) == 1 else 's'}"
    return [
        _json("about.json", "versions of the program and its packages, kind of system and terminal", machine.about(paths)),
        _json("settings.json", "settings that are numbers or fixed words; of others and of keys only whether they are set",
              machine.settings(paths, keys)),
        _json("sessions.json", f"{many}, by number and not by name: format, counts, kinds, times and tokens of calls", numbered),
        _json("log.json", "what was decided, made and failed: kinds, addresses such as 1/0.card, seconds", logs),
        _json("library.json", "how much the library, your papers and their texts are, in numbers", machine.library(paths)),
        _json("errors.json", "the program's log as places in its code and kinds of errors, without messages", machine.log_places(paths)),
    ]  # fmt: skip


def _newest(paths: Paths) -> list[Path]:
    if not paths.sessions.is_dir():
        return []
    files = [p for p in paths.sessions.glob("*.coi.db") if p.is_file()]
    return sorted(files, key=lambda p: p.stat().st_mtime, reverse=True)[:MOST_SESSIONS]


def _json(name: str, what: str, value: Any) -> Inside:
    return Inside(name, what, json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False) + "\n")


def free_place(out: Path, *, overwrite: bool = False) -> Path:
    """Where the bundle goes. Raises UsageError for what is no .zip, or a file that is there."""
    if out.suffix.lower() != ".zip":
        raise UsageError(f"{out.name} does not end in .zip.", "Name it like report.zip.")
    if out.exists() and not overwrite:
        raise UsageError(f"{out} already exists, so nothing was written.", "Choose another name, or add --overwrite.")
    return out


def write(inside: list[Inside], out: Path, keys: Keys, environ: Mapping[str, str] | None = None) -> None:
    """Write the files into a zip, all or nothing. Raises StoreError where it cannot be written, or a key stands in it after all."""
    secrets = {s for s in (*keys.model_dump().values(), *_secrets(os.environ if environ is None else environ)) if s and len(s) >= 6}
    if any(s in i.text for i in inside for s in secrets):  # cannot be, since nothing is copied; if it is, better no bundle
        raise StoreError("A key would have been in the bundle, so nothing was written.", "Please report this by itself.")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as held:
        for i in inside:
            held.writestr(zipfile.ZipInfo(i.name, WHEN), i.text, zipfile.ZIP_DEFLATED)
    try:
        write_whole(out, packed.getvalue())
    except OSError as error:
        raise StoreError(f"{out} could not be written ({error.strerror}).", "Check the folder and the disk.") from None


def _secrets(environ: Mapping[str, str]) -> list[str]:
    return [value for name, value in environ.items() if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD"))]
