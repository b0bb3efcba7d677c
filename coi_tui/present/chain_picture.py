"""A chain of papers as a picture: years across, and each paper on a line of its own, so that no label
meets another, whatever years and titles there are. The web page and the app draw the same places, in
cells as a terminal counts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import SUMMARY, Slot
from coi_tui.methods.derived import parents_of
from coi_tui.model.address import Branch, attached_to, cell_at
from coi_tui.model.content import CardContent, IdeaContent
from coi_tui.model.state import State
from coi_tui.model.text import clean_line

MARKS = {"anchor": "◆", "open anchor": "◇", "paper": "●", "open paper": "○", "idea": "▲"}
"""The sign of each kind of node."""
LEGEND = "◆ anchor  ● paper  ◇ ○ undecided  ▲ idea"
STROKES = {"cites": "─", "cites, unconfirmed": "╌", "rests": "━"}
"""The line of each kind of link, as chains name them; of any other ``OTHER``."""
OTHER = "┈"
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


Text = tuple[int, int, str, str]
"""A text of the picture: its row, the cell from which on it stands, and what it is."""
Stroke = tuple[int, int, int, str]
"""A link: its row, the cell below which it begins, the one above which it ends, and its kind."""


def drawn(nodes: Sequence[Node], width: int) -> tuple[list[Text], list[Stroke]]:
    """The years in row 0, then node after node, each with the row of its link before it."""
    first, last = min(node.year for node in nodes), max(node.year for node in nodes)
    places = [(node.year - first) * (width - 1) // max(1, last - first) for node in nodes]
    texts, strokes, free = list[Text](), list[Stroke](), 0
    for n, (node, x) in enumerate(zip(nodes, places, strict=True)):
        texts.append((2 * n + 1, x, MARKS[node.mark], node.mark))
        texts.append((2 * n + 1, *_placed(x, x, node.label, width), "label"))
        if n:
            low, high = sorted(places[n - 1 : n + 1])
            strokes.append((2 * n, places[n - 1], x, node.link))
            texts.append((2 * n, *_placed(low, high, node.says, width), "says"))
    for x, node in sorted(zip(places, nodes, strict=True)):
        at = min(max(0, x - 1), width - YEAR)
        if at >= free and node.mark != "idea":
            texts.append((0, at, str(node.year), "year"))
            free = at + YEAR + 1
    return texts, strokes


def _placed(low: int, high: int, text: str, width: int) -> tuple[int, str]:
    """Where a text stands about what takes the cells from ``low`` to ``high``: within it, between
    blanks, where that is long enough, right of it where that has room, else where there is more of
    it."""
    size, left, right = cell_len(text), low - GAP + 1, width - high - GAP
    if (inside := high - low - size) > 2 * GAP:
        return low + inside // 2 - 1, f" {text} "
    room = right if size <= right or right >= left else left
    if size > room:
        text = set_cell_size(text, max(0, room - 1)).rstrip() + "…"
    return high + GAP if room == right else left - cell_len(text), text


# -- what is in it


def chains_behind(state: State, branch: Branch) -> list[Branch]:
    """The branches whose chains an idea goes back to: its own, else those of the ideas that it was
    made from."""
    if not branch or Chains.of(state).filled(branch):
        return [branch] if branch else []
    found = (b for parent in parents_of(state, str(branch)) for b in chains_behind(state, parent))
    return list(dict.fromkeys(found))


def _link(before: Slot | None, here: Slot) -> tuple[str, str]:
    """The kind of the link between neighbours, and the kind with its source; it stands with the paper
    farther from the anchor. Empty before the first paper."""
    if before is None:
        return "", ""
    reason = (here if here.pos > 0 else before).reason
    kind = reason.link or "no link known"
    return kind, kind + (f" ({reason.evidence.partition(':')[0]})" if reason.evidence else "")


def chain_nodes(state: State, branch: Branch) -> Iterator[Node]:
    """The papers of a chain, oldest first, and its idea where there is one, a year after the last
    of them. A paper without a year stands where the one before it does."""
    slots = Chains.of(state).in_chain(branch)
    papers = [state.papers.get(here.paper or "") for here in slots]
    year, sources = next((paper.year for paper in papers if paper and paper.year), 0), list[str]()
    for before, here, paper in zip([None, *slots], slots, papers, strict=False):
        kind, says = _link(before, here)
        year = paper.year or year if paper else year
        name = f"{paper.short()}: {paper.title}" if paper else f"{here.paper}"
        mark = f"{'open ' * (here.verdict == 'proposed')}{'paper' if here.pos else 'anchor'}"
        label = clean_line(f"{here.address} {name}")
        sources.append(stored(state, attached_to(here.address, SUMMARY), CardContent).source)
        yield Node(here.address, mark, year, label, kind, clean_line(says))
    at = cell_at(branch, "idea")
    if state.in_use(at):
        title = clean_line(f"{at} {stored(state, at, IdeaContent).title}")
        read = ", ".join(dict.fromkeys(filter(None, sources))) or "nothing yet"
        yield Node(at, "idea", year + 1, title, "rests", f"rests on what was read of them: {read}")
