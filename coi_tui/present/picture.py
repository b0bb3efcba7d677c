"""A chain of papers as a picture in SVG: years across, papers as circles, the links between them
with their evidence, and the idea at the end."""

from __future__ import annotations

import textwrap
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
_LINKS = {"cites": ("cites", "cites"), "cites, unconfirmed": ("unconfirmed", "is said to cite")}
"""The class of a link, and its verb."""


def chain_svg(state: State, branch: Branch, idea: str) -> str:
    """The picture of one chain; the page that it is part of gives the classes their colours."""
    slots = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    papers = [state.papers.get(at.paper or "") for at in slots]
    width, links = LEFT + STEP * max(len(slots), 3) + IDEA, list(_links(slots, papers))
    title = escape(f"The chain of papers that leads to idea {branch}: {clean_line(idea)}")
    about = escape(" ".join(text for _, text in links) or "It has one paper.")
    return "\n".join(
        [
            f'<svg class="chain" viewBox="0 0 {width} {HEIGHT}" width="{width}" role="img" '
            f'aria-label="{title}">',
            f"<title>{title}</title><desc>{about}</desc>",
            *(line for line, _ in links),
            *_idea(_x(len(slots)) - 30, branch, idea),
            *(line for n, at in enumerate(slots) for line in _paper(_x(n), at, papers[n])),
            *_legend(),
            "</svg>",
        ]
    )


def _x(n: int) -> int:
    return LEFT + n * STEP


def _text(x: int, y: int, text: str, look: str = "") -> str:
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="middle">{escape(clean_line(text))}</text>'


def _links(slots: list[Slot], papers: list[Paper | None]) -> Iterator[tuple[str, str]]:
    """The link between each two neighbours, and what it says."""
    names = [paper.short() if paper is not None else "a paper without a record" for paper in papers]
    for n in range(1, len(slots)):
        outer = slots[n] if slots[n].pos > 0 else slots[n - 1]
        kind, verb = _LINKS.get(outer.reason.link, ("other", "follows"))
        evidence = f" ({outer.reason.evidence})" if outer.reason.evidence else ""
        text = clean_line(f"{names[n]} {verb} {names[n - 1]}{evidence}.")
        path = f"M {_x(n - 1)} {MIDDLE} L {_x(n)} {MIDDLE}"
        yield f'<path class="{kind}" d="{path}"><title>{escape(text)}</title></path>', text


def _paper(x: int, at: Slot, paper: Paper | None) -> Iterator[str]:
    """A circle, bold for the anchor and dashed while no person has decided."""
    look = f"paper{' anchor' if at.pos == 0 else ''}{' open' if at.verdict == 'proposed' else ''}"
    about = clean_line(f"{at.address}: {paper.title if paper is not None else at.paper}")
    yield (
        f'<circle class="{look}" cx="{x}" cy="{MIDDLE}" r="16"><title>{escape(about)}</title></circle>'
    )
    if paper is not None:
        yield _text(x, 24, str(paper.year or "no year"), "year")
        yield _text(x, MIDDLE + 44, textwrap.shorten(paper.short(), 18, placeholder="…"))
    yield _text(x, MIDDLE + 60, at.address, "small")


def _idea(x: int, branch: Branch, idea: str) -> Iterator[str]:
    yield f'<path class="leads" d="M {x - STEP + 30} {MIDDLE} L {x} {MIDDLE}"/>'
    yield f'<rect class="idea" x="{x}" y="{MIDDLE - 34}" width="{IDEA}" height="68" rx="8"/>'
    yield _text(x + IDEA // 2, MIDDLE - 12, f"Idea {branch}", "year")
    lines = textwrap.wrap(clean_line(idea), 28, max_lines=2, placeholder="…")
    for n, line in enumerate(lines):
        yield _text(x + IDEA // 2, MIDDLE + 8 + 16 * n, line)


def _legend() -> Iterator[str]:
    for n, (kind, words) in enumerate(LEGEND):
        x = LEFT - 40 + n * 170
        yield f'<path class="{kind}" d="M {x} {HEIGHT - 14} h 36"/>'
        yield f'<text class="small" x="{x + 44}" y="{HEIGHT - 10}">{words}</text>'
