"""The chain of a branch as a picture in text: years across, a line for each paper and one for the
idea, and the links between them; below it the paper under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from coi_tui.model.address import Branch
from coi_tui.present.chain_picture import STROKES, Node, Stroke, chain_nodes, drawn, legend
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.sessions import SessionController
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

    def __init__(self, controller: SessionController, branch: Branch, at: str) -> None:
        super().__init__(controller, at)
        self.branch = branch

    def take(self) -> None:
        self.items = [*chain_nodes(self.session.state, self.branch)]

    def first(self) -> int:
        return self.place_of(self.address) or 0

    def heading(self) -> tuple[str, str]:
        return f"The chain of branch {self.branch}", legend(self.items)

    def row_texts(self, width: int) -> list[Content]:
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
    lines = [""] * 2 * max(1, len(nodes))
    for stroke in strokes:
        lines[stroke.row] = " " * min(stroke[1:3]) + _line(stroke)
    for row, at, text, look in sorted(texts, reverse=True):
        line, pad = lines[row], int(look == "says" and at > 0)
        at, text = at - pad, f"{' ' * pad}{text}{' ' * pad}"
        lines[row] = f"{line[:at]:{at}}{text}{line[at + cell_len(text) :]}"
    return [line.rstrip() for line in lines]


def _line(stroke: Stroke) -> str:
    """From below the node above to above the node below."""
    _, start, end, kind = stroke
    if start == end:
        return "│"
    across = STROKES[kind] * (abs(end - start) - 1)
    return f"╰{across}╮" if start < end else f"╭{across}╯"
