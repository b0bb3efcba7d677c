"""Documents as plain text and as JSON values: the detail pane, the command line, the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from coi_tui.literature.citations import with_short_marks
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    Transcript,
)
from coi_tui.model.papers import Paper
from coi_tui.model.text import clipped, joined

HeadedText = tuple[str, str]
"""A heading (empty for running text) and plain text below it."""

TURN_WORDS = 16
"""Words of a turn in the overview of a talk; its own cell has them all."""


def parts(blocks: Iterable[Block], papers: Mapping[str, Paper] = {}) -> list[HeadedText]:
    """A document as headings with text below. ``papers``: those whose ids give way to authors and
    year."""
    return [(head, with_short_marks(text, papers)) for head, text in _parts(blocks)]


def _parts(blocks: Iterable[Block]) -> Iterator[HeadedText]:
    for block in blocks:
        match block:
            case Section():
                yield block.title, _joined(b for b in block.blocks if not isinstance(b, Section))
                yield from _parts(b for b in block.blocks if isinstance(b, Section))
            case Table() if not block.rows:
                continue
            case Table() if any(row.blocks for row in block.rows):
                for row in block.rows:
                    yield joined("  ", *row.cells), _joined(row.blocks)
            case _:
                yield "", block_text(block)


def block_text(block: Block) -> str:
    """A block as plain text."""
    match block:
        case Paragraph() | Passage():
            return block.text
        case Bullets():
            return "\n".join(f"- {item}" for item in block.items)
        case Quote():
            return f"{block.shows}: “{block.text}”" if block.shows else f"“{block.text}”"
        case Table():
            lines = [block.head, *(row.cells for row in block.rows)]
            widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
            return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
        case Transcript():
            turns = (
                f"{turn.number or ''} {turn.speaker}: {clipped(turn.text, TURN_WORDS) or '-'}"
                for turn in block.turns
            )
            return "\n".join(map(str.strip, turns))
        case Section():
            return f"{block.title}: {_joined(block.blocks)}"


def _joined(blocks: Iterable[Block]) -> str:
    return "\n".join(map(block_text, blocks))


def as_data(value: Any) -> Any:
    """A document as JSON values: each block an object with its ``type``; what is empty is left
    out."""
    if is_dataclass(value):
        filled = {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
        named = {name: item for name, item in filled.items() if item not in ("", [], 0)}
        return {"type": type(value).__name__.lower(), **named}
    return [as_data(item) for item in value] if isinstance(value, list | tuple) else value
