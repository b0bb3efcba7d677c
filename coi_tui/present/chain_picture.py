"""A chain of papers as a picture: years across, and each paper on a line of its own, so that no label
meets another, whatever years and titles there are. The web page and the app draw the same places, in
cells as a terminal counts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.derived import parents_of
from coi_tui.model.address import SUMMARY, Branch, slot, split_ref
from coi_tui.model.content import CardContent, IdeaContent
from coi_tui.model.papers import BY_TOPIC
from coi_tui.model.state import State
from coi_tui.model.text import clean_line, count

MARKS = {"anchor": "◆", "open anchor": "◇", "paper": "●", "open paper": "○", "idea": "▲"}
"""The sign of each kind of node."""
LEGEND = "◆ anchor  ● paper  ◇ ○ undecided  ▲ idea"
STROKES = {"cites": "─", "unconfirmed": "╌", "other": "┈", "idea": "━"}
"""The line of each kind of link; what the link is, its words say."""
_LINKS = {
    "cites": ("cites", "cites it"),
    "cites, unconfirmed": ("unconfirmed", "is said to cite it, unconfirmed"),
    BY_TOPIC: ("other", "by topic and year, no link known"),
}
YEAR, GAP = 4, 2


class Node(NamedTuple):
    """A paper of a chain, or the idea at its end, under its address: its mark, and the kind of the
    link from the node before it with the words for that."""

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


Stroke = tuple[int, int, int, str]
"""A link: its row, the cell below which it begins, the one above which it ends, and its kind."""


def drawn(nodes: Sequence[Node], width: int) -> tuple[list[Text], list[Stroke]]:
    """The years in row 0, then node after node, each with the row of its link before it."""
    years = [node.year for node in nodes]
    first, span = min(years), max(1, max(years) - min(years))
    places = [(year - first) * (width - 1) // span for year in years]
    texts, strokes = list[Text](), list[Stroke]()
    for row, node, x in zip(range(1, 2 * len(nodes), 2), nodes, places, strict=True):
        texts.append(Text(row, x, MARKS[node.mark], node.mark))
        texts.append(_placed(row, x, x, node.label, width, "label"))
    for n, (x, end) in enumerate(pairwise(places), start=1):
        strokes.append((2 * n, x, end, nodes[n].link))
        texts.append(_placed(2 * n, min(x, end), max(x, end), nodes[n].says, width, "says"))
    free = 0
    for x, node in sorted(zip(places, nodes, strict=True)):
        if (at := min(max(free, x - 1), width - YEAR)) <= x and at >= free and node.mark != "idea":
            texts.append(Text(0, at, str(node.year), "year"))
            free = at + YEAR + 1
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


# -- what is in it


def chains_behind(state: State, branch: Branch) -> list[Branch]:
    """The branches whose chains an idea goes back to: its own, else those of the ideas that it was
    made from."""
    if not branch or state.filled(branch):
        return [branch] if branch else []
    found = (b for parent in parents_of(state, str(branch)) for b in chains_behind(state, parent))
    return list(dict.fromkeys(found))


def chain_nodes(state: State, branch: Branch) -> Iterator[Node]:
    """The papers of a chain, oldest first, and its idea where there is one, a year after the last
    of them. A paper without a year stands where the one before it does."""
    slots = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    papers = [state.papers.get(here.paper or "") for here in slots]
    year = next((paper.year for paper in papers if paper and paper.year), 0)
    for before, here, paper in zip([None, *slots], slots, papers, strict=False):
        kind = says = ""
        if before is not None:  # the link stands with the paper farther from the anchor
            reason = (here if here.pos > 0 else before).reason
            kind, says = _LINKS.get(reason.link, ("other", "follows it"))
            says += f" ({reason.evidence.partition(':')[0]})" if reason.evidence else ""
        year = paper.year or year if paper else year
        name = f"{paper.short()}: {paper.title}" if paper else f"{here.paper}"
        mark = f"{'open ' * (here.verdict == 'proposed')}{'paper' if here.pos else 'anchor'}"
        label = clean_line(f"{here.address} {name}")
        yield Node(here.address, mark, year, label, kind, clean_line(says))
    at = f"{branch}/idea"
    if (version := state.in_use(at)) is not None:
        read = dict.fromkeys(split_ref(one)[0] for one in version.inputs)
        cards = [stored(state, one, CardContent) for one in read if one.endswith(f".{SUMMARY}")]
        sources = ", ".join(dict.fromkeys(card.source for card in cards))
        says = f"rests on {count(len(cards), 'card')} ({sources})" if cards else "leads to it"
        title = clean_line(f"{at} {stored(state, at, IdeaContent).title}")
        yield Node(at, "idea", year + 1, title, "idea", says)
