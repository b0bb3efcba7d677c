"""A bundle for a bug report: numbers, kinds and versions, and nothing that a person or a paper has written.

Nothing is copied and then cleaned: every value is made anew from a fixed list of words of this program, or is a number. The bundle holds
versions and kinds of the program and the machine, the settings, sessions, and the program's log as places in its code.
"""

from __future__ import annotations

import builtins
import io
import json
import locale
import os
import platform
import re
import sqlite3
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from coi_tui.config import Keys
from coi_tui.model import errors
from coi_tui.model.errors import CoiError, StoreError, UsageError, why_not_written
from coi_tui.paths import Paths
from coi_tui.private_files import write_whole
from coi_tui.session.admin.session_numbers import OTHER, family, session_numbers, word
from coi_tui.session.names import session_path

PACKAGES = (
    "textual",
    "rich",
    "openai",
    "httpx",
    "httpx2",
    "httpcore",
    "sqlite-utils",
    "rapidfuzz",
    "platformdirs",
    "pydantic",
    "jinja2",
    "json-repair",
    "numpy",
    "pypdfium2",
    "click",
    "genai-prices",
    "stamina",
    "aiolimiter",
    "keyring",
    "fastembed",
    "onnxruntime",
    "tokenizers",
)
TERMINALS = (
    "xterm",
    "screen",
    "tmux",
    "linux",
    "vt",
    "alacritty",
    "kitty",
    "foot",
    "wezterm",
    "rxvt",
    "dumb",
    "st",
)
SAFE_SETTINGS = frozenset(
    (
        "source",
        "sources",
        "llm.profile",
        "display.theme",
        "llm.main.reply_format",
        "llm.reader.reply_format",
        "llm.embedding.reply_format",
    )
)
"""Settings whose words are of a fixed list."""
_FRAME = re.compile(r'^\s+File "(.*?)", line (\d+), in ')
_LINE = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) ")
_ENDS = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)")
MOST_LINES = 2000
"""Lines of the program's log that are listed, the newest."""
MOST_LOG = 2_000_000
"""Characters of the program's log that are looked at, the newest."""


def about(paths: Paths) -> dict[str, Any]:
    """Versions and platform."""
    from coi_tui import __version__
    from coi_tui.store.migrations import LIBRARY_FORMAT, SESSION_FORMAT

    return {
        "coi_tui": __version__,
        "session_format": SESSION_FORMAT,
        "library_format": LIBRARY_FORMAT,
        "python": ".".join(map(str, sys.version_info[:3])),
        "implementation": platform.python_implementation(),
        "system": word(platform.system(), {"Linux", "Darwin", "Windows", "FreeBSD"}),
        "release": ".".join(re.findall(r"\d+", platform.release())[:3]),
        "machine": word(
            platform.machine(), {"x86_64", "AMD64", "arm64", "aarch64", "i686", "riscv64"}
        ),
        "processors": os.cpu_count(),
        "sqlite": sqlite3.sqlite_version,
        "packages": dict(_packages()),
        "terminal": _terminal(os.environ),
        "folders": {
            name: _folder(path)
            for name, path in (
                ("data", paths.data),
                ("config", paths.config),
                ("cache", paths.cache),
            )
        },
    }


def _packages() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, ".".join(re.findall(r"\d+", metadata.version(name))[:4])
        except metadata.PackageNotFoundError:
            yield name, "not there"


def _terminal(environ: Mapping[str, str]) -> dict[str, Any]:
    term = environ.get("TERM", "").lower()
    return {
        "term": next((t for t in TERMINALS if term.startswith(t)), OTHER if term else "none"),
        "colours_256": "256" in term,
        "truecolor": environ.get("COLORTERM") in ("truecolor", "24bit"),
        "over_ssh": "SSH_CONNECTION" in environ,
        "tmux": "TMUX" in environ,
        "utf8": "utf" in (locale.getpreferredencoding(False) or "").lower(),
        "no_color": "NO_COLOR" in environ,
    }


def _folder(path: Path) -> dict[str, bool]:
    return {"there": path.is_dir(), "writable": os.access(path, os.W_OK), "link": path.is_symlink()}


def settings(paths: Paths, keys: Keys) -> dict[str, Any]:
    """Every setting as number, yes or no, or word of a fixed list; of any other, and of keys, only whether it is set."""
    from coi_tui.prompts.loader import Prompts
    from coi_tui.session.admin.configuration import settings_now

    own = {
        "prompts_replaced": [n for n in Prompts().names() if (paths.prompts / f"{n}.md").exists()],
        "keys_file": paths.keys_file.exists(),
    }
    there = {name: bool(getattr(keys, name)) for name in type(keys).model_fields}
    try:
        now = settings_now(paths)
    except CoiError:
        return {"keys_set": there, **own, "settings": "the file cannot be read"}
    return {
        "keys_set": there,
        **own,
        "server": _server(now),
        "settings": {s.key: [_shown(s.key, s.value), s.origin.split()[0]] for s in now},
    }


def _shown(key: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float) or key in SAFE_SETTINGS:
        return value
    if key.endswith(".model"):
        return family(str(value))
    if isinstance(value, dict):
        return f"{len(value)} entries"
    return "set" if value else "empty"


