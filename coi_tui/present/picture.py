"""A chain of papers as a picture in SVG: years across, papers as circles, the links between them
with their evidence, and the idea at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from coi_tui.model.address import Branch, slot
from coi_tui.model.papers import Paper
from coi_tui.model.state import Slot, State
from coi_tui.model.text import clean_line

STEP, LEFT, MIDDLE, HEIGHT, IDEA = 126, 66, 110, 220, 216
LEGEND = (
    ("cites", "cites"),
    ("unconfirmed", "cites, unconfirmed"),
    ("other", "no citation known"),
)
_KINDS = {"cites": "cites", "cites, unconfirmed": "unconfirmed"}


def chain_svg(state: State, branch: Branch, idea: str) -> str:
    """The picture of one chain; the page that it is part of gives the classes their colours."""
    slots = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    papers = [state.papers.get(at.paper or "") for at in slots]
    width = LEFT + STEP * max(len(slots), 3) + IDEA
    links = list(_links(slots, papers))
    body = [
        *_years(papers),
        *(line for line, _ in links),
        *_idea(len(slots), branch, idea),
        *(line for n, paper in enumerate(papers) for line in _paper(n, slots[n], paper)),
        *_legend(),
    ]
    title = f"The chain of papers that leads to idea {branch}: {clean_line(idea)}"
    about = " ".join(text for _, text in links) or "It has one paper."
    return "\n".join(
        [
            f'<svg class="chain" viewBox="0 0 {width} {HEIGHT}" width="{width}" role="img" '
            f'aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title><desc>{escape(about)}</desc>",
            *body,
            "</svg>",
        ]
    )


def _x(n: int) -> int:
    return LEFT + n * STEP


def _name(paper: Paper | None) -> str:
    return clean_line(paper.short()) if paper is not None else "a paper without a record"


def _text(x: int, y: int, text: str, look: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle"{look}>{escape(clean_line(text))}</text>'


def _cut(text: str, most: int) -> str:
    line = clean_line(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _years(papers: list[Paper | None]) -> Iterator[str]:
    """The year of each paper; the one before it has it already where they are of one year."""
    before = None
    for n, paper in enumerate(papers):
        year = str(paper.year) if paper is not None and paper.year is not None else "no year"
        yield f'<line class="grid" x1="{_x(n)}" y1="34" x2="{_x(n)}" y2="{MIDDLE + 62}"/>'
        if year != before:
            yield _text(_x(n), 24, year, ' class="year"')
        before = year


def _links(slots: list[Slot], papers: list[Paper | None]) -> Iterator[tuple[str, str]]:
    """The link between each two neighbours, and what it says."""
    for n in range(1, len(slots)):
        outer = slots[n] if slots[n].pos > 0 else slots[n - 1]
        why = outer.why
        kind = _KINDS.get(str(why.get("link") or ""), "other")
        verb = {"cites": "cites", "unconfirmed": "is said to cite"}.get(kind, "follows")
        evidence = f" ({clean_line(why['evidence'])})" if why.get("evidence") else ""
        text = f"{_name(papers[n])} {verb} {_name(papers[n - 1])}{evidence}."
        path = f"M {_x(n - 1)} {MIDDLE} L {_x(n)} {MIDDLE}"
        yield f'<path class="{kind}" d="{path}"><title>{escape(text)}</title></path>', text


def _paper(n: int, at: Slot, paper: Paper | None) -> Iterator[str]:
    """A circle that grows with the logarithm of the citations, bold for the anchor and dashed while
    no person has decided."""
    cites = paper.citations.count if paper is not None else None
    radius = 8 + 14 * min(1.0, math.log10((cites or 0) + 1) / 4)
    look = f"paper{' anchor' if at.pos == 0 else ''}{' open' if at.verdict == 'proposed' else ''}"
    known = "citations not known" if cites is None else f"cited {cites:,} times"
    title = clean_line(paper.title) if paper is not None else at.paper or ""
    about = f"{at.address}: {title}, {known}{', the anchor' if at.pos == 0 else ''}"
    yield (
        f'<circle class="{look}" cx="{_x(n)}" cy="{MIDDLE}" r="{radius:.1f}">'
        f"<title>{escape(about)}</title></circle>"
    )
    who = _name(paper).rpartition(" ")[0] or _name(paper)
    who = who if len(who) < 18 else _cut(who.removesuffix(" et al."), 17)
    yield _text(_x(n), MIDDLE + 44, who)
    yield _text(_x(n), MIDDLE + 60, at.address, ' class="small"')


def _idea(n: int, branch: Branch, idea: str) -> Iterator[str]:
    x = _x(n) - 30
    yield f'<path class="leads" d="M {_x(n - 1)} {MIDDLE} L {x} {MIDDLE}"/>' if n else ""
    yield f'<rect class="idea" x="{x}" y="{MIDDLE - 34}" width="{IDEA}" height="68" rx="8"/>'
    first, rest = _halves(idea)
    yield _text(x + IDEA // 2, MIDDLE - 12, f"Idea {branch}", ' class="year"')
    yield _text(x + IDEA // 2, MIDDLE + 8, first)
    yield _text(x + IDEA // 2, MIDDLE + 24, rest)


def _halves(text: str) -> tuple[str, str]:
    """A title on two lines, cut where it is longer."""
    line = clean_line(text)
    at = line.rfind(" ", 0, 29) if len(line) > 28 else len(line)
    at = at if at > 0 else 28
    return line[:at], _cut(line[at:].strip(), 28)


def _legend() -> Iterator[str]:
    for n, (kind, words) in enumerate(LEGEND):
        x = LEFT - 40 + n * 170
        yield f'<path class="{kind}" d="M {x} {HEIGHT - 14} h 36"/>'
        yield f'<text class="small" x="{x + 44}" y="{HEIGHT - 10}">{words}</text>'
