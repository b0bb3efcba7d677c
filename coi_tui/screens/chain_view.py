"""The chain of a branch as a picture in text: years across, a line for each paper and one for the
idea, and the links between them; below it the paper under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from coi_tui.model.address import branch_of
from coi_tui.present.chain_picture import (
    LEGEND,
    OTHER,
    STROKES,
    Node,
    chain_nodes,
    chains_behind,
    drawn,
)
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction


class ChainView(SessionListScreen[str, Node]):
    """Gives the address of the row to go to, or None."""

    PLACE = "picture"
    ACTIONS = (
        KeyAction("open", "enter", "go to it", "go to the row of this paper, or of the idea", 1),
        KeyAction("step", "tab", "along", "go along the chain, round and round (also j and k)", 2),
        *LIST_ACTIONS,
    )
    NAMES = ("[1]", "[2] Paper")
    ON_ROW = frozenset({"open"})

    def take(self) -> None:
        state = self.state
        behind = chains_behind(state, branch_of(self.address))[:1]
        self.items = [node for branch in behind for node in chain_nodes(state, branch)]

    def first(self) -> int:
        return self.place_of(self.address) or 0

    def heading(self) -> tuple[str, str]:
        return f"The chain behind {self.address}", LEGEND

    def row_texts(self, width: int) -> list[Content]:
        lines = in_lines(self.items, width) if self.items else [""]
        self.lines.border_title = Content(f" {lines[0]}")
        nodes = range(1, len(lines), 2)
        return [Content("\n  ".join(lines[row : row + 2])) for row in nodes]

    def about(self, at: int) -> About:
        about = self.session.detail(self.items[at].key)
        return about.address, about.title, about.parts

    def do_open(self) -> None:
        self.dismiss(self.here.key)

    def do_step(self) -> None:
        self.lines.action_cursor_down()


def in_lines(nodes: Sequence[Node], width: int) -> list[str]:
    """The picture in lines of text: the years, then each node, with the link of the next one to it
    between the two."""
    texts, strokes = drawn(nodes, width)
    lines = [""] * 2 * len(nodes)
    for row, start, end, kind in strokes:
        across = STROKES.get(kind, OTHER) * (abs(end - start) - 1)
        across = f"╰{across}╮" if start < end else f"╭{across}╯"
        lines[row] = " " * min(start, end) + (across if start != end else "│")
    for row, at, text, _ in sorted(texts, reverse=True):
        line = lines[row]
        lines[row] = f"{line[:at]:{at}}{text}{line[at + cell_len(text) :]}"
    return [line.rstrip() for line in lines]
