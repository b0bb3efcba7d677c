"""The session as a picture in data: years across, a lane a branch, papers at their years, and the citations that are known between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coi_tui.model.address import Branch, question_of
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import Slot, State
from coi_tui.model.wording import count

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
    lanes: tuple[tuple[Branch, str], ...]
    columns: tuple[Column, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def node(self, address: str) -> Node | None:
        return next((n for n in self.nodes if n.address == address), None)

    def lane(self, branch: Branch) -> list[Node]:
        """The papers of a branch from left to right."""
        return sorted((n for n in self.nodes if n.branch == branch), key=lambda n: (n.column, n.nth))

    def heading(self, address: str) -> str:
        """One paper in a line: ``1/0 A title (2022)``."""
        n = self.node(address)
        return f"{n.address} {n.title} ({n.year or 'no year'})" if n else ""

    def told(self, address: str) -> str:
        """What there is to say of one paper beside its title, in sentences: only a known citation is called one."""
        n = self.node(address)
        if n is None:
            return ""
        also = [other.address for other in self.nodes if other.paper == n.paper and other.address != address]
        parts = [f"{', '.join(_marks(n))}.", *self._links(address), _listed("The same paper stands at", also)]
        return " ".join(part for part in parts if part)

    def _links(self, address: str) -> list[str]:
        """Which papers it cites, which cite it, and beside which it was placed without a citation."""
        cites: list[str] = []
        cited: list[str] = []
        beside: list[str] = []
        for e in self.edges:
            if address not in (e.later, e.earlier):
                continue
            other = e.earlier if e.later == address else e.later
            if e.kind == PLACED:
                beside.append(_linked(self, other))
            else:
                (cites if e.later == address else cited).append(_linked(self, other, e.kind))
        return [_listed("Cites", cites), _listed("Cited by", cited), _listed("No citation is known; placed by you beside", beside)]


def _marks(n: Node) -> list[str]:
    cited = "Citations not known" if n.cites is None else f"Cited {count(n.cites, 'time')}"
    return [cited, VERDICTS.get(n.verdict, n.verdict), *(["the anchor"] if n.anchor else []), *(["stale"] if n.stale else [])]


def _listed(verb: str, items: list[str]) -> str:
    return f"{verb} {'; '.join(items)}." if items else ""


def _linked(picture: Timeline, address: str, kind: str = CITES) -> str:
    found = picture.node(address)
    return f"{address} {found.name if found else ''}{f' ({kind})' if kind != CITES else ''}"


def _filled(state: State) -> list[tuple[Slot, Paper]]:
    """Every filled slot with its paper, in order of branches and places."""
    slots = (s for branch in state.branches for s in state.filled(branch))
    return [(s, paper) for s in slots if (paper := state.papers.get(s.paper or "")) is not None]


def timeline(state: State, stale: Callable[[str], bool], link: Find) -> Timeline:
    """The picture of a session. ``link`` gives a known link of two paper ids (citing, cited); nothing is asked anywhere."""
    filled = _filled(state)
    years = {paper.year for _, paper in filled}
    columns = _columns(sorted(year for year in years if year is not None), None in years)
    at = {c.year: n for n, c in enumerate(columns) if not c.skipped}
    taken: dict[tuple[Branch, int], int] = {}
    nodes = []
    for s, paper in filled:
        column = at[paper.year]
        nth = taken[(s.branch, column)] = taken.get((s.branch, column), -1) + 1
        nodes.append(Node(s.address, s.branch, s.pos, paper.id, paper.short(), paper.title, paper.year, paper.citations.count, s.verdict,
                          stale(s.address), column, nth))  # fmt: skip
    lanes = tuple((b, str(state.value(f"{question_of(b)}#text") or "no question yet")) for b in state.branches)
    return Timeline(str(state.value("topic#text") or ""), lanes, columns, tuple(nodes), tuple(_edges(nodes, link)))


def _columns(years: list[int], undated: bool) -> tuple[Column, ...]:
    out = [Column(None)] if undated else []
    for n, year in enumerate(years):
        gap = year - years[n - 1] - 1 if n else 0
        out += [Column(None, gap)] if gap > NEAR else [Column(y) for y in range(year - gap, year)]
        out.append(Column(year))
    return tuple(out)


def _edges(nodes: list[Node], link: Find) -> list[Edge]:
    """Every known citation between two slots, and the neighbours of a chain between which none is known."""
    by_place = {(n.branch, n.pos): n for n in nodes}
    out = []
    for later in nodes:
        for earlier in nodes:
            if later.paper == earlier.paper:
                continue
            near = by_place.get((later.branch, later.pos - 1)) is earlier
            kind = _citation(link(later.paper, earlier.paper))
            if kind:
                out.append(Edge(later.address, earlier.address, kind, near))
            elif near:
                out.append(Edge(later.address, earlier.address, PLACED, near))
    return out


def _citation(found: Link | None) -> str:
    """How a link is drawn; empty where it is no citation: a similarity of texts is none."""
    return {"cites": CITES, "cites, unconfirmed": UNCONFIRMED}.get(found.kind, "") if found is not None else ""