def _server(now: Any) -> dict[str, Any]:
    """The kind of server that models are asked at, and whether it is this machine; never its address."""
    from coi_tui.config import LlmSettings
    from coi_tui.llm.server_profiles import PROFILES, server_of

    values = {s.key: s.value for s in now}
    try:
        server = server_of(
            LlmSettings(base_url=values["llm.base_url"], profile=values["llm.profile"])
        )
    except (CoiError, ValueError, KeyError):
        return {"kind": "its address is none"}
    return {"kind": word(server.profile.id, PROFILES), "local": server.local}


def library(paths: Paths) -> dict[str, Any]:
    """What is kept beside the sessions, in numbers."""
    from coi_tui.session.papers.imported import count_held, own_papers
    from coi_tui.session.papers.library import library_sizes

    try:
        mine: int | str = len(own_papers(paths))
    except CoiError:
        mine = "cannot be read"
    return {
        "rows": library_sizes(paths),
        "kilobytes": paths.library.stat().st_size // 1000 if paths.library.exists() else 0,
        "own_papers": mine,
        "own_pdf_texts": count_held(paths),
        "copies_of_sessions": sum(1 for _ in paths.backups.rglob("*.db"))
        if paths.backups.is_dir()
        else 0,
    }


def log_places(paths: Paths) -> list[str]:
    """The program's log as levels, places in this program, and kinds of errors; messages and the paths of the machine stay out."""
    import coi_tui

    try:
        text = paths.log.read_text(encoding="utf-8", errors="replace")[-MOST_LOG:]
    except OSError:
        return []
    root = Path(coi_tui.__file__).parent
    ours = {file.relative_to(root).as_posix() for file in root.rglob("*.py")}
    return [said for line in text.splitlines() if (said := _place(line, ours))][-MOST_LINES:]


def _place(line: str, ours: set[str]) -> str:
    if frame := _FRAME.match(line):
        path = frame[1].replace("\\", "/").rpartition("/coi_tui/")[2]
        return f"  {path}:{frame[2][:6]}" if path in ours else "  elsewhere"
    if level := _LINE.match(line):
        return level[1]
    if (end := _ENDS.match(line)) and (name := end[1].rpartition(".")[2]) in _errors():
        return name
    return ""


def _errors() -> frozenset[str]:
    """Names of errors that are known beforehand: Python's, this program's, and those of what it is built on."""
    own = {n for n in vars(errors) if isinstance(getattr(errors, n), type)}
    base = {
        n
        for n, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    others = {
        "OperationalError",
        "DatabaseError",
        "IntegrityError",
        "InterfaceError",
        "ValidationError",
        "CancelledError",
        "QueueFull",
        "NoMatches",
        "WrongType",
        "MountError",
        "DuplicateIds",
        "MarkupError",
        "StylesheetError",
        "ConnectError",
        "ReadTimeout",
        "ConnectTimeout",
        "RemoteProtocolError",
        "HTTPStatusError",
        "APIError",
        "APIConnectionError",
        "APITimeoutError",
        "RateLimitError",
        "BadRequestError",
        "AuthenticationError",
        "JSONDecodeError",
        "PdfiumError",
        "UndefinedError",
        "TemplateSyntaxError",
    }
    return frozenset(own | base | others)


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
        _json(
            "about.json",
            "versions of the program and its packages, kind of system and terminal",
            about(paths),
        ),
        _json(
            "settings.json",
            "settings that are numbers or fixed words; of others and of keys only whether they are set",
            settings(paths, keys),
        ),
        _json(
            "sessions.json",
            f"{many}, by number and not by name: format, counts, kinds, times and tokens of calls",
            numbered,
        ),
        _json(
            "log.json",
            "what was decided, made and failed: kinds, addresses such as 1/0.card, seconds",
            logs,
        ),
        _json(
            "library.json",
            "how much the library, your papers and their texts are, in numbers",
            library(paths),
        ),
        _json(
            "errors.json",
            "the program's log as places in its code and kinds of errors, without messages",
            log_places(paths),
        ),
    ]


def _newest(paths: Paths) -> list[Path]:
    if not paths.sessions.is_dir():
        return []
    files = [p for p in paths.sessions.glob("*.coi.db") if p.is_file()]
    return sorted(files, key=lambda p: p.stat().st_mtime, reverse=True)[:MOST_SESSIONS]


def _json(name: str, what: str, value: Any) -> Inside:
    return Inside(
        name, what, json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
    )


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
    """Write the files into a zip, all or nothing. Raises StoreError where it cannot be written, or a key stands in it after all."""
    secrets = {
        s
        for s in (
            *keys.model_dump().values(),
            *_secrets(os.environ if environ is None else environ),
        )
        if s and len(s) >= 6
    }
    if any(
        s in i.text for i in inside for s in secrets
    ):  # cannot be, since nothing is copied; if it is, better no bundle
        raise StoreError(
            "A key would have been in the bundle, so nothing was written.",
            "Please report this by itself.",
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as held:
        for i in inside:
            held.writestr(zipfile.ZipInfo(i.name, WHEN), i.text, zipfile.ZIP_DEFLATED)
    try:
        write_whole(out, packed.getvalue())
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"{out} could not be written: {why}.", hint) from None


def _secrets(environ: Mapping[str, str]) -> list[str]:
    return [
        value
        for name, value in environ.items()
        if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD"))
    ]
