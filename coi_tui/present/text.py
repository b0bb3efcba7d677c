"""Documents as plain text and as JSON values: the detail pane, the command line, the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.literature.citations import marks_in
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Line,
    PaperList,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    Transcript,
)
from coi_tui.model.text import clipped

if TYPE_CHECKING:
    from coi_tui.model.papers import Paper

Part = tuple[str, str]
"""A heading (empty for running text) and plain text below it."""

TURN_WORDS = 16
"""Words of a turn in the overview of a talk; its own cell has them all."""


def parts(blocks: Iterable[Block], papers: Mapping[str, Paper] | None = None) -> Iterator[Part]:
    """A document as headings with text below. ``papers``: those that are cited, by id."""
    known = papers or {}
    for block in blocks:
        match block:
            case Section():
                inner = [b for b in block.blocks if not isinstance(b, Section)]
                yield line_text(block.title, known), _joined(inner, known)
                yield from parts((b for b in block.blocks if isinstance(b, Section)), known)
            case Table() if not block.rows:
                continue
            case Table() if any(row.blocks for row in block.rows):
                for row in block.rows:
                    cells = (line_text(cell, known) for cell in row.cells)
                    yield "  ".join(filter(None, cells)), _joined(row.blocks, known)
            case _:
                yield "", block_text(block, known)


def block_text(block: Block, papers: Mapping[str, Paper]) -> str:
    """A block as plain text."""
    match block:
        case Paragraph():
            return line_text(block.text, papers)
        case Passage():
            text = block.text
            for mark, paper in marks_in(text, papers).items():
                text = text.replace(mark, f"[{papers[paper].short()}]")
            return text
        case Bullets():
            return "\n".join(f"- {line_text(item, papers)}" for item in block.items)
        case PaperList():
            return "\n".join(
                "\n   ".join(
                    [
                        f"{n}. {paper.short()}: {paper.title}" if paper else f"{n}. {entry.paper}",
                        *(line_text(note, papers) for note in entry.notes),
                    ]
                )
                for n, entry in enumerate(block.entries, 1)
                for paper in (papers.get(entry.paper),)
            )
        case Quote():
            return f"{block.shows}: “{block.text}”" if block.shows else f"“{block.text}”"
        case Table():
            return _table(block, papers)
        case Transcript():
            turns = (
                f"{turn.number or ''} {turn.speaker}: {clipped(turn.text, TURN_WORDS) or '-'}"
                for turn in block.turns
            )
            return "\n".join(map(str.strip, turns))
        case Section():
            return f"{line_text(block.title, papers)}: {_joined(block.blocks, papers)}"


def _joined(blocks: Iterable[Block], papers: Mapping[str, Paper]) -> str:
    return "\n".join(block_text(block, papers) for block in blocks)


def _table(table: Table, papers: Mapping[str, Paper]) -> str:
    rows = [[line_text(cell, papers) for cell in row.cells] for row in table.rows]
    rows = [list(table.head), *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(map(str.rstrip, padded))


def line_text(line: Line, papers: Mapping[str, Paper]) -> str:
    """A line as plain text, a cited paper by its authors and year."""
    if isinstance(line, str):
        return line
    return "".join(_piece(piece, papers) for piece in line)


def _piece(piece: Any, papers: Mapping[str, Paper]) -> str:
    if isinstance(piece, Citation):
        return papers[piece.paper].short() if piece.paper in papers else piece.paper
    return piece if isinstance(piece, str) else str(piece.text)


def as_data(value: Any) -> Any:
    """A document as JSON values: each block an object with its ``type``; what is empty is left
    out."""
    if is_dataclass(value):
        filled = {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
        named = {name: item for name, item in filled.items() if item not in ("", [], 0)}
        return {"type": type(value).__name__.lower(), **named}
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    return value
