"""IE-6: texts as numbered lines, and the passages that are cut out of them by the ranges that a
model asks for (pure).

A model names lines and never writes them, so that a passage is always what stands in the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coi_tui.methods.base.text_tools import sentences, share
from coi_tui.methods.imitate.replies import LineRange

MOST_LINES = 40
"""Lines of one paper that a prompt shows at most: of a longer text those nearest to the step."""
LONGEST_RANGE = 8
"""Lines of one passage at most; of a longer range the first ones."""
MOST_PASSAGES = 8


_HEADING = re.compile(r"^([A-Z][A-Z ]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """A text that passages may come from. ``kind`` says what was read of it; ``paper`` or
    ``section`` whose it is."""

    label: str
    lines: tuple[str, ...]
    kind: str = ""
    paper: str = ""
    section: int = 0


def lines_of(text: str) -> tuple[str, ...]:
    """The sentences of a text, one a line; a heading (by a blank line after it, or all in capitals)
    is a line as well."""
    parts = re.split(r"\n\s*\n", _HEADING.sub(r"\n\n\1\n\n", text))
    return tuple(
        said
        for part in parts
        for said in sentences(part) or ([part.strip()] if part.strip() else [])
    )


def shown_lines(text: Text, about: str, most: int = MOST_LINES) -> list[tuple[int, str]]:
    """The lines that a prompt shows, with their numbers: all, or of a long text those that share
    most words with ``about``."""
    numbered = list(enumerate(text.lines, start=1))
    if len(numbered) <= most:
        return numbered
    best = sorted(numbered, key=lambda line: (-share(line[1], about), line[0]))[:most]
    return sorted(best)


def cut(texts: Sequence[Text], ranges: Iterable[LineRange]) -> tuple[list[dict[str, Any]], int]:
    """The passages that ranges name, each once, and how many ranges named lines that there are
    not."""
    by_label: Mapping[str, Text] = {text.label: text for text in texts}
    found: list[dict[str, Any]] = []
    strange = 0
    for asked in ranges:
        text = by_label.get(asked.source)
        first, last = min(asked.first, asked.last), max(asked.first, asked.last)
        if text is None or not 1 <= first <= len(text.lines):
            strange += 1
            continue
        passage = _passage(text, first, min(last, len(text.lines), first + LONGEST_RANGE - 1))
        if not any(passage.items() <= known.items() for known in found):
            found.append({**passage, "shows": asked.shows})
    return found[:MOST_PASSAGES], strange


def _passage(text: Text, first: int, last: int) -> dict[str, Any]:
    lines = f"line {first}" if first == last else f"lines {first}-{last}"
    said = {
        "where": f"{text.kind}, {lines}" if text.kind else lines,
        "text": " ".join(text.lines[first - 1 : last]),
    }
    return {**said, "paper": text.paper} if text.paper else {**said, "section": text.section}
