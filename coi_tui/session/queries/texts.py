"""A cell's content as a text that a person edits, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from coi_tui.engine.declarations import CellKind, EditableField
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

_HEADING = re.compile(r"^## (\w+)[ \t]*\n", re.MULTILINE)
_LIKE_HEADING = re.compile(r"^(\\*## \w+[ \t]*)$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*## \w+[ \t]*)$", re.MULTILINE)


def to_text(kind: CellKind, content: Mapping[str, Any]) -> str:
    """One field: its text as it is. Several: Markdown with ``## field`` headings, lists as ``- `` lines.

    A line of a text that looks like such a heading gets a backslash before it.
    """
    if len(kind.fields) == 1:
        only = kind.fields[0]
        return str(content.get(only.name, "")) if only.form == "text" else _body(only, content.get(only.name))
    return "\n".join(f"## {field.name}\n{_body(field, content.get(field.name))}\n" for field in kind.fields)


def _body(field: EditableField, value: Any) -> str:
    if field.form == "text":
        return _LIKE_HEADING.sub(r"\\\1", str(value or ""))
    if field.form == "pairs":
        value = [f"{e['name']}: {e['description']}" if e.get("description") else str(e["name"]) for e in value or []]
    return _LIKE_HEADING.sub(r"\\\1", "\n".join("- " + str(item).replace("\n", "\n  ") for item in value or []))


def from_text(kind: CellKind, address: str, text: str, base: Mapping[str, Any]) -> dict[str, Any]:
    """The content that an edited text stands for. Text of a single field is kept byte for byte, but for control characters.

    Where the first field is the running text (a direction), a text without any heading stands for that one alone.
    Raises UsageError when the headings are not those of the cell, naming the first that is off.
    """
    first = kind.fields[0]
    if len(kind.fields) == 1:
        return {**base, first.name: _parse(first, _not_empty(address, clean(text)))}
    if first.name == "text" and not _HEADING.search(text):  # a person wrote the text alone; the other parts stay
        return {**base, "text": _not_empty(address, clean(text))}
    fields = {field.name: field for field in kind.fields}
    parts = _split(address, clean(text), tuple(fields))
    # A part that was not touched keeps its value, whatever its text can or cannot say.
    changed = {n: _parse(fields[n], body) for n, body in parts.items() if n not in base or body != _body(fields[n], base[n])}
    return {**base, **changed}


def _not_empty(address: str, text: str) -> str:
    if not text.strip():
        raise UsageError(f"The text for {address} is empty.", "Write something, or reject the cell instead.")
    return text


def _split(address: str, text: str, fields: tuple[str, ...]) -> dict[str, str]:
    found = list(_HEADING.finditer(text))
    if not found or text[: found[0].start()].strip():
        raise UsageError(f"The text for {address} must begin with a heading.", f"Its parts are: {', '.join('## ' + f for f in fields)}.")
    parts: dict[str, str] = {}
    for here, after in zip(found, [*found[1:], None], strict=True):
        name = here.group(1)
        if name not in fields or name in parts:
            raise UsageError(f"“## {name}” is not a part of {address}, or stands twice.", f"Its parts are: {', '.join(fields)}.")
        body = text[here.end() : after.start() if after else len(text)].removesuffix("\n")
        # The blank line between two parts belongs to the layout, every other character to the text.
        parts[name] = body.removesuffix("\n") if after else body
    return parts


def _parse(field: EditableField, body: str) -> Any:
    said = _ESCAPED.sub(r"\1", body)
    if field.form == "text":
        return said
    items: list[str] = []
    for line in said.split("\n"):
        if line.startswith("  ") and items:  # an item may go on over several lines
            items[-1] += "\n" + line[2:]
        elif line.strip():
            items.append(line.removeprefix("- "))
    items = [item.strip() for item in items]
    if field.form == "pairs":
        pairs = [item.partition(": ") for item in items]
        return [{"name": n.strip(), "description": d.strip()} for n, _, d in pairs]
    return items
