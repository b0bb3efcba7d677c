"""Orders of preference among sources of papers, as people write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coi_tui.model.errors import UsageError

Order = tuple[str, ...]
"""Names of sources of papers, the first asked first."""


def read_order(given: str | Iterable[Any]) -> Order:
    """An order from names in a list or between commas; ``Semantic Scholar`` is ``semantic_scholar``.
    Raises UsageError where a source is named twice. Whether there is such a source is not asked."""
    parts = given.split(",") if isinstance(given, str) else map(str, given)
    names = ("_".join(part.replace("-", " ").replace("_", " ").lower().split()) for part in parts)
    order = tuple(filter(None, names))
    if twice := next((name for n, name in enumerate(order) if name in order[:n]), ""):
        raise UsageError(
            f"{twice} is named twice in the order of sources.", "Name each source once."
        )
    return order
