"""A cell's content as a text that a person edits, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from coi_tui.model.address import parse_address
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean

FIELDS: dict[str, tuple[str, ...]] = {
    "topic": ("text",),
    "Q": ("text",),
    "trend": ("text",),
    "dir": ("text", "note"),
    "card": ("background", "novelty", "contribution", "reasons", "limitation", "experiment", "entities", "references"),
    "idea": ("title", "motivation", "novelty", "contributions", "method", "origin", "difference", "challenges", "final"),
    "exp": ("design", "baselines", "ablation", "metrics", "implementation", "feasibility", "references", "pseudocode"),
}
"""Editable fields by kind of cell, in the order shown. Fields not named here (sources, notes) stay as they were."""

LISTS = frozenset({"contributions", "references", "entities"})
_HEADING = re.compile(r"^## (\w+)[ \t]*\n", re.MULTILINE)
_LIKE_HEADING = re.compile(r"^(\\*## \w+[ \t]*)$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*## \w+[ \t]*)$", re.MULTILINE)


def editable(address: str) -> bool:
    return parse_address(address).part in FIELDS


def to_text(address: str, content: Mapping[str, Any]) -> str:
    """One field: its text as it is. Several: Markdown with ``## field`` headings, lists as ``- `` lines.

    A line of a text that looks like such a heading gets a backslash before it.
    """
    fields = FIELDS[parse_address(address).part]
    if len(fields) == 1:
        return str(content.get(fields[0], ""))
    return "\n".join(f"## {name}\n{_body(name, content.get(name))}\n" for name in fields)


def _body(name: str, value: Any) -> str:
    if name not in LISTS:
        return _LIKE_HEADING.sub(r"\\\1", str(value or ""))
    if name == "entities":
        value = [f"{e['name']}: {e['description']}" if e.get("description") else str(e["name"]) for e in value or []]
    return _LIKE_HEADING.sub(r"\\\1", "\n".join("- " + str(item).replace("\n", "\n  ") for item in value or []))


def from_text(address: str, text: str, base: Mapping[str, Any]) -> dict[str, Any]:
    """The content that an edited text stands for. Text of a single field is kept byte for byte, but for control characters.

    Where the first field is the running text (a direction), a text without any heading stands for that one alone.
    Raises UsageError when the headings are not those of the cell, naming the first that is off.
    """
    fields = FIELDS[parse_address(address).part]
    if len(fields) == 1:
        return {**base, fields[0]: _not_empty(address, clean(text))}
    if fields[0] == "text" and not _HEADING.search(text):  # a person wrote the text alone; the other parts stay
        return {**base, "text": _not_empty(address, clean(text))}
    parts = _split(address, clean(text), fields)
    # A part that was not touched keeps its value, whatever its text can or cannot say.
    changed = {name: _parse(name, body) for name, body in parts.items() if name not in base or body != _body(name, base[name])}
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


def _parse(name: str, body: str) -> Any:
    said = _ESCAPED.sub(r"\1", body)
    if name not in LISTS:
        return said
    items: list[str] = []
    for line in said.split("\n"):
        if line.startswith("  ") and items:  # an item may go on over several lines
            items[-1] += "\n" + line[2:]
        elif line.strip():
            items.append(line.removeprefix("- "))
    items = [item.strip() for item in items]
    if name == "entities":
        pairs = [item.partition(": ") for item in items]
        return [{"name": n.strip(), "description": d.strip()} for n, _, d in pairs]
    return items
