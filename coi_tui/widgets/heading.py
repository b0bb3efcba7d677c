"""The header line: words by priority. What does not fit is left out whole; only the name of the session is ever shortened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from coi_tui.widgets.words import cut, ends

LEAST_NAME = 12
GAP = 2


@dataclass(frozen=True)
class Word:
    """A word or a few. Those of a higher ``rank`` go first when the line is short; ``brief`` is tried before that."""

    text: str
    rank: int
    brief: str = ""


def header_line(name: str, left: Sequence[Word], right: Sequence[Word], width: int) -> str:
    """Name and ``left`` at the left, ``right`` at the right, in at most ``width`` cells."""
    words = [w for w in (*left, *right) if w.text]
    said = {w: w.text for w in words}

    def length() -> int:
        return sum(cell_len(text) + GAP for text in said.values())

    for word in sorted(words, key=lambda w: -w.rank):
        if word.brief and length() + min(cell_len(name), LEAST_NAME) > width:
            said[word] = word.brief
    for word in sorted(words, key=lambda w: -w.rank):
        if length() + min(cell_len(name), LEAST_NAME) > width:
            del said[word]
    begin = cut(name, max(1, width - length()))
    joint = " " * GAP
    where, waits = joint.join([begin, *(said[w] for w in left if w in said)]), joint.join(said[w] for w in right if w in said)
    return ends(where, waits, width).rstrip() if waits else where
