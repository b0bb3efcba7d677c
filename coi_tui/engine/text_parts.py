"""A text as a person writes it: its parts under headings, and read back from whatever was written.
Plain text is the main part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.declarations import CellKind, EditableField, Form
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

FIELD_HEADING = re.compile(r"^## (\w+)[ \t]*(?:\n|\Z)", re.MULTILINE)
_LIKE_HEADING = re.compile(r"^(\\*## \w+[ \t]*)$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*## \w+[ \t]*)$", re.MULTILINE)


@dataclass(frozen=True)
class TextPart:
    """A part of a text as a person writes it, without heading or escapes."""

    name: str
    heading: str
    form: Form
    text: str


def to_text(kind: CellKind, content: Mapping[str, Any]) -> str:
    """One field: its text as it is. Several: Markdown with ``## field`` headings, lists as ``- ``
    lines."""
    return headed(
        kind, {field.name: _plain(field, content.get(field.name)) for field in kind.fields}
    )


def _plain(field: EditableField, value: Any) -> str:
    """A field as a person writes it."""
    if field.form == "text":
        return str(value or "")
    if field.form == "pairs":
        value = map(_pair, value or [])
    return "\n".join("- " + str(item).replace("\n", "\n  ") for item in value or [])


def _pair(item: Mapping[str, Any]) -> str:
    return (
        f"{item['name']}: {item['description']}" if item.get("description") else str(item["name"])
    )


def for_reading(kind: CellKind, text: str) -> str:
    """An edited text, or some of it, to look at: the names of its parts stand as the screen has
    them, and nothing is escaped."""
    headings = {field.name.casefold(): field.heading for field in kind.fields}
    if len(headings) > 1:
        text = FIELD_HEADING.sub(
            lambda found: (
                f"{shown}:\n" if (shown := headings.get(found[1].casefold())) else found[0]
            ),
            text,
        )
    return _ESCAPED.sub(r"\1", text)


def headed(kind: CellKind, parts: Mapping[str, str]) -> str:
    """Parts as a person writes them, by name, as one text that is read back as these. A line that
    looks like the heading of a part gets a backslash before it."""
    if len(kind.fields) == 1:
        return parts[kind.fields[0].name]
    return "\n".join(
        f"## {field.name}\n" + _LIKE_HEADING.sub(r"\\\1", parts[field.name]) + "\n"
        for field in kind.fields
        if field.name in parts
    )


def filled_parts(kind: CellKind, address: str, text: str) -> dict[str, str]:
    """The parts that an edited text fills in, as a person writes them. Raises UsageError
    where they cannot be told apart."""
    if len(kind.fields) == 1:
        return {kind.fields[0].name: text}
    main = kind.main_field
    if main is not None and not _headings(kind, text):
        return {main.name: text}
    return {name: _ESCAPED.sub(r"\1", body) for name, body in _split(kind, address, text).items()}


def parts_in(kind: CellKind, address: str, text: str) -> list[TextPart]:
    """Every part of a kind with what an edited text says of it; empty where it says nothing."""
    filled = filled_parts(kind, address, text)
    return [
        TextPart(field.name, field.heading, field.form, filled.get(field.name, ""))
        for field in kind.fields
    ]


def part_named(kind: CellKind, address: str, name: str) -> EditableField:
    """The part of that name. Raises UsageError where there is none."""
    wanted = name.strip().casefold()
    found = next(
        (f for f in kind.fields if wanted in (f.name.casefold(), f.heading.casefold())), None
    )
    if found is None:
        raise UsageError(f"{address} has no part {name!r}.", f"Its parts are: {_names(kind)}.")
    return found


def from_text(kind: CellKind, address: str, text: str, base: Mapping[str, Any]) -> dict[str, Any]:
    """The content that an edited text stands for. Text of a single field is kept byte for byte, but
    for control characters.

    A text without the heading of any part stands for the main one alone; the others stay. Raises
    UsageError where there is no main part, and where a part stands twice.
    """
    text = clean(text)
    if not text.strip():
        raise UsageError(
            f"The text for {address} is empty.", "Write something, or reject the cell instead."
        )
    parts, fields = filled_parts(kind, address, text), {field.name: field for field in kind.fields}
    # A part that was not touched keeps its value, whatever its text can or cannot say.
    changed = {
        name: _items(fields[name], body, base)
        for name, body in parts.items()
        if name not in base or body != _plain(fields[name], base[name])
    }
    return {**base, **changed}


def _names(kind: CellKind) -> str:
    return ", ".join(field.name for field in kind.fields)


def _headings(kind: CellKind, text: str) -> list[re.Match[str]]:
    """The headings in a text that name a part; any other is part of the text."""
    names = {field.name.casefold() for field in kind.fields}
    return [found for found in FIELD_HEADING.finditer(text) if found.group(1).casefold() in names]


def _split(kind: CellKind, address: str, text: str) -> dict[str, str]:
    """The parts that a text says something of, each as it stands below its heading."""
    found, main = _headings(kind, text), kind.main_field
    parts: dict[str, str] = {}
    before = text[: found[0].start()] if found else text
    if before.strip():
        if main is None:
            raise UsageError(
                f"{address} has several parts ({_names(kind)}), and a plain text cannot tell which of them it is.",
                f"Begin each part with its heading, such as “## {kind.fields[0].name}”, or name one: --part {kind.fields[0].name}.",
            )
        parts[main.name] = before.rstrip("\n") if found else before
    names = {field.name.casefold(): field.name for field in kind.fields}
    for here, after in zip(found, [*found[1:], None], strict=True):
        name = names[here.group(1).casefold()]
        if name in parts:
            raise UsageError(
                f"“## {name}” stands twice in the text for {address}.",
                f"Its parts are: {_names(kind)}.",
            )
        body = text[here.end() : after.start() if after else len(text)].removesuffix("\n")
        # The blank line between two parts belongs to the layout, every other character to the text.
        parts[name] = body.removesuffix("\n") if after else body
    return parts


def _items(field: EditableField, text: str, base: Mapping[str, Any]) -> Any:
    """What a field holds for what a person wrote in it. A pair that was not touched stays as it is,
    whatever colons it has."""
    if field.form == "text":
        return text
    items: list[str] = []
    for line in text.split("\n"):
        if line.startswith("  ") and items:  # an item may go on over several lines
            items[-1] += "\n" + line[2:]
        elif line.strip():
            items.append(line.removeprefix("- "))
    items = [item.strip() for item in items]
    if field.form == "pairs":
        known = {_pair(item).strip(): item for item in base.get(field.name) or []}
        pairs = ((item, *item.partition(": ")) for item in items)
        return [
            known.get(item) or {"name": n.strip(), "description": d.strip()}
            for item, n, _, d in pairs
        ]
    return items
