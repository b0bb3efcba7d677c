"""The settings file as text: reading it, and changing one line so that comments and all other lines stay. Light to import.

What the settings mean, and which are allowed, stands in ``coi_tui.config``.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.outside_files import MOST_SETTINGS, parse_toml, read_file
from coi_tui.private_files import make_folder, write_whole

_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_.\"' /:@+-]+?)\s*\]\s*(#.*)?$")
_ARRAY = re.compile(r"\s*\[\[")
_LINE = re.compile(r"[^\n]*\n|[^\n]+$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SECRET = re.compile(
    r"(?<![A-Za-z0-9])(sk|pk|gsk|xai|hf|ghp|key)[-_][A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{20,}"
    r"|(api[-_]?key|token|secret)=[^&\s]{6,}|(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)[A-Za-z0-9]{32,}(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
"""What keys of services look like, also inside a longer text such as an address."""


def check_no_secret(data: Any) -> None:
    """Raises UsageError for a key of a service anywhere in the settings; the message does not repeat it."""
    if isinstance(data, dict):
        for value in data.values():
            check_no_secret(value)
    elif isinstance(data, str) and _SECRET.search(data):
        raise UsageError("This looks like an API key.", "Put keys into the environment or the system keyring; `coi doctor` checks them.")


def parts_of(key: str) -> list[str]:
    """A dotted key in its parts; the name of a model in ``llm.prices.NAME.input`` may hold dots itself."""
    if not key.startswith("llm.prices."):
        return key.split(".")
    name, _, last = key.removeprefix("llm.prices.").rpartition(".")
    return ["llm", "prices", name.strip("\"'"), last]


def read(file: Path) -> tuple[str, dict[str, Any]]:
    """Text and content of the file; empty where there is none. Raises UsageError for what is no TOML."""
    try:
        text = read_exactly(file) if file.exists() else ""
        return text, parse_toml(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The settings file {file} is not valid TOML: {error}.", "Correct or rename it.") from None
    except OSError as error:
        raise StoreError(f"The settings file {file} cannot be read: {error.strerror or error}.") from None


def read_exactly(file: Path) -> str:
    """The text with its line ends as they are: a file from Windows has CRLF, which reading as text would lose."""
    return read_file(file, MOST_SETTINGS).decode("utf-8")


def value_of(text: str) -> Any:
    """A typed value: a TOML value where it is one (numbers, true, "quoted", lists), else the text itself."""
    try:
        return parse_toml(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def with_value(data: dict[str, Any], parts: list[str], value: Any) -> dict[str, Any]:
    head, *rest = parts
    if not rest:
        return {**data, head: value}
    inner = data.get(head, {})
    return {**data, head: with_value(inner if isinstance(inner, dict) else {}, rest, value)}


def without_value(data: dict[str, Any], parts: list[str]) -> dict[str, Any]:
    head, *rest = parts
    if not rest:
        return {k: v for k, v in data.items() if k != head}
    return {**data, head: without_value(data[head], rest)}


def toml_name(part: str) -> str:
    return part if _BARE.fullmatch(part) else json.dumps(part)


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(str(value), ensure_ascii=False)


def _header(line: str) -> list[str] | None:
    """The section that a line opens; an empty list for one of a kind that is never edited."""
    if _ARRAY.match(line):
        return []
    if found := _HEADER.match(line):
        return [part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", found[1])]
    return None


def edited(text: str, parts: list[str], line: str | None) -> str:
    """The text with one line set, or with ``None`` taken out; every other line keeps its own end. Whoever writes the result checks it."""
    lines = _LINE.findall(text)
    end = _end(lines[0]) if lines else "\n"
    *section, name = parts
    at, last = _place(lines, section, name)
    if at is not None:
        new = [line + _comment_of(lines[at]) + (_end(lines[at]) or end)] if line is not None else []
        return _joined([*lines[:at], *new, *lines[at + 1 :]], end)
    if line is None:
        return text
    if section and last < 0:
        gap = [end] if lines and lines[-1].strip() else []
        return _joined([*lines, *gap, f"[{'.'.join(map(toml_name, section))}]", line], end)
    return _joined([*lines[: last + 1], line, *lines[last + 1 :]], end)


def _place(lines: list[str], section: list[str], name: str) -> tuple[int | None, int]:
    """The line that sets a name in a section, and the line after which it would stand (-1: there is no such section)."""
    here: list[str] = []
    last = -1 if section else _end_of_top(lines)
    for n, line in enumerate(lines):
        opened = _header(line)
        if opened is not None:
            here = opened or ["", "array"]
            last = n if here == section else last
        elif here == section and _says_something(line):
            last = n
            if _key_of(line) == name:
                return n, n
    return None, last


def _says_something(line: str) -> bool:
    """Neither blank nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _comment_of(line: str) -> str:
    """The comment at the end of a line, with the blanks before it."""
    found = re.search(r"\s+#[^\"']*$", line.rstrip("\r\n"))
    return found[0] if found else ""


def _key_of(line: str) -> str:
    found = re.match(r"\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)\s*=", line)
    return found[1].strip("\"'") if found else ""


def _end_of_top(lines: list[str]) -> int:
    """The line after which a top-level setting may stand: the last one before the first section that is not blank or a comment."""
    first = next((n for n, line in enumerate(lines) if _header(line) is not None), len(lines))
    return max((n for n in range(first) if _says_something(lines[n])), default=-1)


def _end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def _joined(lines: list[str], end: str) -> str:
    """One text; a line that has no end yet gets this one."""
    return "".join(line if _end(line) else line + end for line in lines)


def pruned(data: Any) -> Any:
    """The content without empty sections, which say nothing."""
    if not isinstance(data, dict):
        return data
    return {k: p for k, v in data.items() if (p := pruned(v)) != {}}


def write_text(file: Path, text: str) -> None:
    """Put a text in the place of the file, whole or not at all, for this user alone. Raises StoreError."""
    try:
        make_folder(file.parent)
        target = file.resolve()
        write_whole(target, text, mode=target.stat().st_mode & 0o700 if target.exists() else 0o600)
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"The settings file {file} cannot be written: {why}.", hint) from None
