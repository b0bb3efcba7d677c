"""A timeline drawn with characters: every mark is an ASCII character, so that it reads the same on any terminal."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from coi_tui.session.look.timeline import CITES, PLACED, UNCONFIRMED, Node, Timeline
from coi_tui.widgets.words import cut, fit

LINES = {CITES: "=", UNCONFIRMED: "-", PLACED: "."}
VERDICTS = {"proposed": "?", "accepted": "+", "pinned": "P"}
LEAST, MOST, BREAK, HEAD = 10, 20, 4, 1
"""Cells of a paper at least and at most, of a break in the years, and left of it all."""
NODE = 6
LEGEND = (
    "[ ] anchor  cited: o under 50, O under 500, @ more, . not known  ? undecided + accepted P pinned ~ stale",
    "==== cites (known link)   ---- unconfirmed   .... placed by you   // years without papers",
)


@dataclass(frozen=True)
class Drawing:
    """Lines of equal width, and where the cursor stands in them (line and cell of its mark)."""

    lines: tuple[Content, ...]
    row: int
    x: int
    width: int


def drawn(picture: Timeline, width: int, cursor: str) -> Drawing:
    """The picture for ``width`` cells; wider where the papers do not fit, then it is scrolled."""
    places, cell, total = _places(picture, width)
    lines = [_years(picture, places, total)]
    row = x = 0
    for branch, question in picture.lanes:
        lane = picture.lane(branch)
        lines += [Content(""), Content.styled(fit(f"{branch}  {question}", total), "bold")]
        if not lane:
            lines.append(Content(fit("   no papers yet", total)))
            continue
        for node in lane:
            if node.address == cursor:
                row, x = len(lines), places[node.column] + node.nth * cell
        lines += [_nodes(picture, lane, places, cell, total, cursor), _names(lane, places, cell, total)]
    return Drawing(tuple(lines), row, x, total)


def _places(picture: Timeline, width: int) -> tuple[list[int], int, int]:
    """Where each column begins, the cells of a paper, and the whole width."""
    most = [max([1, *(n.nth + 1 for n in picture.nodes if n.column == c)]) for c in range(len(picture.columns))]
    breaks = sum(bool(c.skipped) for c in picture.columns)
    papers = sum(m for m, c in zip(most, picture.columns, strict=True) if not c.skipped)
    cell = max(LEAST, min(MOST, (width - HEAD - BREAK * breaks) // max(1, papers)))
    places, at = [], HEAD
    for many, column in zip(most, picture.columns, strict=True):
        places.append(at)
        at += BREAK if column.skipped else cell * many
    return places, cell, max(width, at)


def _years(picture: Timeline, places: list[int], total: int) -> Content:
    text = " " * total
    for column, at in zip(picture.columns, places, strict=True):
        text = _over(text, at, column.label)
    return Content.styled(text[:total], "bold")


def _over(text: str, at: int, piece: str) -> str:
    return (text[:at] + piece + text[at + len(piece) :])[: max(len(text), at + len(piece))]


def _nodes(picture: Timeline, lane: list[Node], places: list[int], cell: int, total: int, cursor: str) -> Content:
    """One line: each paper as cursor, verdict, freshness and size, the links of the chain between them."""
    kinds = {(e.earlier, e.later): e.kind for e in picture.edges if e.within}
    text, here = " " * total, None
    for node, after in zip(lane, [*lane[1:], None], strict=True):
        at = places[node.column] + node.nth * cell
        stale = "~" if node.stale else " "
        size = f"[{node.mark}]" if node.anchor else f" {node.mark} "
        text = _over(text, at, f"{'>' if node.address == cursor else ' '}{VERDICTS.get(node.verdict, ' ')}{size}{stale}")
        here = (at, at + NODE) if node.address == cursor else here
        kind = kinds.get((node.address, after.address)) if after is not None else None
        if after is not None and kind is not None:
            to = places[after.column] + after.nth * cell
            text = _over(text, at + NODE, LINES[kind] * max(0, to - at - NODE))
    line = Content(text)
    return line.stylize("reverse", *here) if here else line


def _names(lane: list[Node], places: list[int], cell: int, total: int) -> Content:
    from rich.cells import set_cell_size

    pieces, at = [], 0
    for node in lane:
        begin = places[node.column] + node.nth * cell
        pieces.append(" " * max(0, begin - at) + set_cell_size(cut(node.name.removesuffix(f" {node.year}"), cell - 1), cell))
        at = begin + cell
    return Content(fit("".join(pieces), total))
