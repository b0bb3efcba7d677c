"""A chain of papers as a picture: years across, and each paper on a line of its own, so that no label
meets another, whatever years and titles there are. The web page and the app draw the same places.

The layout counts in cells from the left, as a terminal does. It knows no session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.derived import parents_of
from coi_tui.model.address import Branch, parse_address, slot, split_ref
from coi_tui.model.content import CardContent, IdeaContent
from coi_tui.model.papers import BY_TOPIC
from coi_tui.model.state import Slot, State
from coi_tui.model.text import clean_line, count, listed

MARKS = {
    "paper anchor": ("◆", "the anchor"),
    "paper anchor open": ("◇", "the anchor, not decided yet"),
    "paper": ("●", "a paper"),
    "paper open": ("○", "a paper not decided yet"),
    "idea": ("▲", "the idea"),
}
"""The sign of each kind of node, and what it means."""
LINES = {
    "cites": ("─", "cites"),
    "unconfirmed": ("╌", "said to cite, unconfirmed"),
    "other": ("┈", "no citation known"),
    "leads": ("━", "what the idea rests on"),
}
"""The stroke of each kind of link, and what it means."""
_LINKS = {
    "cites": ("cites", "cites it"),
    "cites, unconfirmed": ("unconfirmed", "is said to cite it, unconfirmed"),
    BY_TOPIC: ("other", "stands here by topic and year, no link known"),
}
YEAR, GAP = 4, 2


@dataclass(frozen=True)
class Node:
    """A paper of a chain, or the idea at its end: its mark, and the kind of the link from the node
    before with what that says."""

    address: str
    mark: str
    year: int | None
    label: str
    link: str = ""
    says: str = ""


class Span(NamedTuple):
    """Where a text begins, and the cells that it gets."""

    at: int
    room: int


@dataclass(frozen=True)
class Place:
    """Where a node stands, where its label does on the same line, and where the words of its link do
    on the line before it."""

    x: int
    label: Span
    says: Span


# -- the layout


def on_axis(years: Sequence[int | None], width: int) -> list[int]:
    """The cell of each year; where none is known, that of the one before."""
    known = [year for year in years if year is not None]
    first, span = min(known, default=0), max(known, default=0) - min(known, default=0)
    found, at = [], 0
    for year in years:
        if year is not None:
            at = round((year - first) * (width - 1) / span) if span else 0
        found.append(at)
    return found


def ticks(nodes: Sequence[Node], width: int) -> dict[int, tuple[int, str]]:
    """The years of the papers by their cells, with where each is written: first and last, and of the
    others those that have room."""
    every = zip(on_axis([node.year for node in nodes], width), nodes, strict=True)
    years = {x: node.year for x, node in every if node.year and node.mark != "idea"}
    placed: dict[int, tuple[int, str]] = {}
    for x in dict.fromkeys([*sorted(years)[:1], *sorted(years)[-1:], *years]):
        begin = max(0, min(x - 1, width - YEAR))
        free = all(abs(begin - other) > YEAR for other, text in placed.values() if text)
        placed[x] = begin, str(years[x]) if free else ""
    return dict(sorted(placed.items()))


def beside(low: int, high: int, size: int, width: int) -> Span:
    """Where a text stands beside what takes the cells from ``low`` to ``high``: right of it where it
    fits, else where there is more room."""
    left, right = low - GAP + 1, width - high - GAP
    if size <= right or right >= left:
        return Span(high + GAP, min(size, right))
    return Span(max(0, left - size), min(size, left))


def along(low: int, high: int, size: int, width: int) -> Span:
    """Where a text stands that says what a line from ``low`` to ``high`` is: within the line where
    that is long enough, else beside it."""
    inside = high - low - size
    return Span(low + inside // 2, size) if inside > 2 * GAP else beside(low, high, size, width)


def laid_out(nodes: Sequence[Node], width: int, cells: Callable[[str], int] = len) -> list[Place]:
    """The place of each node. ``cells`` measures a text."""
    places: list[Place] = []
    for x, node in zip(on_axis([node.year for node in nodes], width), nodes, strict=True):
        low, high = sorted((places[-1].x if places else x, x))
        label = beside(x, x, cells(node.label), width)
        places.append(Place(x, label, along(low, high, cells(node.says), width)))
    return places


def legend(nodes: Sequence[Node]) -> Mapping[str, str]:
    """What the marks and links that occur mean, by their names."""
    shown = {node.mark for node in nodes} | {node.link for node in nodes}
    return {name: words for name, (_, words) in (MARKS | LINES).items() if name in shown}


# -- what is in it


def chains_behind(state: State, branch: Branch) -> list[Branch]:
    """The branches whose chains an idea goes back to: its own, else those of the ideas that it was
    made from."""
    if state.filled(branch):
        return [branch]
    found = (b for parent in parents_of(state, str(branch)) for b in chains_behind(state, parent))
    return list(dict.fromkeys(found))


def chain_nodes(state: State, branch: Branch) -> list[Node]:
    """The papers of a chain, oldest first, and its idea where there is one, a year after the last
    of them."""
    nodes = list(_papers(state, [state.slot(slot(branch, pos)) for pos in state.chain(branch)]))
    at = f"{branch}/idea"
    if state.in_use(at) is not None:
        title = clean_line(stored(state, at, IdeaContent).title) or "an idea without a title"
        after = max((node.year for node in nodes if node.year), default=0) + 1
        nodes.append(Node(at, "idea", after, f"{at}  {title}", "leads", made_from(state, at)))
    return nodes


def _papers(state: State, slots: Sequence[Slot]) -> Iterator[Node]:
    for before, here in zip([None, *slots], slots, strict=False):
        paper = state.papers.get(here.paper or "")
        known = f"{paper.short()}: {paper.title}" if paper else f"{here.paper}, without a record"
        mark = f"paper{' anchor' * (not here.pos)}{' open' * (here.verdict == 'proposed')}"
        kind = says = ""
        if before is not None:  # the link stands with the paper farther from the anchor
            reason = (here if here.pos > 0 else before).reason
            kind, says = _LINKS.get(reason.link, ("other", "follows it"))
            source = reason.evidence.partition(":")[0]
            says = clean_line(f"{says} ({source})" if source else says)
        label = clean_line(f"{here.address}  {known}")
        yield Node(here.address, mark, paper.year if paper else None, label, kind, says)


def made_from(state: State, address: str) -> str:
    """What a text was made from, in words: the cells it read, and what the cards among them were
    read from."""
    version = state.in_use(address)
    read = dict.fromkeys(split_ref(one)[0] for one in (version.inputs if version else ()))
    cards = [at for at in read if parse_address(at).part == "card"]
    sources = Counter(stored(state, at, CardContent).source or "unknown" for at in cards)
    cells = [at for at in read if at in state.cells and at not in (*cards, "topic")]
    of = ", ".join(f"{source} {number}" for source, number in sources.items())
    told = [f"{count(len(cards), 'card')} (read from: {of})"] if cards else []
    return f"made from {listed([*cells, *told])}" if cells or told else ""
