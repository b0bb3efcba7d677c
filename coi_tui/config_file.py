"""Changing one line of the settings file: comments and all other lines stay, and only a file that would be valid is written."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import StoreError, UsageError
from coi_tui.private_files import make_folder, write_whole

if TYPE_CHECKING:
    from pydantic import BaseModel

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
        raise UsageError("This looks like an API key.", "Keys come from the environment or the system keyring only; see `coi doctor`.")


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
        return text, tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The settings file {file} is not readable TOML: {error}.", "Mend or rename it.") from None
    except OSError as error:
        raise StoreError(f"The settings file {file} cannot be read: {error.strerror or error}.") from None


def read_exactly(file: Path) -> str:
    """The text with its line ends as they are: a file from Windows has CRLF, which reading as text would lose."""
    with file.open(encoding="utf-8", newline="") as opened:
        return opened.read()


def known_keys() -> dict[str, Any]:
    """Every setting by its dotted name, with its default."""
    from coi_tui.config import Settings

    return dict(_flat(Settings(), ""))


def _flat(section: BaseModel, prefix: str) -> list[tuple[str, Any]]:
    from pydantic import BaseModel

    out: list[tuple[str, Any]] = []
    for name in type(section).model_fields:
        value = getattr(section, name)
        out += _flat(value, f"{prefix}{name}.") if isinstance(value, BaseModel) else [(f"{prefix}{name}", value)]
    return out


def check_key(key: str) -> None:
    """Raises UsageError for what is no setting, naming the nearest one."""
    known = known_keys()
    if key in known or (key.startswith("llm.prices.") and parts_of(key)[2] and parts_of(key)[3] in ("input", "output")):
        return
    from rapidfuzz import process

    near = process.extractOne(key, list(known))
    hint = f"Did you mean {near[0]}?" if near and near[1] >= 60 else "`coi config list` names all of them."
    raise UsageError(f"{key[:60]!r} is no setting.", hint)


def value_of(text: str) -> Any:
    """A typed value: a TOML value where it is one (numbers, true, "quoted", lists), else the text itself."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def set_value(file: Path, key: str, value: Any) -> None:
    """Set one setting. Raises UsageError for an unknown key, a value that is not allowed, or one that looks like a secret; StoreError
    where the file cannot be written. Nothing is written then."""
    check_key(key)
    check_no_secret(value)
    text, before = read(file)
    parts = parts_of(key)
    wanted = _with(before, parts, value)
    _check(wanted, key)
    new = _edited(text, parts, f"{_name(parts[-1])} = {_toml(value)}")
    _write(file, new, wanted, key)


def unset_value(file: Path, key: str) -> bool:
    """Go back to the default of a setting; False where the file does not name it. Raises as ``set_value`` does."""
    check_key(key)
    text, before = read(file)
    parts, section = parts_of(key), before
    for part in parts[:-1]:
        section = section.get(part, {})
    if parts[-1] not in section:
        return False
    wanted = _without(before, parts)
    _check(wanted, key)
    _write(file, _edited(text, parts, None), wanted, key)
    return True


def _check(data: dict[str, Any], key: str) -> None:
    from pydantic import ValidationError

    from coi_tui.config import Settings, told

    try:
        Settings.model_validate(data)
    except ValidationError as error:
        where, why = told(error)
        mine = where == key or (not where and key in ("source", "sources"))
        at = f" at {where}" if where else ""
        said = f"{key} cannot be that: {why}." if mine else f"The settings file has a bad value{at}: {why}."
        raise UsageError(said, "Nothing was changed.") from None


# -- the text -------------------------------------------------------------------------------------------------------------------------


def _with(data: dict[str, Any], parts: list[str], value: Any) -> dict[str, Any]:
    head, *rest = parts
    if not rest:
        return {**data, head: value}
    inner = data.get(head, {})
    return {**data, head: _with(inner if isinstance(inner, dict) else {}, rest, value)}


def _without(data: dict[str, Any], parts: list[str]) -> dict[str, Any]:
    head, *rest = parts
    if not rest:
        return {k: v for k, v in data.items() if k != head}
    return {**data, head: _without(data[head], rest)}


def _name(part: str) -> str:
    return part if _BARE.fullmatch(part) else json.dumps(part)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False)


def _header(line: str) -> list[str] | None:
    """The section that a line opens; an empty list for one of a kind that is never edited."""
    if _ARRAY.match(line):
        return []
    if found := _HEADER.match(line):
        return [part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", found[1])]
    return None


def _edited(text: str, parts: list[str], line: str | None) -> str:
    """The text with one line set, or with ``None`` taken out; every other line keeps its own end. Whoever writes the result checks it."""
    lines = _LINE.findall(text)
    end = _end(lines[0]) if lines else "\n"
    *section, name = parts
    here: list[str] = []
    last = -1 if section else _end_of_top(lines)
    for n, old in enumerate(lines):
        opened = _header(old)
        if opened is not None:
            here = opened or ["", "array"]
            last = n if here == section else last
        elif here == section and old.strip() and not old.lstrip().startswith("#"):
            last = n
            found = re.match(r"\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)\s*=", old)
            if found and found[1].strip("\"'") == name:
                comment = re.search(r"\s+#[^\"']*$", old.rstrip("\r\n"))
                new = [line + (comment[0] if comment else "") + (_end(old) or end)] if line is not None else []
                return _joined([*lines[:n], *new, *lines[n + 1 :]], end)
    if line is None:
        return text
    if section and last < 0:
        gap = [end] if lines and lines[-1].strip() else []
        return _joined([*lines, *gap, f"[{'.'.join(map(_name, section))}]", line], end)
    return _joined([*lines[: last + 1], line, *lines[last + 1 :]], end)


def _end_of_top(lines: list[str]) -> int:
    """The line after which a top-level setting may stand: the last one before the first section that is not blank or a comment."""
    first = next((n for n, line in enumerate(lines) if _header(line) is not None), len(lines))
    return max((n for n in range(first) if lines[n].strip() and not lines[n].lstrip().startswith("#")), default=-1)


def _end(line: str) -> str:
    return "\r\n" if line.endswith("\r\n") else "\n" if line.endswith("\n") else ""


def _joined(lines: list[str], end: str) -> str:
    """One text; a line that has no end yet gets this one."""
    return "".join(line if _end(line) else line + end for line in lines)


def _write(file: Path, text: str, wanted: dict[str, Any], key: str) -> None:
    try:
        fits = _pruned(tomllib.loads(text)) == _pruned(wanted)
    except tomllib.TOMLDecodeError:
        fits = False
    if not fits:
        raise UsageError(f"{key} stands in {file} in a way that cannot be changed line by line.", "Change it there with `coi config edit`.")
    write_text(file, text)


def _pruned(data: Any) -> Any:
    """The content without empty sections, which say nothing."""
    if not isinstance(data, dict):
        return data
    return {k: p for k, v in data.items() if (p := _pruned(v)) != {}}


def write_text(file: Path, text: str) -> None:
    """Put a text in the place of the file, whole or not at all; the file's mode stays. Raises StoreError."""
    try:
        make_folder(file.parent)
        target = file.resolve()
        write_whole(target, text, mode=target.stat().st_mode & 0o777 if target.exists() else 0o600)
    except OSError as error:
        raise StoreError(f"The settings file {file} cannot be written: {error.strerror or error}.", "Check its permissions.") from None
