"""The timeline: drawn with ASCII characters on a canvas of cells, in a pane that paints only the lines in view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from coi_tui.model.address import Branch
from coi_tui.session.queries.timeline import CITES, PLACED, UNCONFIRMED, Edge, Node, Timeline
from coi_tui.widgets.formatting import cut

JOINERS = frozenset("\u200d\ufe0f")
"""Signs that change the width of what stands beside them, each terminal in its own way: they are left out."""
Span = tuple[str, str]
"""A piece of a line and the name of its look."""


class Canvas:
    """Rows of cells. A wide character takes two cells, the second of them empty; what has no width joins the cell before it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._signs = [[" "] * width for _ in range(height)]
        self._looks = [[""] * width for _ in range(height)]
        self._lines: set[tuple[int, int]] = set()

    def write(self, row: int, x: int, text: str, look: str = "") -> None:
        """Text from a cell on; what does not fit is left out, never half of a wide character."""
        at = x
        for char in text:
            if char in JOINERS:
                continue
            wide = cell_len(char)
            if wide == 0:
                if x < at <= self.width and self._signs[row][at - 1]:
                    self._signs[row][at - 1] += char
                continue
            if at < 0 or at + wide > self.width:
                return
            self._signs[row][at] = char
            self._looks[row][at] = look
            if wide == 2:
                self._signs[row][at + 1], self._looks[row][at + 1] = "", look
            at += wide

    def dye(self, row: int, x: int, end: int, look: str) -> None:
        """Give cells another look."""
        self._looks[row][x:end] = [look] * len(self._looks[row][x:end])

    def draw(self, row: int, x: int, sign: str, look: str) -> None:
        """A sign of a line: over blanks and other lines, never over text."""
        if not (0 <= row < self.height and 0 <= x < self.width):
            return
        if self._signs[row][x] == " " or (row, x) in self._lines:
            self._signs[row][x], self._looks[row][x] = sign, look
            self._lines.add((row, x))

    def spans(self, row: int) -> tuple[Span, ...]:
        """A row in pieces of one look."""
        pairs = zip(self._looks[row], self._signs[row], strict=True)
        return tuple(("".join(sign for _, sign in group), look) for look, group in groupby(pairs, key=lambda p: p[0]))


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
    _questions(canvas, picture, tops)
    for node in picture.nodes:
        _paper(canvas, node, *spots[node.address], cell)
    inside = {(e.earlier, e.later) for e in _inside(picture, canvas, spots)}
    if cursor in spots:
        _cursor(canvas, cursor, [e for e in picture.edges if (e.earlier, e.later) not in inside], spots)
    lines = tuple(canvas.spans(row) for row in range(canvas.height))
    return Drawing(_years(picture, places, total), lines, *spots.get(cursor, (0, 0)), total, cell, spots)


def _cursor(canvas: Canvas, cursor: str, edges: list[Edge], spots: dict[str, tuple[int, int]]) -> None:
    """Mark the paper under the cursor, with those of the links that are its own."""
    row, x = spots[cursor]
    _around(canvas, cursor, [e for e in edges if cursor in (e.later, e.earlier)], spots)
    canvas.write(row, x, ">")
    canvas.dye(row, x, x + NODE, HERE)


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


def _questions(canvas: Canvas, picture: Timeline, tops: Mapping[Branch, int]) -> None:
    """The question of each branch on its first line."""
    for branch, question in picture.lanes:
        canvas.write(tops[branch], 0, cut(f"{branch}  {question}", canvas.width), STRONG)
        if not picture.lane(branch):
            canvas.write(tops[branch] + 2, HEAD, "no papers yet", DIM)


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
        for y in _between(own, to - 1):
            canvas.draw(y, trunk, DOWN[edge.kind], LINK)
        _across(canvas, own, trunk, x + SIZE, edge)
        _across(canvas, to - 1, trunk, at + SIZE, edge)
    for address in {cursor, *(e.earlier for e in edges), *(e.later for e in edges)}:
        canvas.draw(spots[address][0] - 1, trunk, TURN, LINK)
    canvas.draw(own, x + SIZE, TURN, LINK)
    for address, mark in _ends(cursor, edges).items():
        y, begin = spots[address][0] - 1, spots[address][1] + SIZE - len(mark) // 2
        for n, sign in enumerate(mark):
            canvas.draw(y, begin + n, sign, LINK)


def _across(canvas: Canvas, y: int, one: int, other: int, edge: Edge) -> None:
    """A link along a line."""
    for x in _between(one, other):
        canvas.draw(y, x, ACROSS[edge.kind], LINK)


