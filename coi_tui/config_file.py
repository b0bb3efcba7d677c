"""The settings file as text: reading it, changing one setting so that comments and all other lines
stay, and what of it the first frame needs: theme, ASCII only, motion. Light to import.

What the settings mean, and which are allowed, is in ``coi_tui.config``. Checking them whole needs
pydantic, and takes another 80 ms of processor time on top of the 450 to the first frame. So the
section of the display is taken as it is in the file, and never fails.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coi_tui.model.errors import CoiError, StoreError, UsageError
from coi_tui.model.text import strings
from coi_tui.paths import MOST_SETTINGS, make_folder, parse_toml, read_file, write_whole, writing

_SECRET = re.compile(
    r"(?<![A-Za-z0-9])(sk|pk|gsk|xai|hf|ghp|key)[-_][A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{20,}"
    r"|(api[-_]?key|token|secret)=[^&\s]{6,}|(?<![A-Za-z0-9-])(?=[A-Za-z]*\d)[A-Za-z0-9]{32,}(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
"""What keys of services look like, also inside a longer text such as an address."""


def check_no_secret(data: Any) -> None:
    """Raises UsageError for a key of a service anywhere in the settings; the message does not
    repeat it."""
    if any(map(_SECRET.search, strings(data))):
        raise UsageError(
            "This looks like an API key.",
            "Put keys into the environment or the system keyring; `coi doctor` checks them.",
        )


def parts_of(key: str) -> list[str]:
    """A dotted key in its parts; the name of a model in ``llm.prices.NAME``, or of an action in
    ``keys.NAME``, may hold dots itself."""
    table = next((table for table in TABLES if key.startswith(f"{table}.")), "")
    name = key.removeprefix(f"{table}.").strip("\"'")
    return [*table.split("."), name] if table else key.split(".")


TABLES = ("llm.prices", "keys")
"""Settings with names of a person's choice."""


def read(file: Path) -> tuple[str, dict[str, Any]]:
    """Text and content of the file; empty where there is none. Raises UsageError for what is no
    TOML."""
    try:
        text = read_file(file, MOST_SETTINGS).decode("utf-8-sig")
        return text, parse_toml(text)
    except FileNotFoundError:
        return "", {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The settings file {file} is not valid TOML: {error}.", "Correct or rename it."
        ) from None
    except OSError as error:
        raise StoreError(
            f"The settings file {file} cannot be read: {error.strerror or error}."
        ) from None


def value_of(text: str) -> Any:
    """A typed value: a TOML value where it is one (numbers, true, "quoted", lists), else the text
    itself."""
    try:
        return parse_toml(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def edited(text: str, parts: list[str], value: Any) -> str:
    """The text with one setting set, or with ``None`` taken out; comments, order and all else stay.
    Whoever writes the result checks it.

    Raises UsageError where the text is in a form in which it cannot be changed.
    """
    import tomlkit  # only where something is changed: settings are read before the first frame
    from tomlkit.exceptions import TOMLKitError

    *sections, name = parts
    try:
        whole = tomlkit.parse(text)
        table: Any = whole
        for section in sections:
            if section not in table:
                table[section] = tomlkit.table()
            table = table[section]
        if value is None:
            table.pop(name, None)
        else:
            table[name] = value
        return tomlkit.dumps(whole)
    except (TOMLKitError, TypeError, ValueError, LookupError, AttributeError):
        raise UsageError(
            f"{'.'.join(parts)} cannot be changed alone.",
            "Change it in the file (`coi where`).",
        ) from None


def write_text(file: Path, text: str) -> None:
    """Put a text in the place of the file, whole or not at all, for this user alone. Raises
    StoreError."""
    with writing(f"The settings file {file} cannot be written"):
        make_folder(file.parent)
        target = file.resolve()
        write_whole(target, text, mode=target.stat().st_mode & 0o700 if target.exists() else 0o600)


# -- the display

AUTO = "auto"
TOOLKIT = {"dark": "textual-dark", "light": "textual-light", "16": "ansi-dark"}
"""Textual's themes by our names for them; any other of its own goes by its own name."""
LIGHT = ("7", "15")
"""What a terminal says of its background (``COLORFGBG=0;15``) where that is light."""


@dataclass(frozen=True)
class Display:
    """``theme`` is a name of Textual's; ``ascii`` draws frames and signs of ours in ASCII; without
    ``motion`` nothing moves by itself; ``plain``, for screen readers, is both and has no frames."""

    theme: str = "textual-dark"
    ascii: bool = False
    motion: bool = True
    plain: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)


def read_display(file: Path, environ: Mapping[str, str] | None = None) -> Display:
    """The section ``display`` of the settings file, and what the terminal says of itself.

    What cannot be read here counts as not set: the settings are checked whole a moment later, and
    then every fault is reported.
    """
    env = os.environ if environ is None else environ
    try:
        whole = read(file)[1]
    except CoiError:
        whole = {}
    found, keys = whole.get("display"), whole.get("keys")
    section = found if isinstance(found, dict) else {}
    theme, ascii_, plain = section.get("theme"), section.get("ascii"), section.get("plain") is True
    if not isinstance(theme, str) or theme == AUTO:
        background = env.get("COLORFGBG", "").rpartition(";")[2]
        theme = "light" if background in LIGHT else "dark"
    moves = section.get("motion") is not False and not plain
    return Display(
        theme=TOOLKIT.get(theme, theme),
        ascii=plain or (ascii_ if isinstance(ascii_, bool) else env.get("TERM") == "linux"),
        motion=moves and env.get("TEXTUAL_ANIMATIONS", "").lower() != "none",
        plain=plain,
        keys={name: str(key) for name, key in keys.items()} if isinstance(keys, dict) else {},
    )
