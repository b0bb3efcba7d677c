"""A bundle for a bug report: versions, settings without secrets, and the program's log as it is."""

from __future__ import annotations

import io
import json
import os
import platform
import sqlite3
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coi_tui
from coi_tui.config import Keys
from coi_tui.model.errors import CoiError, StoreError, UsageError, why_not_written
from coi_tui.paths import Paths
from coi_tui.private_files import write_whole
from coi_tui.session.admin.about import packages
from coi_tui.session.admin.configuration import settings_now

MOST_LOG = 200_000
"""Characters of the program's log: the newest."""
PRIVATE = ("base_url",)
"""Settings of which only is told whether they are set, by the last part of their names."""


@dataclass(frozen=True)
class Inside:
    """One file of the bundle: its name, what it holds in words, its text."""

    name: str
    what: str
    text: str


def gather(paths: Paths, keys: Keys) -> list[Inside]:
    """Everything that the bundle would hold."""
    try:
        log = paths.log.read_text(encoding="utf-8", errors="replace")[-MOST_LOG:]
    except OSError:
        log = ""
    return [
        Inside("about.json", "versions, system and terminal", _json(_about())),
        Inside(
            "settings.json",
            "settings; of keys and addresses only whether they are set",
            _json(_settings(paths, keys)),
        ),
        Inside("log.txt", "the program's log: it may name files and services", log),
    ]


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, default=lambda model: model.model_dump()) + "\n"


def _about() -> dict[str, Any]:
    return {
        "coi_tui": coi_tui.__version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        "packages": packages(),
        "terminal": os.environ.get("TERM", ""),
        "colours": os.environ.get("COLORTERM", ""),
        "over_ssh": "SSH_CONNECTION" in os.environ,
    }


def _settings(paths: Paths, keys: Keys) -> dict[str, Any]:
    told: dict[str, Any] = {"keys_set": {name: bool(key) for name, key in keys}}
    try:
        now = settings_now(paths)
    except CoiError as error:
        return {**told, "settings": str(error)}
    return {**told, "settings": {s.key: [_shown(s.key, s.value), s.origin] for s in now}}


def _shown(key: str, value: Any) -> Any:
    private = key.rpartition(".")[2] in PRIVATE
    return ("set" if value else "empty") if private else value


def free_place(out: Path, *, overwrite: bool = False) -> Path:
    """Where the bundle goes. Raises UsageError for what is no .zip, or a file that is there."""
    if out.suffix.lower() != ".zip":
        raise UsageError(f"{out.name} does not end in .zip.", "Name it like report.zip.")
    if out.exists() and not overwrite:
        raise UsageError(
            f"{out} already exists, so nothing was written.",
            "Choose another name, or add --overwrite.",
        )
    return out


def write(
    inside: list[Inside], out: Path, keys: Keys, environ: Mapping[str, str] | None = None
) -> None:
    """Write the files into a zip, all or nothing. Raises StoreError where it cannot be written, or
    a key stands in it after all."""
    env = os.environ if environ is None else environ
    secret = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
    secrets = [value for name, value in env.items() if name.upper().endswith(secret)]
    secrets += [key for key in keys.model_dump().values() if key]
    if any(len(s) >= 6 and s in file.text for file in inside for s in secrets):
        raise StoreError(
            "A key would have been in the bundle, so nothing was written.",
            "Please report this by itself.",
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as held:
        for file in inside:
            held.writestr(file.name, file.text)
    try:
        write_whole(out, packed.getvalue())
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"{out} could not be written: {why}.", hint) from None
