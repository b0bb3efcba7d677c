"""The timeline as an SVG picture: a lane a branch, circles by citations, curves for known
citations. Readable on light and dark grounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from coi_tui.model.address import Branch
from coi_tui.model.text import clean_line

LANE, TOP, LEFT, COLUMN, RADIUS, FOOT = 116, 90, 60, 120, 22, 118
LEAST = 720
"""Pixels that the legend needs."""


@dataclass(frozen=True)
class Dot:
    """A paper: its column and place in it, its lane, and what is said of it. ``cites`` None where
    it is not known."""

    key: str
    lane: int
    column: int
    nth: int
    name: str
    title: str
    cites: int | None
    anchor: bool
    decided: bool
    stale: bool = False


@dataclass(frozen=True)
class Curve:
    """A link between two dots by their keys; ``kind`` is ``cites``, ``unconfirmed`` or ``placed by
    you``."""

    later: str
    earlier: str
    kind: str


@dataclass(frozen=True)
class TimelineDrawing:
    """What is drawn. ``columns`` are the labels of the years (``//`` for years left out), ``lanes``
    number and question of each branch."""

    title: str
    columns: tuple[str, ...]
    lanes: tuple[tuple[Branch, str], ...]
    dots: tuple[Dot, ...]
    curves: tuple[Curve, ...]


STYLE = """
    text { font-family: 'DejaVu Sans', Verdana, sans-serif; font-size: 13px; fill: #1c2126; }
    .head { font-size: 18px; font-weight: bold; } .small { font-size: 11px; } .lane { font-weight: bold; }
    .over { paint-order: stroke; stroke: #ffffff; stroke-width: 4; stroke-linejoin: round; }
    .ground { fill: #ffffff; } .grid { stroke: #c3ccd6; stroke-width: 1; }
    .dot { fill: #bcd9f2; stroke: #005a9c; stroke-width: 2; } .anchor { stroke-width: 4; } .open { stroke-dasharray: 4 3; }
    .unknown { fill: #ffffff; }
    .cites { stroke: #005a9c; } .unconfirmed { stroke: #8a4b00; stroke-dasharray: 8 4; } .placed { stroke: #55606b; stroke-dasharray: 2 5; }
    path { fill: none; }
"""


def svg(drawing: TimelineDrawing) -> str:
    """A whole SVG document. Every text is escaped and free of control characters."""
    widths = _widths(drawing)
    width = LEFT * 2 + max(LEAST, sum(widths))
    height = TOP + LANE * max(1, len(drawing.lanes)) + FOOT
    body = [
        *_grid(drawing, widths, height),
        *_curves(drawing, widths),
        *_lanes(drawing, widths),
        *_dots(drawing, widths),
        *_legend(height - FOOT),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="title">',
            f'  <title id="title">Timeline: {_text(drawing.title)}</title>',
            f"  <style>{STYLE}  </style>",
            f'  <rect class="ground" width="{width}" height="{height}"/>',
            f'  <text class="head" x="{LEFT}" y="34">{_text(_cut(drawing.title, width // 10))}</text>',
            *(f"  {line}" for line in body),
            "</svg>",
            "",
        ]
    )


def _text(value: str) -> str:
    return escape("".join(c for c in clean_line(value) if c not in "\ufffe\uffff"))


def _cut(value: str, most: int) -> str:
    return value if len(value) <= most else value[: max(1, most - 1)] + "…"


def _widths(drawing: TimelineDrawing) -> list[int]:
    """Pixels of each column: room for the most papers that one lane has in it."""
    most = [
        max([1, *(d.nth + 1 for d in drawing.dots if d.column == n)])
        for n in range(len(drawing.columns))
    ]
    return [
        40 if label == "//" else COLUMN * many
        for label, many in zip(drawing.columns, most, strict=True)
    ]


def _at(dot: Dot, widths: list[int]) -> tuple[int, int]:
    x = LEFT + sum(widths[: dot.column]) + COLUMN // 2 + dot.nth * COLUMN
    return x, TOP + dot.lane * LANE + 58


def _radius(cites: int | None) -> float:
    """From 5 pixels for none to 22 for ten thousand, by the logarithm."""
    return round(5 + (RADIUS - 5) * min(1.0, math.log10((cites or 0) + 1) / 4), 1)


def _grid(drawing: TimelineDrawing, widths: list[int], height: int) -> Iterator[str]:
    x = LEFT
    for label, width in zip(drawing.columns, widths, strict=True):
        yield f'<text x="{x + (0 if label == "//" else COLUMN // 2 - 16)}" y="{TOP - 22}">{_text(label)}</text>'
        yield f'<line class="grid" x1="{x}" y1="{TOP - 12}" x2="{x}" y2="{height - FOOT + 4}"/>'
        x += width


def _lanes(drawing: TimelineDrawing, widths: list[int]) -> Iterator[str]:
    """Number and question of each branch, above the lines that go behind them."""
    for n, (branch, question) in enumerate(drawing.lanes):
        said = _text(_cut(question, max(20, sum(widths) // 9)))
        yield f'<text class="lane over" x="{LEFT}" y="{TOP + n * LANE + 14}">{branch}  {said}</text>'


def _curves(drawing: TimelineDrawing, widths: list[int]) -> Iterator[str]:
    dots = {d.key: d for d in drawing.dots}
    verbs = {"placed by you": "was placed beside", "unconfirmed": "is said to cite"}
    for curve in drawing.curves:
        later, earlier = dots[curve.later], dots[curve.earlier]
        about = _text(f"{later.name} {verbs.get(curve.kind, 'cites')} {earlier.name}")
        line = _path(drawing, widths, later, earlier)
        yield f'<path class="{curve.kind.partition(" ")[0]}" stroke-width="3" stroke-opacity="0.55" d="{line}"><title>{about}</title></path>'


def _path(drawing: TimelineDrawing, widths: list[int], later: Dot, earlier: Dot) -> str:
    """A bent line that goes round the papers between the two."""
    (x1, y1), (x2, y2) = _at(earlier, widths), _at(later, widths)
    bend = 34
    if y1 == y2:
        between = any(
            d.lane == later.lane and min(x1, x2) < _at(d, widths)[0] < max(x1, x2)
            for d in drawing.dots
        )
        bend = 60 if between else 0
    return f"M {x1} {y1} Q {(x1 + x2) / 2:.0f} {(y1 + y2) / 2 - bend:.0f} {x2} {y2}"


def _dots(drawing: TimelineDrawing, widths: list[int]) -> Iterator[str]:
    for dot in drawing.dots:
        x, y = _at(dot, widths)
        marks = {"anchor": dot.anchor, "open": not dot.decided, "unknown": dot.cites is None}
        kind = " ".join(["dot", *(name for name, holds in marks.items() if holds)])
        yield f'<circle class={quoteattr(kind)} cx="{x}" cy="{y}" r="{_radius(dot.cites)}"><title>{_text(_about(dot))}</title></circle>'
        name = f"{_cut(dot.name, 11)} ~ stale" if dot.stale else _cut(dot.name, 18)
        yield f'<text class="small over" x="{x}" y="{y + 38}" text-anchor="middle">{_text(name)}</text>'


def _about(dot: Dot) -> str:
    """What a pointer that rests on a circle is told."""
    cited = "citations not known" if dot.cites is None else f"cited {dot.cites} times"
    marks = (
        "the anchor" if dot.anchor else "",
        "" if dot.decided else "undecided",
        "stale" if dot.stale else "",
    )
    return ", ".join(filter(None, (dot.title, cited, *marks)))


def _legend(top: int) -> Iterator[str]:
    """The three kinds of lines, and what is said in words alone."""
    x, y = LEFT, top + 50
    lines = (
        ("cites", "cites (known)"),
        ("unconfirmed", "cites, unconfirmed"),
        ("placed", "placed by you, no citation known"),
    )
    for kind, said in lines:
        yield f'<path class="{kind}" stroke-width="3" d="M {x} {y} h 36"/><text class="small" x="{x + 44}" y="{y + 4}">{said}</text>'
        x += 180
    words = "Circles grow with citations (empty: not known); bold: the anchor, dashed: undecided.   //  years without papers   ~ stale"
    yield f'<text class="small" x="{LEFT}" y="{y + 34}">{words}</text>'
