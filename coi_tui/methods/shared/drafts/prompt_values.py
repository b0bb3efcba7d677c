"""Reads the values of a prompt: cleaned, and with no error where one is missing or of another
type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from coi_tui.methods.shared.drafts.text_tools import cleaned, distinct
from coi_tui.model.text import clean_line

Values = Mapping[str, object]
"""What a prompt is filled in with, by name."""
Draft = dict[str, object]
"""The fields of a drafted reply."""


def text_of(values: Values, key: str) -> str:
    """The text under ``key`` with its lines; empty where there is none. A list gives its items, a
    mapping its texts, a line each."""
    value = values.get(key)
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(parts, Iterable) and not isinstance(parts, str):
        return cleaned("\n".join(part for part in parts if isinstance(part, str)))
    return cleaned(parts)


def line_of(values: Values, key: str) -> str:
    """The text under ``key`` on one line."""
    return clean_line(text_of(values, key))


def strings(values: Values, key: str) -> list[str]:
    """The texts listed under ``key``, each on one line, without empty ones and repeats."""
    return distinct(clean_line(item) for item in _items(values, key) if isinstance(item, str))


def mappings(values: Values, key: str) -> list[Values]:
    """The objects listed under ``key``."""
    return [item for item in _items(values, key) if isinstance(item, Mapping)]


def _items(values: Values, key: str) -> Sequence[object]:
    value = values.get(key)
    return value if isinstance(value, list | tuple) else [value]


def mapping(values: Values, key: str) -> Values:
    """The object under ``key``, or an empty one."""
    return next(iter(mappings(values, key)), {})


def number(values: Values, key: str, least: int, most: int, default: int) -> int:
    """The whole number under ``key``, held between two bounds."""
    value = values.get(key)
    return min(most, max(least, value if isinstance(value, int) else default))
