"""The session as a picture in data: years across, a lane a branch, papers at their years, and the citations that are known between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coi_tui.model.address import place
from coi_tui.model.papers import Link
from coi_tui.model.state import State

Find = Callable[[str, str], Link | None]
NEAR = 3
"""Years without a paper that still get a column each; a longer gap becomes one break."""
SIZES = ((500, "@"), (50, "O"), (0, "o"))
"""Marks by the number of citations from which they stand; ``.`` where none is known."""
VERDICTS = {"proposed": "undecided"}
CITES, UNCONFIRMED, PLACED = "cites", "unconfirmed", "placed by you"


@dataclass(frozen=True)
class Node:
    """A paper in a slot. ``column`` numbers the columns of the picture, ``nth`` the papers of one lane in one column."""

    address: str
    branch: int
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
    def mark(self) -> str:
        """``o`` ``O`` ``@`` by citations, ``.`` where their number is not known."""
        cites = self.cites
        return "." if cites is None else next(sign for least, sign in SIZES if cites >= least)


@dataclass(frozen=True)
class Edge:
    """A link between two nodes, by their addresses: ``later`` cites ``earlier``, or was placed beside it by the person."""

    later: str
    earlier: str
    kind: str
    within: bool
    """True between neighbours of one chain."""


@dataclass(frozen=True)
class Column:
    """A year; None for papers without one (the first column) or, with ``skipped``, for a gap of so many years."""

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
    lanes: tuple[tuple[int, str], ...]
    columns: tuple[Column, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def node(self, address: str) -> Node | None:
        return next((n for n in self.nodes if n.address == address), None)

    def lane(self, branch: int) -> list[Node]:
        """The papers of a branch from left to right."""
        return sorted((n for n in self.nodes if n.branch == branch), key=lambda n: (n.column, n.nth))

    def told(self, address: str) -> str:
        """What there is to say of one paper, in sentences."""
        n = self.node(address)
        if n is None:
            return ""
        cited = "citations not known" if n.cites is None else f"cited {n.cites} times"
        first = (
            f"{n.address} {n.title} ({n.year or 'no year'}), {cited}, {VERDICTS.get(n.verdict, n.verdict)}{', stale' if n.stale else ''}."
        )
        out = [f"{e.earlier} {_name(self, e.earlier)}{_how(e.kind)}" for e in self.edges if e.later == address]
        into = [f"{e.later} {_name(self, e.later)}{_how(e.kind)}" for e in self.edges if e.earlier == address]
        second = f" Cites {'; '.join(out)}." if out else ""
        return first + second + (f" Cited by {'; '.join(into)}." if into else "")


def _name(picture: Timeline, address: str) -> str:
    found = picture.node(address)
    return found.name if found else ""


def _how(kind: str) -> str:
    return "" if kind == CITES else f" ({kind})"


def timeline(state: State, stale: Callable[[str], bool], link: Find) -> Timeline:
    """The picture of a session. ``link`` gives a known link of two paper ids (citing, cited); nothing is asked anywhere."""
    filled = [s for branch in state.branches for s in state.filled(branch) if s.paper in state.papers]
    years = sorted({y for s in filled if (y := state.papers[s.paper or ""].year) is not None})
    columns = _columns(years, any(state.papers[s.paper or ""].year is None for s in filled))
    at = {c.year: n for n, c in enumerate(columns) if not c.skipped}
    taken: dict[tuple[int, int], int] = {}
    nodes = []
    for s in filled:
        paper = state.papers[s.paper or ""]
        column = at[paper.year]
        nth = taken[(s.branch, column)] = taken.get((s.branch, column), -1) + 1
        nodes.append(Node(s.address, s.branch, s.pos, paper.id, paper.short(), paper.title, paper.year, paper.citations.count, s.verdict,
                          stale(s.address), column, nth))  # fmt: skip
    lanes = tuple((b, str(state.value(f"Q{b}#text") or "no question yet")) for b in state.branches)
    return Timeline(str(state.value("topic#text") or ""), lanes, columns, tuple(nodes), tuple(_edges(nodes, link)))


def _columns(years: list[int], undated: bool) -> tuple[Column, ...]:
    out = [Column(None)] if undated else []
    for n, year in enumerate(years):
        gap = year - years[n - 1] - 1 if n else 0
        out += [Column(None, gap)] if gap > NEAR else [Column(y) for y in range(year - gap, year)]
        out.append(Column(year))
    return tuple(out)


def _edges(nodes: list[Node], link: Find) -> list[Edge]:
    out = []
    by_place = {(n.branch, n.pos): n for n in nodes}
    for later in nodes:
        for earlier in nodes:
            if later.paper == earlier.paper or later.address == earlier.address:
                continue
            near = by_place.get((later.branch, later.pos - 1)) is earlier
            found = link(later.paper, earlier.paper)
            if found is not None and (near or later.branch != earlier.branch or later.pos > earlier.pos):
                out.append(Edge(later.address, earlier.address, CITES if found.kind == "cites" else UNCONFIRMED, near))
            elif near:
                out.append(Edge(later.address, earlier.address, PLACED, near))
    return out


def place_name(node: Node) -> str:
    """``-1``, ``0``, ``+2``."""
    return place(node.pos)
