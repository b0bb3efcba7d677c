"""Shortening a prompt that is longer than the model's context: what may be left out, in which order, and in which words that is said.

First the ends of the longest quoted texts of papers, then the lowest ranked items of lists, then the ends of the longest card texts.
The topic, the idea, the direction, a plan and the points of a review are what the question is about: they are never cut.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAST_TEXT = 1000
LEAST_ABSTRACT = 200
LEAST_CARD = 200
"""Characters that stay of a paper's text, of an abstract among several, and of a text of a card."""

_RANKED = {
    "entities": "terms",
    "datasets": "data sets",
    "baselines": "baselines",
    "facts": "sources of facts",
}
"""Lists whose last items matter least, and what their items are called."""
_CARDS = ("experiments", "chain", "trends", "older", "newer", "material")
_NAMES = frozenset({"title", "year", "source", "id", "name"})
"""What distinguishes one paper from another is never cut."""


@dataclass(frozen=True)
class ShortenedValues:
    """The values of a prompt without what was left out; ``left_out`` says it in words that quote nothing, ``characters`` how much."""

    values: dict[str, Any]
    left_out: tuple[str, ...]
    characters: int


@dataclass
class _Text:
    """A text within the values: what holds it, under which key, and what it is called."""

    holder: Any
    key: Any
    what: str

    @property
    def text(self) -> str:
        return str(self.holder[self.key])


def shortened(values: Mapping[str, Any], lose: int) -> ShortenedValues | None:
    """The values with ``lose`` characters less, or as many less as the rules allow; None where nothing may go."""
    new: dict[str, Any] = copy.deepcopy(dict(values))
    left_out: list[str] = []
    lost = 0
    for step in (_cut_papers, _drop_items, _cut_cards):
        if lost < lose:
            characters, words = step(new, lose - lost)
            lost += characters
            left_out += words
    return ShortenedValues(new, tuple(left_out), lost) if lost else None


def note(left_out: Sequence[str]) -> str:
    """What is said to the model at the end of the prompt."""
    return (
        f"This prompt was shortened to fit the context of the model. Left out: {'; '.join(left_out)}. "
        "Say nothing about what was left out, as if it were not there."
    )


def _cut_papers(values: dict[str, Any], lose: int) -> tuple[int, list[str]]:
    if isinstance(values.get("text"), str):
        found, least = [_Text(values, "text", "the paper's text")], LEAST_TEXT
    elif isinstance(values.get("abstract"), str):
        found, least = [_Text(values, "abstract", "the abstract")], LEAST_ABSTRACT
    else:
        papers = values.get("papers")
        rows = enumerate(papers if isinstance(papers, list) else (), start=1)
        found = [
            _Text(p, "abstract", f"the abstract of paper {n}")
            for n, p in rows
            if isinstance(p.get("abstract"), str)
        ]
        least = LEAST_ABSTRACT
    cuts = _level(found, lose, least)
    return sum(was - now for _, was, now in cuts), [
        f"the last {was - now:,} of {was:,} characters of {t.what}" for t, was, now in cuts
    ]


def _drop_items(values: dict[str, Any], lose: int) -> tuple[int, list[str]]:
    lost, left_out = 0, []
    for name, what in _RANKED.items():
        items = values.get(name)
        if not isinstance(items, list):
            continue
        before = len(items)
        while items and lost < lose:
            lost += _size(items.pop())
        if len(items) < before:
            left_out.append(f"the last {before - len(items)} of {before} {what}")
    return lost, left_out


def _cut_cards(values: dict[str, Any], lose: int) -> tuple[int, list[str]]:
    found = [t for name in _CARDS if name in values for t in _texts(values, name)]
    cuts = _level(found, lose, LEAST_CARD)
    lost = sum(was - now for _, was, now in cuts)
    return lost, [
        f"the ends of the longest texts of the cards, {lost:,} characters in all"
    ] if lost else []


def _texts(holder: Any, key: Any) -> list[_Text]:
    value = holder[key]
    if isinstance(value, str):
        return [] if key in _NAMES else [_Text(holder, key, str(key))]
    if isinstance(value, list):
        return [t for n in range(len(value)) for t in _texts(value, n)]
    return [t for name in value for t in _texts(value, name)] if isinstance(value, dict) else []


def _level(texts: list[_Text], lose: int, least: int) -> list[tuple[_Text, int, int]]:
    """Cut the longest texts to one common length, at least ``least``, until ``lose`` characters are gone. Lengths before and after."""
    low, high = least, max((len(t.text) for t in texts), default=0)
    while low < high:  # the greatest length that loses enough
        middle = (low + high + 1) // 2
        if sum(max(0, len(t.text) - middle) for t in texts) >= lose:
            low = middle
        else:
            high = middle - 1
    cuts = [(t, len(t.text), low) for t in texts if len(t.text) > low]
    for t, _, now in cuts:
        t.holder[t.key] = t.text[:now]
    return cuts


def _size(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list | tuple) else len(str(value))
