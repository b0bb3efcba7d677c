"""The chain of a branch as a picture in text: years across, a line for each paper and one for the
idea, and the links between them; below it the paper under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from coi_tui.model.address import branch_of
from coi_tui.present.chain_picture import LEGEND, STROKES, Node, chain_nodes, chains_behind, drawn
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
        state = self.session.state
        behind = chains_behind(state, branch_of(self.address))[:1]
        self.items = [node for branch in behind for node in chain_nodes(state, branch)]

    def first(self) -> int:
        return self.place_of(self.address) or 0

    def heading(self) -> tuple[str, str]:
        return f"The chain behind {self.address}", LEGEND

    def row_texts(self, width: int) -> list[Content]:
        if not self.items:
            return []
        years, *rows = in_lines(self.items, width)
        self.lines.border_title = Content(f" {years}")
        pairs = zip(rows[::2], [*rows[1::2], ""], strict=True)
        return [Content("\n  ".join(filter(None, pair))) for pair in pairs]

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
        across = STROKES[kind] * (abs(end - start) - 1)
        ways = {-1: f"╭{across}╯", 0: "│", 1: f"╰{across}╮"}
        lines[row] = " " * min(start, end) + ways[(end > start) - (end < start)]
    for row, at, text, look in sorted(texts, reverse=True):
        line, pad = lines[row], int(look == "says" and at > 0)
        at, text = at - pad, f"{' ' * pad}{text}{' ' * pad}"
        lines[row] = f"{line[:at]:{at}}{text}{line[at + cell_len(text) :]}"
    return [line.rstrip() for line in lines]
