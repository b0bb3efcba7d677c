"""Shortening a prompt that is longer than the model's context: the ends of its longest texts of
papers go, and that is said.

The topic, the idea, the direction, a plan and the points of a review are what the question is
about: they are never cut.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAST_TEXT = 200
"""Characters that stay of each text."""
_OF_PAPERS = (
    *("text", "abstract", "papers", "candidates", "experiments", "chain", "trends"),
    *("older", "newer", "facts", "material"),
)
"""The values that hold texts of papers."""
_NAMES = frozenset({"title", "year", "source", "id", "name"})
"""What distinguishes one paper from another is never cut."""


@dataclass(frozen=True)
class ShortenedValues:
    """The values of a prompt without what was left out; ``left_out`` says it in words that quote
    nothing."""

    values: dict[str, Any]
    left_out: str


def shortened(values: Mapping[str, Any], lose: int) -> ShortenedValues | None:
    """The values with ``lose`` characters less, or as many less as may go: the longest texts are
    cut to one common length. None where nothing may go."""
    new: dict[str, Any] = copy.deepcopy(dict(values))
    texts = [found for name in _OF_PAPERS if name in new for found in _texts(new, name)]
    lengths = [len(holder[key]) for holder, key in texts]

    def kept(most: int) -> int:
        return sum(min(most, length) for length in lengths)

    common = range(max(lengths, default=0) + 1)
    most = max(LEAST_TEXT, bisect_right(common, sum(lengths) - lose, key=kept) - 1)
    for holder, key in texts:
        holder[key] = holder[key][:most]
    lost = sum(lengths) - kept(most)
    said = f"the ends of the longest texts of papers, {lost:,} of {sum(lengths):,} characters"
    return ShortenedValues(new, said) if lost else None


def note(left_out: Sequence[str]) -> str:
    """What is said to the model at the end of the prompt."""
    return (
        f"This prompt was shortened to fit the context of the model. Left out: {'; '.join(left_out)}. "
        "Say nothing about what was left out, as if it were not there."
    )


def _texts(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """The texts within a value, each as what holds it and the key there."""
    value = holder[key]
    if isinstance(value, str):
        return [] if key in _NAMES else [(holder, key)]
    if isinstance(value, list):
        return [found for n in range(len(value)) for found in _texts(value, n)]
    return (
        [found for name in value for found in _texts(value, name)]
        if isinstance(value, dict)
        else []
    )
