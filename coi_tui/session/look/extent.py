"""How far a candidate list reaches: what was looked at, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def looked_at(content: Mapping[str, Any], pos: int) -> str:
    """``looked at 100 of 5,230 citing papers``; empty where the whole list was looked at, or nobody knows how long it is."""
    seen, total = content.get("looked_at"), content.get("total")
    if not isinstance(seen, int) or not isinstance(total, int) or total <= seen:
        return ""
    return f"looked at {seen:,} of {total:,} {'citing' if pos > 0 else 'cited'} papers"


def left_out(content: Mapping[str, Any]) -> str:
    """``3 left out by your criteria``, counted over all that fit, listed or not; empty where none was."""
    marked = sum(bool(e.get("left_out")) for e in content.get("entries", ()))
    number = content.get("left_out", marked)
    unlisted = f", {number - marked} of them not listed" if number > marked else ""
    return f"{number} left out by your criteria{unlisted}" if number else ""


def extent(content: Mapping[str, Any], pos: int) -> str:
    """Both in one line."""
    return "; ".join(part for part in (looked_at(content, pos), left_out(content)) if part)
