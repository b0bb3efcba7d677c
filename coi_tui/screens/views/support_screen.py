"""The sentences of a text about earlier work, each with the passage of a paper that it stands on, or that it stands on none."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.support import SupportLine
from coi_tui.widgets.formatting import cut
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, MAKE, KeyAction

SUPPORT_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "go to the paper", "go to the row of the paper that the passage is of", LOOK, 1),
    KeyAction("edit", "e", "e", "edit the text", "edit the text in which the sentence stands", MAKE, 2),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back to the row", DECIDE, 9),
)
EDIT = "edit"
"""What is given where the text is to be edited."""


class SupportScreen(Listing[str, SupportLine]):
    """Gives the row of a paper to go to, ``EDIT``, or None."""

    PLACE = "support"
    CSS_PATH = "support_screen.tcss"
    ACTIONS = SUPPORT_ACTIONS
    NAMES = ("[1] Sentences about earlier work", "[2] What it stands on")
    EMPTY = "No sentence of this text is about earlier work."
    ON_ROW, NO_ROW = frozenset({"choose"}), "there is no sentence"

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address = address

    def keys(self) -> Sequence[str]:
        return [line.sentence for line in self.items]

    def take(self) -> None:
        self.items = self.session.queries.support.lines(self.address)

    def first(self) -> int:
        """The first sentence that stands on nothing."""
        return next((n for n, line in enumerate(self.items) if line.mark != " "), 0)

    def heading(self) -> tuple[str, str]:
        return f"What {self.address} stands on", self.session.queries.support.counted(self.address).partition(": ")[2]

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(f"{line.mark} {line.status:12} {line.sentence}", width)) for line in self.items]

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        line = self.items[at]
        return f"{at} {line.status}", line.status, [("", line.sentence), *_reasons(line)]

    def off_choose(self) -> str:
        if self.chosen is None or self.chosen.row:
            return ""
        return "its paper stands in no chain" if self.chosen.paper else "it stands on no paper"

    def do_choose(self) -> None:
        if self.chosen is not None:
            self.dismiss(self.chosen.row)

    def do_edit(self) -> None:
        self.dismiss(EDIT)


def _reasons(line: SupportLine) -> list[tuple[str, str]]:
    """The passage with its paper, or why there is none."""
    if line.passage:
        return [(f"{line.where.upper()} of {line.row or line.paper}", f"“{line.passage}”"), ("PAPER", line.title)]
    if line.mark == "?":
        return [("WHY", "The works that it names are no papers of this session (UNVERIFIED), so nothing could be compared.")]
    return [
        ("WHY", "No title, abstract or card of the session's papers says enough of it. It need not be wrong: change it, cite a paper that "
             "says so, or pin that paper."),
    ]  # fmt: skip
