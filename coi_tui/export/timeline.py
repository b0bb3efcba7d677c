"""The timeline as an SVG picture: a lane a branch, circles by citations, curves for known citations. Readable on light and dark grounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

LANE, TOP, LEFT, COLUMN, RADIUS = 110, 90, 60, 120, 22


@dataclass(frozen=True)
class Dot:
    """A paper: its column and place in it, its lane, and what is said of it. ``cites`` None where it is not known."""

    key: str
    lane: int
    column: int
    nth: int
    name: str
    title: str
    cites: int | None
    anchor: bool
    decided: bool


@dataclass(frozen=True)
class Curve:
    """A link between two dots by their keys; ``kind`` is ``cites``, ``unconfirmed`` or ``placed by you``."""

    later: str
    earlier: str
    kind: str


@dataclass(frozen=True)
class Sheet:
    """What is drawn. ``columns`` are the labels of the years, ``lanes`` the questions of the branches."""

    title: str
    columns: tuple[str, ...]
    lanes: tuple[str, ...]
    dots: tuple[Dot, ...]
    curves: tuple[Curve, ...]


STYLE = """
    text { font-family: 'DejaVu Sans', Verdana, sans-serif; font-size: 13px; fill: #1c2126; }
    .head { font-size: 18px; font-weight: bold; } .small { font-size: 11px; } .lane { font-weight: bold; }
    .ground { fill: #ffffff; } .grid { stroke: #c3ccd6; stroke-width: 1; }
    .dot { fill: #bcd9f2; stroke: #005a9c; stroke-width: 2; } .anchor { stroke-width: 4; } .open { stroke-dasharray: 4 3; }
    .cites { stroke: #005a9c; } .unconfirmed { stroke: #8a4b00; stroke-dasharray: 8 4; } .placed { stroke: #55606b; stroke-dasharray: 2 5; }
    path { fill: none; }
"""


def svg(sheet: Sheet) -> str:
    """A whole SVG document. Every text is escaped and free of control characters."""
    widths = _widths(sheet)
    width = LEFT * 2 + sum(widths)
    height = TOP + LANE * max(1, len(sheet.lanes)) + 90
    body = [*_grid(sheet, widths, height), *_curves(sheet, widths), *_dots(sheet, widths), *_legend(height)]
    cited = sum(c.kind == "cites" for c in sheet.curves)
    said = f"{len(sheet.lanes)} branches with {len(sheet.dots)} papers; {cited} known citations between them."
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        'aria-labelledby="title about">',
        f'  <title id="title">Timeline: {_text(sheet.title)}</title>',
        f'  <desc id="about">{_text(said)}</desc>',
        f"  <style>{STYLE}  </style>",
        f'  <rect class="ground" width="{width}" height="{height}"/>',
        f'  <text class="head" x="{LEFT}" y="34">{_text(_cut(sheet.title, width // 10))}</text>',
        *(f"  {line}" for line in body),
        "</svg>",
        "",
    ])  # fmt: skip


def _text(value: str) -> str:
    return escape(
        "".join(c for c in value if c >= " " and not 0x7F <= ord(c) <= 0x9F and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff")
    )


def _cut(value: str, most: int) -> str:
    return value if len(value) <= most else value[: max(1, most - 1)] + "…"


def _widths(sheet: Sheet) -> list[int]:
    """Pixels of each column: room for the most papers that one lane has in it."""
    most = [max([1, *(d.nth + 1 for d in sheet.dots if d.column == n)]) for n in range(len(sheet.columns))]
    return [40 if label == "//" else COLUMN * many for label, many in zip(sheet.columns, most, strict=True)]


def _at(dot: Dot, widths: list[int]) -> tuple[int, int]:
    return LEFT + sum(widths[: dot.column]) + COLUMN // 2 + dot.nth * COLUMN, TOP + dot.lane * LANE + 58


def _radius(cites: int | None) -> float:
    """The area grows with the logarithm of the citations: 5 pixels for none, 22 for ten thousand."""
    return 6.0 if cites is None else round(5 + (RADIUS - 5) * min(1.0, math.log10(cites + 1) / 4), 1)


def _grid(sheet: Sheet, widths: list[int], height: int) -> Iterator[str]:
    x = LEFT
    for label, width in zip(sheet.columns, widths, strict=True):
        yield f'<text x="{x + (0 if label == "//" else COLUMN // 2 - 16)}" y="{TOP - 22}">{_text(label)}</text>'
        yield f'<line class="grid" x1="{x}" y1="{TOP - 12}" x2="{x}" y2="{height - 80}"/>'
        x += width
    for n, question in enumerate(sheet.lanes):
        yield f'<text class="lane" x="{LEFT}" y="{TOP + n * LANE + 14}">{n + 1}  {_text(_cut(question, max(20, sum(widths) // 9)))}</text>'


def _curves(sheet: Sheet, widths: list[int]) -> Iterator[str]:
    dots = {d.key: d for d in sheet.dots}
    for curve in sheet.curves:
        later, earlier = dots[curve.later], dots[curve.earlier]
        (x1, y1), (x2, y2) = _at(earlier, widths), _at(later, widths)
        width = round(1 + min(4.0, math.log10((earlier.cites or 0) + 1)), 1)
        bend = 0 if abs(later.nth + later.column - earlier.nth - earlier.column) <= 1 and y1 == y2 else 34
        middle = (y1 + y2) / 2 - bend
        kind = curve.kind.partition(" ")[0]
        verb, doubt = "was placed beside" if kind == "placed" else "cites", " (unconfirmed)" if kind == "unconfirmed" else ""
        line = f"M {x1} {y1} Q {(x1 + x2) / 2:.0f} {middle:.0f} {x2} {y2}"
        about = _text(f"{later.name} {verb} {earlier.name}{doubt}")
        yield f'<path class="{kind}" stroke-width="{width}" stroke-opacity="0.55" d="{line}"><title>{about}</title></path>'


def _dots(sheet: Sheet, widths: list[int]) -> Iterator[str]:
    for dot in sheet.dots:
        x, y = _at(dot, widths)
        cited = "citations not known" if dot.cites is None else f"cited {dot.cites} times"
        kind = f"dot{' anchor' if dot.anchor else ''}{'' if dot.decided else ' open'}"
        about = _text(f"{dot.title}, {cited}")
        yield f'<circle class={quoteattr(kind)} cx="{x}" cy="{y}" r="{_radius(dot.cites)}"><title>{about}</title></circle>'
        yield f'<text class="small" x="{x}" y="{y + 38}" text-anchor="middle">{_text(_cut(dot.name, 18))}</text>'


def _legend(height: int) -> Iterator[str]:
    y = height - 40
    yield f'<circle class="dot anchor" cx="{LEFT + 10}" cy="{y}" r="9"/><text class="small" x="{LEFT + 26}" y="{y + 4}">anchor</text>'
    yield f'<circle class="dot open" cx="{LEFT + 100}" cy="{y}" r="9"/><text class="small" x="{LEFT + 116}" y="{y + 4}">undecided</text>'
    for n, (kind, said) in enumerate((("cites", "cites"), ("unconfirmed", "cites, unconfirmed"), ("placed", "placed by you"))):
        x = LEFT + 210 + n * 150
        yield f'<path class="{kind}" stroke-width="3" d="M {x} {y} h 40"/><text class="small" x="{x + 48}" y="{y + 4}">{said}</text>'
    yield f'<text class="small" x="{LEFT}" y="{y + 26}">Circles grow with citations; lines with the citations of the older paper.</text>'
