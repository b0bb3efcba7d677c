"""Marks in a text that stand for citations: they go through any escaping as single characters, and
come out as citations of the format."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from coi_tui.model.document import Passage

_FIRST, _LAST = 0xE100, 0xF8FF
"""Characters of private use: no text means anything by them, and no escaping changes them."""
_PLACES = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")


def with_places(passage: Passage, papers: Container[str]) -> tuple[str, list[str]]:
    """The text with one character in place of each mark of a known paper, and the papers in the
    order of these characters."""
    text = _PLACES.sub("", passage.text)
    there = sorted(
        (passage.text.find(mark), mark, paper)
        for mark, paper in passage.cited
        if mark and mark in passage.text
    )
    known = [(mark, paper) for _, mark, paper in there if paper in papers][: _LAST - _FIRST]
    places = {mark: chr(_FIRST + n) for n, (mark, _) in enumerate(known)}
    if places:
        longest_first = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
        text = re.sub(longest_first, lambda found: places[found[0]], text)
    return text, [paper for _, paper in known]


def at_places(text: str, citations: Sequence[str]) -> str:
    """The text with each citation in its place."""
    return _PLACES.sub(
        lambda found: (
            citations[ord(found[0]) - _FIRST] if ord(found[0]) - _FIRST < len(citations) else ""
        ),
        text,
    )
