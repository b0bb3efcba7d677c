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


def editable(address: str) -> bool:
    return parse_address(address).part in FIELDS


def to_text(address: str, content: Mapping[str, Any]) -> str:
    """One field: its text as it is. Several: Markdown with ``## field`` headings, lists as ``- `` lines."""
    fields = FIELDS[parse_address(address).part]
    if len(fields) == 1:
        return str(content.get(fields[0], ""))
    return "\n".join(f"## {name}\n{_body(name, content.get(name))}\n" for name in fields)


def _body(name: str, value: Any) -> str:
    if name == "entities":
        return "".join(f"- {e['name']}: {e['description']}\n" if e.get("description") else f"- {e['name']}\n" for e in value or [])
    if name in LISTS:
        return "".join(f"- {item}\n" for item in value or [])
    return f"{value or ''}\n"


def from_text(address: str, text: str, base: Mapping[str, Any]) -> dict[str, Any]:
    """The content that an edited text stands for. Text of a single field is kept byte for byte, but for control characters.

    Raises UsageError when the headings are not those of the cell, naming the first that is off.
    """
    fields = FIELDS[parse_address(address).part]
    if len(fields) == 1:
        said = clean(text)
        if not said.strip():
            raise UsageError(f"The text for {address} is empty.", "Write something, or reject the cell instead.")
        return {**base, fields[0]: said}
    parts = _split(address, clean(text), fields)
    changed = {name: _parse(name, parts[name]) for name in fields if name in parts}
    return {**base, **changed}


def _split(address: str, text: str, fields: tuple[str, ...]) -> dict[str, str]:
    found = list(_HEADING.finditer(text))
    if not found or text[: found[0].start()].strip():
        raise UsageError(f"The text for {address} must begin with a heading.", f"Its parts are: {', '.join('## ' + f for f in fields)}.")
    parts: dict[str, str] = {}
    for here, after in zip(found, [*found[1:], None], strict=True):
        name = here.group(1)
        if name not in fields or name in parts:
            raise UsageError(f"“## {name}” is not a part of {address}, or stands twice.", f"Its parts are: {', '.join(fields)}.")
        parts[name] = text[here.end() : after.start() if after else len(text)]
    return parts


def _parse(name: str, body: str) -> Any:
    if name not in LISTS:
        # The blank line between two parts belongs to the layout, every other character to the text.
        return body.removesuffix("\n").removesuffix("\n") if body.endswith("\n\n") else body.removesuffix("\n")
    items = [line.removeprefix("- ").strip() for line in body.splitlines() if line.strip()]
    if name == "entities":
        pairs = [item.partition(": ") for item in items]
        return [{"name": n.strip(), "description": d.strip()} for n, _, d in pairs]
    return items
