"""The session as a picture: years across, a lane a branch, papers at their years, and the citations
that are known between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from coi_tui.model.address import Branch, question_of, slot
from coi_tui.model.papers import Link
from coi_tui.model.state import State
from coi_tui.present.timeline_svg import Curve, Dot, TimelineDrawing

Find = Callable[[str, str], Link | None]
NEAR = 3
"""Years without a paper that still get a column each; a longer gap becomes one break."""
CITES, UNCONFIRMED, PLACED = "cites", "unconfirmed", "placed by you"
_KINDS = {"cites": CITES, "cites, unconfirmed": UNCONFIRMED}
"""How a link is drawn; a similarity of texts is no citation."""


def timeline(state: State, stale: Callable[[str], bool], link: Find) -> TimelineDrawing:
    """The picture of a session. ``link`` gives a known link of two paper ids (citing, cited);
    nothing is asked anywhere."""
    filled = [
        (held, paper)
        for branch in state.branches
        for held in state.filled(branch)
        if (paper := state.papers.get(held.paper or "")) is not None
    ]
    years = {paper.year for _, paper in filled}
    columns = _columns(sorted(year for year in years if year is not None), None in years)
    lanes = list(state.branches)
    taken: dict[tuple[Branch, int], int] = {}
    dots = []
    for held, paper in filled:
        column = columns.index(_label(paper.year))
        nth = taken[held.branch, column] = taken.get((held.branch, column), -1) + 1
        name = paper.short().removesuffix(f" {paper.year}").removesuffix(" n.d.")
        dots.append(
            Dot(
                held.address,
                lanes.index(held.branch),
                column,
                nth,
                name,
                paper.title,
                paper.citations.count,
                held.pos == 0,
                held.verdict != "proposed",
                stale(held.address),
            )
        )
    questions = (str(state.value(f"{question_of(b)}#text") or "no question yet") for b in lanes)
    return TimelineDrawing(
        str(state.value("topic#text") or ""),
        tuple(columns),
        tuple(zip(lanes, questions, strict=True)),
        tuple(dots),
        tuple(_curves([(h.address, slot(h.branch, h.pos - 1), p.id) for h, p in filled], link)),
    )


def _label(year: int | None) -> str:
    return str(year) if year is not None else "no year"


def _columns(years: Sequence[int], undated: bool) -> list[str]:
    """The labels of the columns: papers without a year come first; ``//`` is a longer gap."""
    out = [_label(None)] if undated else []
    for n, year in enumerate(years):
        gap = year - years[n - 1] - 1 if n else 0
        out += ["//"] if gap > NEAR else [_label(y) for y in range(year - gap, year)]
        out.append(_label(year))
    return out


def _curves(places: Sequence[tuple[str, str, str]], link: Find) -> Iterator[Curve]:
    """Every known citation between two slots, and the neighbours of a chain between which none is
    known. ``places``: a slot, the one before it in its chain, its paper."""
    for later, before, citing in places:
        for earlier, _, cited in places:
            if citing == cited:
                continue
            known = link(citing, cited)
            kind = _KINDS.get(known.kind, "") if known is not None else ""
            if kind or earlier == before:
                yield Curve(later, earlier, kind or PLACED)