def _between(one: int, other: int) -> range:
    """From the lower of two cells to the higher, both of them too."""
    return range(min(one, other), max(one, other) + 1)


def _ends(cursor: str, edges: list[Edge]) -> dict[str, str]:
    """What stands at the far end of each link; two papers that cite each other have one end for both."""
    ends: dict[str, str] = {}
    for edge in edges:
        other, arrow = (edge.earlier, CITED) if edge.later == cursor else (edge.later, CITING)
        sign = ACROSS[PLACED] if edge.kind == PLACED else f"({arrow})" if edge.kind == UNCONFIRMED else arrow
        ends[other] = BOTH if ends.get(other, sign) != sign else sign
    return ends


class TimelineView(Widget, inherit_bindings=False):
    """Shows a picture with the cursor on one paper; keys are left to the screen.

    What does not fit is moved into view with the cursor, the wheel or a click.
    """

    DEFAULT_CSS = """
    TimelineView { height: 1fr; }
    TimelineView .timeline--strong { text-style: bold; }
    TimelineView .timeline--dim { color: $text-muted; }
    TimelineView .timeline--link { color: $accent; text-style: bold; }
    TimelineView .timeline--here { text-style: reverse bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"timeline--strong", "timeline--dim", "timeline--link", "timeline--here"}
    can_focus = True

    class Pointed(Message):
        """A paper was clicked; ``again`` the second time."""

        def __init__(self, address: str, again: bool) -> None:
            super().__init__()
            self.address, self.again = address, again

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.drawing: Drawing | None = None
        self.left = self.top = 0

    @property
    def _room(self) -> Size:
        """Cells for the branches: one line goes to the years."""
        inner = self.content_size
        return Size(inner.width, max(1, inner.height - 1))

    def show(self, picture: Timeline, cursor: str) -> None:
        """Show a picture with the cursor on a paper, moved no further than needed to have the paper in view."""
        room = self._room
        if not room.width:
            return
        loose = (BLOCK + 1) * len(picture.lanes) <= room.height
        self.drawing = drawn(picture, room.width, cursor, loose=loose)
        self._bring_into_view(self.drawing, room)
        self._say_where(picture, self.drawing, room)
        self.refresh()

    def _bring_into_view(self, d: Drawing, room: Size) -> None:
        self.top = max(min(self.top, d.row - 2), d.row + 2 - room.height)
        self.left = max(min(self.left, d.x - 2), d.x + d.cell + 1 - room.width)
        self._hold(room)

    def _hold(self, room: Size) -> None:
        d = self.drawing
        self.top = max(0, min(self.top, len(d.lines) - room.height)) if d else 0
        self.left = max(0, min(self.left, d.width - room.width)) if d else 0

    def _say_where(self, picture: Timeline, d: Drawing, room: Size) -> None:
        """Below the frame: how many papers are outside of what is seen, and on which side."""
        seen = {"left": 0, "right": 0, "above": 0, "below": 0}
        for row, x in d.spots.values():
            seen["left"] += x < self.left
            seen["right"] += x + NODE > self.left + room.width
            seen["above"] += row < self.top
            seen["below"] += row >= self.top + room.height
        said = [f"{n} {where}" for where, n in seen.items() if n]
        self.border_subtitle = Content(f"papers out of view: {', '.join(said)}" if said else "")

    def render_line(self, y: int) -> Strip:
        d, width = self.drawing, self.content_size.width
        if d is None:
            return Strip.blank(width, self.rich_style)
        at = self.top + y - 1
        spans = d.years if y == 0 else d.lines[at] if at < len(d.lines) else ()
        strip = Strip([Segment(text, self._style(look)) for text, look in spans])
        return strip.crop(self.left, self.left + width).extend_cell_length(width, self.rich_style)

    def _style(self, look: str) -> Style:
        return self.rich_style if not look else self.get_component_rich_style(f"timeline--{look}")

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.drawing is None or at.y == 0:
            return
        row, x = at.y - 1 + self.top, at.x + self.left
        for address, (line, begin) in self.drawing.spots.items():
            if row in (line, line + 1) and begin <= x < begin + self.drawing.cell:
                self.post_message(self.Pointed(address, event.chain == 2))
                return

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._move(0, 1)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._move(0, -1)
        event.stop()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._move(4, 0)
        event.stop()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._move(-4, 0)
        event.stop()

    def _move(self, x: int, y: int) -> None:
        self.left, self.top = self.left + x, self.top + y
        self._hold(self._room)
        self.refresh()
