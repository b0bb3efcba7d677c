"""The session as a picture in data: years across, a lane a branch, papers at their years, and the
citations that are known between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coi_tui.model.address import Branch, question_of
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import Slot, State

Find = Callable[[str, str], Link | None]
NEAR = 3
"""Years without a paper that still get a column each; a longer gap becomes one break."""
CITES, UNCONFIRMED, PLACED = "cites", "unconfirmed", "placed by you"


@dataclass(frozen=True)
class Node:
    """A paper in a slot. ``column`` numbers the columns of the picture, ``nth`` the papers of one
    lane in one column."""

    address: str
    branch: Branch
    pos: int
    paper: str
    name: str
    title: str
    year: int | None
    cites: int | None
    verdict: str
    stale: bool
    column: int
    nth: int

    @property
    def anchor(self) -> bool:
        return self.pos == 0

    @property
    def surname(self) -> str:
        """The name without the year, which stands above."""
        return self.name.removesuffix(f" {self.year}").removesuffix(" n.d.")


@dataclass(frozen=True)
class Edge:
    """A link between two nodes, by their addresses: ``later`` cites ``earlier``, or was placed
    beside it by the person."""

    later: str
    earlier: str
    kind: str


@dataclass(frozen=True)
class Column:
    """A year; None for papers without one (the first column) or, with ``skipped``, for a gap of so
    many years."""

    year: int | None
    skipped: int = 0

    @property
    def label(self) -> str:
        if self.skipped:
            return "//"
        return str(self.year) if self.year is not None else "no year"


@dataclass(frozen=True)
class Timeline:
    """Everything that is drawn; in order of branches, and in each of places."""

    topic: str
    lanes: tuple[tuple[Branch, str], ...]
    columns: tuple[Column, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def _filled(state: State) -> list[tuple[Slot, Paper]]:
    """Every filled slot with its paper, in order of branches and places."""
    slots = (s for branch in state.branches for s in state.filled(branch))
    return [(s, paper) for s in slots if (paper := state.papers.get(s.paper or "")) is not None]


def timeline(state: State, stale: Callable[[str], bool], link: Find) -> Timeline:
    """The picture of a session. ``link`` gives a known link of two paper ids (citing, cited);
    nothing is asked anywhere."""
    filled = _filled(state)
    years = {paper.year for _, paper in filled}
    columns = _columns(sorted(year for year in years if year is not None), None in years)
    at = {c.year: n for n, c in enumerate(columns) if not c.skipped}
    taken: dict[tuple[Branch, int], int] = {}
    nodes = []
    for s, paper in filled:
        column = at[paper.year]
        nth = taken[(s.branch, column)] = taken.get((s.branch, column), -1) + 1
        nodes.append(
            Node(
                s.address,
                s.branch,
                s.pos,
                paper.id,
                paper.short(),
                paper.title,
                paper.year,
                paper.citations.count,
                s.verdict,
                stale(s.address),
                column,
                nth,
            )
        )
    lanes = tuple(
        (b, str(state.value(f"{question_of(b)}#text") or "no question yet")) for b in state.branches
    )
    return Timeline(
        str(state.value("topic#text") or ""),
        lanes,
        columns,
        tuple(nodes),
        tuple(_edges(nodes, link)),
    )


def _columns(years: list[int], undated: bool) -> tuple[Column, ...]:
    out = [Column(None)] if undated else []
    for n, year in enumerate(years):
        gap = year - years[n - 1] - 1 if n else 0
        out += [Column(None, gap)] if gap > NEAR else [Column(y) for y in range(year - gap, year)]
        out.append(Column(year))
    return tuple(out)


def _edges(nodes: list[Node], link: Find) -> list[Edge]:
    """Every known citation between two slots, and the neighbours of a chain between which none is
    known."""
    by_place = {(n.branch, n.pos): n for n in nodes}
    out = []
    for later in nodes:
        for earlier in nodes:
            if later.paper == earlier.paper:
                continue
            kind = _citation(link(later.paper, earlier.paper))
            if kind or by_place.get((later.branch, later.pos - 1)) is earlier:
                out.append(Edge(later.address, earlier.address, kind or PLACED))
    return out


def _citation(found: Link | None) -> str:
    """How a link is drawn; empty where it is no citation: a similarity of texts is none."""
    return (
        {"cites": CITES, "cites, unconfirmed": UNCONFIRMED}.get(found.kind, "")
        if found is not None
        else ""
    )
