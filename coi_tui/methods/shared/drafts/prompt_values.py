"""Reads the values of a prompt: cleaned, and with no error where one is missing or of another type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coi_tui.methods.shared.drafts.text_tools import cleaned, distinct, one_line

Values = Mapping[str, object]
"""What a prompt is filled in with, by name."""
Draft = dict[str, object]
"""The fields of a drafted reply."""


def text_of(values: Values, key: str) -> str:
    """The text under ``key`` with its lines; empty where there is none. A list gives its items, a mapping its texts, a line each."""
    value = values.get(key)
    if isinstance(value, Mapping):
        return cleaned("\n".join(str(part) for part in value.values() if isinstance(part, str)))
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return cleaned("\n".join(part for part in value if isinstance(part, str)))
    return "" if value is None else cleaned(value)


def line_of(values: Values, key: str) -> str:
    """The text under ``key`` on one line."""
    return one_line(text_of(values, key))


def strings(values: Values, key: str) -> list[str]:
    """The texts listed under ``key``, each on one line, without empty ones and repeats."""
    value = values.get(key)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return distinct([line_of(values, key)])
    return distinct(one_line(item) for item in value if isinstance(item, str))


def mappings(values: Values, key: str) -> list[Values]:
    """The objects listed under ``key``."""
    value = values.get(key)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return []
    return [item for item in value if isinstance(item, Mapping)]


def mapping(values: Values, key: str) -> Values:
    """The object under ``key``, or an empty one."""
    value = values.get(key)
    return value if isinstance(value, Mapping) else {}


def number(values: Values, key: str, least: int, most: int, default: int) -> int:
    """The whole number under ``key``, held between two bounds."""
    value = values.get(key)
    return min(
        most,
        max(least, value if isinstance(value, int) and not isinstance(value, bool) else default),
    )


def cite(values: Values) -> str:
    """``"Title" (2023)`` for anything with a title and perhaps a year."""
    title = line_of(values, "title").replace('"', "'") or "an untitled paper"
    year = line_of(values, "year")
    return f'"{title}" ({year})' if year else f'"{title}"'
