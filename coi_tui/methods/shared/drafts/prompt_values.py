"""Reads the values of a prompt; a missing one is empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.methods.shared.drafts.text_tools import distinct
from coi_tui.model.text import clean_line

Values = Mapping[str, Any]
"""What a prompt is filled in with, by name."""
Draft = dict[str, object]
"""The fields of a drafted reply."""


def text_of(values: Values, key: str) -> str:
    """The text under ``key`` with its lines; empty where there is none. A list gives its items, a
    mapping its texts, a line each."""
    value = values.get(key) or ""
    parts = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, str):
        value = "\n".join(part for part in parts if isinstance(part, str))
    return str(value).strip()


def line_of(values: Values, key: str) -> str:
    """The text under ``key`` on one line."""
    return clean_line(text_of(values, key))


def strings(values: Values, key: str) -> list[str]:
    """The texts listed under ``key``, without empty ones and repeats."""
    return distinct(values.get(key) or ())


def mappings(values: Values, key: str) -> list[Values]:
    """The objects listed under ``key``."""
    return list(values.get(key) or ())


def mapping(values: Values, key: str) -> Values:
    """The object under ``key``, or an empty one."""
    return values.get(key) or {}


def number(values: Values, key: str, least: int, most: int, default: int) -> int:
    """The whole number under ``key``, held between two bounds."""
    return min(most, max(least, values.get(key) or default))
