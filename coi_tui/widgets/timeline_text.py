"""A timeline drawn with characters: every mark is an ASCII character, so that it reads the same on any terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from coi_tui.session.queries.timeline import CITES, PLACED, UNCONFIRMED, Edge, Node, Timeline
from coi_tui.widgets.canvas import Canvas, Span
from coi_tui.widgets.words import cut

ACROSS = {CITES: "=", UNCONFIRMED: "-", PLACED: "."}
DOWN = {CITES: "|", UNCONFIRMED: ":", PLACED: "."}
TURN, CITED, CITING, BOTH = "+", "v", "^", "x"
VERDICTS = {"proposed": "?", "accepted": "+", "pinned": "P"}
LEAST, MOST, BREAK, HEAD = 11, 20, 4, 2
"""Cells of a paper at least and at most, of a break in the years, and left of it all."""
NODE, SIZE = 6, 3
"""Cells of a paper's marks, and which of them is its size."""
BLOCK = 4
"""Lines of a branch: its question, lines that arrive, its papers, their names."""
STRONG, DIM, HERE, LINK = "strong", "dim", "here", "link"
LEGEND = (
    "cited: o under 50  O under 500  @ more  . not known   [ ] anchor   ? undecided  + accepted  P pinned   ~ stale",
    "=== cites  --- unconfirmed  ... placed by you  // no papers   from the one at >: v cited  ^ citing  ( ) unconfirmed",
)
SHORT_LEGEND = (
    "cited: o <50  O <500  @ more  . not known   [ ] anchor  ? undecided  ~ stale",
    "= cites  - ( ) unconfirmed  . placed by you  // gap  from >: v cited ^ citing",
)


@dataclass(frozen=True)
class Drawing:
    """``years`` stand above the ``lines``; all are ``width`` cells wide. The paper under the cursor is at line ``row`` and cell ``x``;
    ``spots`` gives line and cell of every paper; a paper has ``cell`` cells."""

    years: tuple[Span, ...]
    lines: tuple[tuple[Span, ...], ...]
    row: int
    x: int
    width: int
    cell: int
    spots: dict[str, tuple[int, int]]

    @property
    def text(self) -> str:
        """All of it as plain text."""
        return "\n".join("".join(piece for piece, _ in line) for line in (self.years, *self.lines))


def drawn(picture: Timeline, width: int, cursor: str, *, loose: bool = False) -> Drawing:
    """The picture for ``width`` cells; wider where the papers do not fit, then it is scrolled. ``loose`` parts the branches by a line."""
    places, cell, total = _places(picture, width)
    block = BLOCK + loose
    canvas = Canvas(total, block * len(picture.lanes))
    tops = {branch: n * block for n, (branch, _) in enumerate(picture.lanes)}
    spots = {n.address: (tops[n.branch] + 2, places[n.column] + n.nth * cell) for n in picture.nodes}
    for branch, question in picture.lanes:
        canvas.write(tops[branch], 0, cut(f"{branch}  {question}", total), STRONG)
        if not picture.lane(branch):
            canvas.write(tops[branch] + 2, HEAD, "no papers yet", DIM)
    for node in picture.nodes:
        _paper(canvas, node, *spots[node.address], cell)
    inside = {(e.earlier, e.later) for e in _inside(picture, canvas, spots)}
    here = spots.get(cursor)
    if here is not None:
        around = [e for e in picture.edges if cursor in (e.later, e.earlier) and (e.earlier, e.later) not in inside]
        _around(canvas, cursor, around, spots)
        canvas.write(here[0], here[1], ">")
        canvas.dye(here[0], here[1], here[1] + NODE, HERE)
    lines = tuple(canvas.spans(row) for row in range(canvas.height))
    return Drawing(_years(picture, places, total), lines, *(here or (0, 0)), total, cell, spots)


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


def _years(picture: Timeline, places: list[int], total: int) -> tuple[Span, ...]:
    canvas = Canvas(total, 1)
    for column, at in zip(picture.columns, places, strict=True):
        canvas.write(0, at + (0 if column.skipped else 1), column.label, STRONG)
    return canvas.spans(0)


def _paper(canvas: Canvas, node: Node, row: int, x: int, cell: int) -> None:
    """Verdict, size and freshness, and below them the name without the year, which stands above."""
    size = f"[{node.mark}]" if node.anchor else f" {node.mark} "
    canvas.write(row, x + 1, f"{VERDICTS.get(node.verdict, ' ')}{size}{'~' if node.stale else ' '}")
    canvas.write(row + 1, x + 1, cut(node.surname, cell - 2))


def _inside(picture: Timeline, canvas: Canvas, spots: dict[str, tuple[int, int]]) -> Iterator[Edge]:
    """Draw the links of each chain between papers that stand side by side."""
    within = {(e.earlier, e.later): e for e in picture.edges if e.within}
    for branch, _ in picture.lanes:
        lane = picture.lane(branch)
        for node, after in pairwise(lane):
            edge = within.get((node.address, after.address))
            if edge is None:
                continue
            row, x = spots[node.address]
            for at in range(x + NODE, spots[after.address][1]):
                canvas.draw(row, at, ACROSS[edge.kind], DIM)
            yield edge


def _around(canvas: Canvas, cursor: str, edges: list[Edge], spots: dict[str, tuple[int, int]]) -> None:
    """Draw the other links of the paper under the cursor: down or up beside it, along the line above the papers, to each of them.

    Several links share a line, which is then drawn as the surest of them; so each end says for itself whether it is confirmed.
    """
    if not edges:
        return
    row, x = spots[cursor]
    own, trunk = row - 1, x - 1
    for edge in sorted(edges, key=lambda e: list(ACROSS).index(e.kind), reverse=True):
        to, at = spots[edge.earlier if edge.later == cursor else edge.later]
        for y in range(min(own, to - 1), max(own, to - 1) + 1):
            canvas.draw(y, trunk, DOWN[edge.kind], LINK)
        for line, end in ((own, x + SIZE), (to - 1, at + SIZE)):
            for cell in range(min(trunk, end), max(trunk, end) + 1):
                canvas.draw(line, cell, ACROSS[edge.kind], LINK)
    for address in {cursor, *(e.earlier for e in edges), *(e.later for e in edges)}:
        canvas.draw(spots[address][0] - 1, trunk, TURN, LINK)
    canvas.draw(own, x + SIZE, TURN, LINK)
    for address, mark in _ends(cursor, edges).items():
        for n, sign in enumerate(mark):
            canvas.draw(spots[address][0] - 1, spots[address][1] + SIZE - len(mark) // 2 + n, sign, LINK)


def _ends(cursor: str, edges: list[Edge]) -> dict[str, str]:
    """What stands at the far end of each link; two papers that cite each other have one end for both."""
    ends: dict[str, str] = {}
    for edge in edges:
        other, arrow = (edge.earlier, CITED) if edge.later == cursor else (edge.later, CITING)
        sign = ACROSS[PLACED] if edge.kind == PLACED else f"({arrow})" if edge.kind == UNCONFIRMED else arrow
        ends[other] = BOTH if ends.get(other, sign) != sign else sign
    return ends
