"""The chain of a branch as a picture in text: years across, a line for each paper and one for the
idea, and the links between them; below it the paper under the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from rich.cells import cell_len
from textual.content import Content

from coi_tui.model.address import Branch
from coi_tui.model.text import count
from coi_tui.present.chain_picture import (
    LINES,
    MARKS,
    Node,
    Span,
    chain_nodes,
    laid_out,
    legend,
    ticks,
)
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.sessions import SessionController
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction
from coi_tui.widgets.lines import cut

CORNERS = {"cites": "│", "unconfirmed": "╎", "other": "┊", "leads": "┃"}
"""A link straight down, by its kind."""


class ChainView(SessionListScreen[str, Node]):
    """Gives the address of the row to go to, or None."""

    PLACE = "picture"
    ACTIONS = (
        KeyAction("open", "enter", "go to it", "go to the row of this paper, or of the idea", 1),
        KeyAction("step", "tab", "along", "go along the chain, round and round (also j and k)", 2),
        KeyAction("step_back", "shift+tab", "back along", "go back along the chain"),
        KeyAction("turn", "space,right", "next chain", "the chain of the next branch", 3),
        *LIST_ACTIONS,
    )
    NAMES = ("[1]", "[2] Paper")
    KEY = attrgetter("address")
    ON_ROW = frozenset({"open", "step", "step_back"})
    EMPTY = "This branch has no paper yet."

    def __init__(self, controller: SessionController, chains: Sequence[Branch], at: str) -> None:
        super().__init__(controller, at)
        self.chains = [*chains]

    def take(self) -> None:
        self.items = chain_nodes(self.session.state, self.chains[0])

    def first(self) -> int:
        return self.place_of(self.address) or 0

    def heading(self) -> tuple[str, str]:
        papers = sum(node.mark != "idea" for node in self.items)
        return f"The chain of branch {self.chains[0]}", count(papers, "paper")

    def row_texts(self, width: int) -> list[Content]:
        self.lines.border_title = Content(f" {axis(self.items, width)}")
        return [Content("\n  ".join(lines)) for lines in drawn(self.items, width)]

    def about(self, at: int) -> About:
        node, signs = self.items[at], {**MARKS, **LINES}
        shown = self.session.detail(node.address)
        meant = ", ".join(f"{signs[name][0]} {words}" for name, words in legend(self.items).items())
        return node.address, shown.title, [*shown.parts, ("Signs", meant)]

    # -- actions

    def off_turn(self) -> str:
        return "" if len(self.chains) > 1 else "there is no other chain"

    def do_turn(self) -> None:
        self.chains = [*self.chains[1:], self.chains[0]]
        self.load()

    def do_open(self) -> None:
        self.dismiss(self.here.address)

    def do_step(self) -> None:
        self.lines.action_cursor_down()

    def do_step_back(self) -> None:
        self.lines.action_cursor_up()


# -- the picture; pure


def axis(nodes: Sequence[Node], width: int) -> str:
    """The years, each above its papers."""
    return _line([(at, year) for at, year in ticks(nodes, width).values() if year])


def drawn(nodes: Sequence[Node], width: int) -> Iterator[list[str]]:
    """The lines of each node: itself, and the link of the next one to it."""
    places = laid_out(nodes, width, cell_len)
    for n, (node, place) in enumerate(zip(nodes, places, strict=True)):
        lines = [_line([(place.x, MARKS[node.mark][0]), _words(place.label, node.label)])]
        if n + 1 < len(nodes):
            there, later = places[n + 1], nodes[n + 1]
            words = _words(there.says, later.says)
            lines.append(_line([*_link(later.link, place.x, there.x, there.says), words]))
        yield lines


def _link(kind: str, start: int, end: int, says: Span) -> Iterator[tuple[int, str]]:
    """The stroke of a link; where its words stand within it, what is before and after them."""
    if start == end:
        yield start, CORNERS[kind]
        return
    (low, left), (high, right) = sorted(((start, "╰╯"), (end, "╭╮")))
    stroke = f"{left[0]}{LINES[kind][0] * (high - low - 1)}{right[1]}"
    begin, after = says.at - low - 1, sum(says) - low + 1
    if 0 < begin < len(stroke):
        yield low, stroke[:begin]
        yield low + after, stroke[after:]
    else:
        yield low, stroke


def _words(span: Span, text: str) -> tuple[int, str]:
    return span.at, cut(text, span.room)


def _line(pieces: Sequence[tuple[int, str]]) -> str:
    """Texts, each from its cell on."""
    line = ""
    for at, text in sorted(pieces):
        line += " " * (at - cell_len(line)) + text
    return line
