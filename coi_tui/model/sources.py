"""Sources of papers by name, and orders of preference among them as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from coi_tui.model.errors import UsageError
from coi_tui.model.text import nearest

SOURCES = {"semantic_scholar": "Semantic Scholar", "openalex": "OpenAlex"}
"""The name that is written, and the one that is shown."""

Order = tuple[str, ...]


def read_order(given: str | Iterable[Any]) -> Order:
    """An order from names in a list or between commas; shown names are taken too. Raises UsageError
    for what is no order of sources."""
    parts = given.split(",") if isinstance(given, str) else [str(name) for name in given]
    order = tuple(_name(part) for part in parts if part.strip())
    if twice := next((name for n, name in enumerate(order) if name in order[:n]), ""):
        raise UsageError(
            f"{SOURCES[twice]} is named twice in the order of sources.", "Name each source once."
        )
    return order


def _name(text: str) -> str:
    said = "_".join(text.strip().lower().replace("-", " ").replace("_", " ").split())
    if said in SOURCES:
        return said
    hint = (
        f"Did you mean {near}?"
        if (near := nearest(said, SOURCES))
        else f"Known: {', '.join(SOURCES)}."
    )
    raise UsageError(f"{text.strip()[:40]!r} is not a source of papers.", hint)


def in_words(order: Sequence[str]) -> str:
    """``Semantic Scholar, then OpenAlex``."""
    return ", then ".join(SOURCES.get(name, name) for name in order)
