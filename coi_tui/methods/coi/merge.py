"""COI-9: the entities of a chain, merged into one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def merge_entities(lists: Iterable[Iterable[Mapping[str, Any]]], limit: int = 24) -> list[dict[str, str]]:
    """One list from many: equal names (letters and digits, case folded) become one entry with the longest description.

    Entities that more papers name come first, then in the order met, so that the same cards give the same list; at most ``limit``.
    """
    merged: dict[str, dict[str, Any]] = {}
    for entities in lists:
        for entity in entities:
            name, said = str(entity.get("name", "")), str(entity.get("description", ""))
            key = "".join(c for c in name.casefold() if c.isalnum())
            if not key:
                continue
            entry = merged.setdefault(key, {"name": name, "description": said, "count": 0})
            entry["count"] += 1
            if len(said) > len(entry["description"]):
                entry["description"] = said
    order = sorted(merged.values(), key=lambda e: -e["count"])
    return [{"name": e["name"], "description": e["description"]} for e in order[:limit]]
