"""A chain of papers as a picture: years across, and each paper on a line of its own, so that no label
meets another, whatever years and titles there are. The web page and the app draw the same places, in
cells as a terminal counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.derived import parents_of
from coi_tui.model.address import Branch, parse_address, slot, split_ref
from coi_tui.model.content import CardContent, IdeaContent
from coi_tui.model.papers import BY_TOPIC
from coi_tui.model.state import State
from coi_tui.model.text import clean_line, count, listed

MARKS = {
    "anchor": ("◆", "anchor"),
    "open anchor": ("◇", "anchor, undecided"),
    "paper": ("●", "paper"),
    "open paper": ("○", "paper, undecided"),
    "idea": ("▲", "idea"),
}
"""The sign of each kind of node, and what it means."""
STROKES = {"cites": "─", "unconfirmed": "╌", "other": "┈", "idea": "━"}
"""The line of each kind of link; what the link is, its words say."""
_LINKS = {
    "cites": ("cites", "cites it"),
    "cites, unconfirmed": ("unconfirmed", "is said to cite it, unconfirmed"),
    BY_TOPIC: ("other", "by topic and year, no link known"),
}
YEAR, GAP = 4, 2


@dataclass(frozen=True)
class Node:
    """A paper of a chain, or the idea at its end: its mark, and the kind of the link from the node
    before it with the words for that."""

    key: str
    mark: str
    year: int
    label: str
    link: str = ""
    says: str = ""


class Text(NamedTuple):
    """A text of the picture from a cell of a row on; ``look`` says what it is."""

    row: int
    at: int
    text: str
    look: str


class Stroke(NamedTuple):
    """A link across the picture, from below one node to above the next."""

    row: int
    start: int
    end: int
    kind: str


def drawn(nodes: Sequence[Node], width: int) -> tuple[list[Text], list[Stroke]]:
    """The years in row 0, then node after node, each with the row of its link before it."""
    first = min((node.year for node in nodes), default=0)
    span = max((node.year for node in nodes), default=0) - first
    places = [(node.year - first) * (width - 1) // max(1, span) for node in nodes]
    texts, strokes = list[Text](), list[Stroke]()
    for n, (node, x) in enumerate(zip(nodes, places, strict=True)):
        texts += [
            Text(2 * n + 1, x, MARKS[node.mark][0], node.mark),
            _placed(2 * n + 1, x, x, node.label, width, "label"),
        ]
    for n, (before, x) in enumerate(pairwise(places), start=1):
        strokes.append(Stroke(2 * n, before, x, nodes[n].link))
        low, high = sorted((before, x))
        texts.append(_placed(2 * n, low, high, nodes[n].says, width, "says"))
    years = {x: node.year for x, node in zip(places, nodes, strict=True) if node.mark != "idea"}
    taken: list[int] = []
    for x in [*sorted(years)[:1], *sorted(years)[-1:], *years]:
        at = max(0, min(x - 1, width - YEAR))
        if all(abs(at - other) > YEAR for other in taken):
            taken.append(at)
            texts.append(Text(0, at, str(years[x]), "year"))
    return texts, strokes


def _placed(row: int, low: int, high: int, text: str, width: int, look: str) -> Text:
    """A text about what takes the cells from ``low`` to ``high``: within it where that is long
    enough, right of it where that has room, else where there is more of it."""
    size, left, right = cell_len(text), low - GAP + 1, width - high - GAP
    if (inside := high - low - size) > 2 * GAP:
        return Text(row, low + inside // 2, text, look)
    room = right if size <= right or right >= left else left
    if size > room:
        text = set_cell_size(text, max(0, room - 1)).rstrip() + "…"
    return Text(row, high + GAP if room == right else left - cell_len(text), text, look)


def legend(nodes: Sequence[Node]) -> str:
    """What the signs that occur mean."""
    marks = {node.mark for node in nodes}
    return "   ".join(f"{sign} {words}" for name, (sign, words) in MARKS.items() if name in marks)


# -- what is in it


def chains_behind(state: State, branch: Branch) -> list[Branch]:
    """The branches whose chains an idea goes back to: its own, else those of the ideas that it was
    made from."""
    if state.filled(branch):
        return [branch]
    found = (b for parent in parents_of(state, str(branch)) for b in chains_behind(state, parent))
    return list(dict.fromkeys(found))


def chain_nodes(state: State, branch: Branch) -> Iterator[Node]:
    """The papers of a chain, oldest first, and its idea where there is one, a year after the last
    of them. A paper without a year stands where the one before it does."""
    slots = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    known = [p.year for at in slots if (p := state.papers.get(at.paper or "")) and p.year]
    year, after = min(known, default=0), max(known, default=0) + 1
    for before, here in zip([None, *slots], slots, strict=False):
        paper, kind, says = state.papers.get(here.paper or ""), "", ""
        year = paper.year if paper and paper.year else year
        if before is not None:  # the link stands with the paper farther from the anchor
            reason = (here if here.pos > 0 else before).reason
            kind, says = _LINKS.get(reason.link, ("other", "follows it"))
            says += f" ({reason.evidence.partition(':')[0]})" if reason.evidence else ""
        known_as = f"{paper.short()}: {paper.title}" if paper else f"{here.paper}, no record"
        mark = "paper" if here.pos else "anchor"
        mark = f"open {mark}" if here.verdict == "proposed" else mark
        label = clean_line(f"{here.address} {known_as}")
        yield Node(here.address, mark, year, label, kind, clean_line(says))
    at = f"{branch}/idea"
    if state.in_use(at) is not None:
        title = clean_line(f"{at} {stored(state, at, IdeaContent).title}")
        yield Node(at, "idea", after, title, "idea", made_from(state, at))


def made_from(state: State, address: str) -> str:
    """The cells that a text was made from, the cards by what they were read from."""
    version = state.in_use(address)
    read = dict.fromkeys(split_ref(one)[0] for one in (version.inputs if version else ()))
    cells = {at: parse_address(at).part for at in read if at in state.cells and at != "topic"}
    cards = Counter(stored(state, at, CardContent).source for at in cells if cells[at] == "card")
    told = [at for at in cells if cells[at] != "card"]
    told += [f"{count(number, 'card')} ({source})" for source, number in cards.items()]
    return f"made from {listed(told)}" if told else ""
