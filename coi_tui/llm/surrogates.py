"""Lone surrogates: JSON can say them, UTF-8 and SQLite cannot hold them."""

from __future__ import annotations


def whole(text: str) -> str:
    """``text`` with pairs of surrogates joined to their character and lone ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
