"""Renders sections as Markdown, with every text escaped and every paper numbered in the
references."""

from __future__ import annotations

import re

from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Line,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Quote,
    Section,
    Strong,
    Table,
    Transcript,
)
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.escape import at_line_start, fragment, inline, paragraphs, table

_BYLINES = {
    "person": "*The researcher's own words.*",
    "merged": "*The researcher's own words, merged with a generated text.*",
}


def render(section: Section, bibliography: Bibliography, level: int = 2) -> str:
    """A section with its heading at ``level`` (2: ``##``)."""
    return "\n\n".join(
        [
            f"{'#' * level} {render_line(section.title, bibliography)}",
            *render_blocks(section, bibliography, level),
        ]
    )


def render_blocks(section: Section, bibliography: Bibliography, level: int = 2) -> list[str]:
    """A section without its heading."""
    blocks = (_block(block, bibliography, level) for block in section.blocks)
    return [block for block in blocks if block]


def _block(block: Block, bibliography: Bibliography, level: int) -> str:
    match block:
        case Paragraph():
            return render_line(block.text, bibliography)
        case Passage():
            return "\n\n".join(
                filter(None, [_BYLINES.get(block.origin, ""), _cited_text(block, bibliography)])
            )
        case Bullets():
            return "\n".join(f"- {render_line(item, bibliography)}" for item in block.items)
        case PaperList():
            return _paper_list(block, bibliography)
        case Quote():
            return inline(f"{block.shows}: “{block.text}”" if block.shows else f"“{block.text}”")
        case Transcript():
            return "\n\n".join(
                f"**{inline(turn.speaker)}:** {paragraphs(turn.text)}" for turn in block.turns
            )
        case Section():
            return render(block, bibliography, level + 1)
        case Table():
            return table(
                block.head,
                [
                    tuple(render_line(cell, bibliography) for cell in row.cells)
                    for row in block.rows
                ],
            )


_FIRST, _LAST = 0xE100, 0xF8FF
"""Characters of private use: no text means anything by them, and no escaping changes them."""
_PLACES = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")


def _cited_text(passage: Passage, bibliography: Bibliography) -> str:
    """The text with citations in place of its marks: each goes through the escaping as a single
    character."""
    text = _PLACES.sub("", passage.text)
    there = sorted(
        (text.find(mark), mark, paper)
        for mark, paper in passage.cited
        if mark and mark in text and paper in bibliography.papers
    )[: _LAST - _FIRST]
    places = {mark: chr(_FIRST + n) for n, (_, mark, _) in enumerate(there)}
    for mark in sorted(places, key=len, reverse=True):
        text = text.replace(mark, places[mark])
    citations = [bibliography.mark(paper) for _, _, paper in there]
    return _PLACES.sub(lambda found: citations[ord(found[0]) - _FIRST], paragraphs(text))


def _paper_list(block: PaperList, bibliography: Bibliography) -> str:
    for entry in (
        block.entries
    ):  # numbered in the order of the list, also where the notes on a paper name a later one
        bibliography.number(entry.paper)
    return "\n".join(
        _entry(f"{n}. ", entry, bibliography) for n, entry in enumerate(block.entries, start=1)
    )


def _entry(number: str, entry: PaperEntry, bibliography: Bibliography) -> str:
    """A paper after its number, and the notes on it set in under its first word."""
    paper = bibliography.papers.get(entry.paper)
    date = (paper.when if paper else "") or "n.d."
    notes = (render_line(note, bibliography) for note in entry.notes)
    return f"\n{' ' * len(number)}- ".join(
        [f"{number}**{inline(date)}**: {bibliography.titled(entry.paper)}", *notes]
    )


def render_line(line: Line, bibliography: Bibliography) -> str:
    """Escaped text on one line, with citations as ``Wei et al. 2022 [3]``."""
    if isinstance(line, str):
        return inline(line)
    return at_line_start("".join(_part(part, bibliography) for part in line).strip())


def _part(part: str | Citation | Strong, bibliography: Bibliography) -> str:
    if isinstance(part, Citation):
        return bibliography.short(part.paper)
    return fragment(part) if isinstance(part, str) else f"**{inline(part.text)}**"
