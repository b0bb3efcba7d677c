"""A bundle for a bug report: versions, settings and the program's log, and nothing that a person or
a paper has written.

Nothing is copied and then cleaned: every value is made anew from a fixed list of words of this
program, or is a number; the log is told as places in the code.
"""

from __future__ import annotations

import asyncio
import builtins
import io
import json
import os
import platform
import re
import sqlite3
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coi_tui
from coi_tui.config import Keys
from coi_tui.model import errors
from coi_tui.model.errors import CoiError, StoreError, UsageError, why_not_written
from coi_tui.paths import Paths
from coi_tui.private_files import write_whole
from coi_tui.prompts.loader import Prompts
from coi_tui.session.admin.about import packages
from coi_tui.session.admin.configuration import settings_now

SAFE_SETTINGS = frozenset(
    (
        "source",
        "sources",
        "llm.profile",
        "display.theme",
    )
)
"""Settings whose words are of a fixed list."""
_TERMINAL = re.compile(r"xterm|screen|tmux|linux|alacritty|kitty|foot|wezterm|rxvt|dumb")
_FRAME = re.compile(r'^\s+File "(.*?)", line (\d+), in ')
_LINE = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) ")
_ENDS = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)")
MOST_LINES, MOST_LOG = 2_000, 2_000_000
"""Lines of the program's log that are listed, and characters that are looked at: the newest."""
WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of each file inside: none."""


@dataclass(frozen=True)
class Inside:
    """One file of the bundle: its name, what it holds in words, its text."""

    name: str
    what: str
    text: str


def gather(paths: Paths, keys: Keys) -> list[Inside]:
    """Everything that the bundle would hold."""
    files = {
        "about.json": ("versions, kind of system and terminal", _about()),
        "settings.json": (
            "settings that are numbers or fixed words; of others and of keys only whether they are set",
            _settings(paths, keys),
        ),
        "log.json": (
            "the program's log as places in its code and kinds of errors, without messages",
            log_places(paths),
        ),
    }
    return [
        Inside(name, what, json.dumps(value, indent=1) + "\n")
        for name, (what, value) in files.items()
    ]


def _about() -> dict[str, Any]:
    term = _TERMINAL.match(os.environ.get("TERM", "").lower())
    system = platform.system()
    return {
        "coi_tui": coi_tui.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
        "system": system if system in ("Linux", "Darwin", "Windows", "FreeBSD") else "other",
        "sqlite": sqlite3.sqlite_version,
        "packages": {
            name: ".".join(re.findall(r"\d+", version)[:4]) for name, version in packages().items()
        },
        "terminal": term[0] if term else "other",
        "truecolor": os.environ.get("COLORTERM") in ("truecolor", "24bit"),
        "over_ssh": "SSH_CONNECTION" in os.environ,
    }


def _settings(paths: Paths, keys: Keys) -> dict[str, Any]:
    """Every setting as number, yes or no, or word of a fixed list; of any other, and of keys, only
    whether it is set."""
    told: dict[str, Any] = {
        "keys_set": {name: bool(getattr(keys, name)) for name in type(keys).model_fields},
        "prompts_replaced": [n for n in Prompts().names() if (paths.prompts / f"{n}.md").exists()],
    }
    try:
        now = settings_now(paths)
    except CoiError:
        return {**told, "settings": "the file cannot be read"}
    return {**told, "settings": {s.key: [_shown(s.key, s.value), s.origin.split()[0]] for s in now}}


def _shown(key: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float) or key in SAFE_SETTINGS:
        return value
    return "set" if value else "empty"


def log_places(paths: Paths) -> list[str]:
    """The program's log as levels, places in this program, and kinds of errors; messages and the
    paths of the machine stay out."""
    try:
        text = paths.log.read_text(encoding="utf-8", errors="replace")[-MOST_LOG:]
    except OSError:
        return []
    root = Path(coi_tui.__file__).parent
    ours = {file.relative_to(root).as_posix() for file in root.rglob("*.py")}
    known = {n for module in (builtins, errors, sqlite3, asyncio, json) for n in vars(module)}
    return [said for line in text.splitlines() if (said := _place(line, ours, known))][-MOST_LINES:]


def _place(line: str, ours: set[str], known: set[str]) -> str:
    if frame := _FRAME.match(line):
        path = frame[1].replace("\\", "/").rpartition("/coi_tui/")[2]
        return f"  {path}:{frame[2][:6]}" if path in ours else "  elsewhere"
    if level := _LINE.match(line):
        return level[1]
    end = _ENDS.match(line)
    name = end[1].rpartition(".")[2] if end else ""
    return name if name in known else ""


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
    # cannot be, since nothing is copied; if it is, better no bundle
    if any(len(s) >= 6 and s in file.text for file in inside for s in secrets):
        raise StoreError(
            "A key would have been in the bundle, so nothing was written.",
            "Please report this by itself.",
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as held:
        for file in inside:
            held.writestr(zipfile.ZipInfo(file.name, WHEN), file.text, zipfile.ZIP_DEFLATED)
    try:
        write_whole(out, packed.getvalue())
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"{out} could not be written: {why}.", hint) from None
