"""A yes or no where something is hard to take back. No is the default."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.actions import Action, bindings
from coi_tui.screens.base import Sheet
from coi_tui.widgets.panes import Line


class ConfirmSheet(Sheet[bool]):
    """Gives True only for ``y``, pressed after the question was drawn."""

    PLACE = "confirm"
    BINDINGS = bindings("confirm")
    TAIL = ("no",)
    GUARDED = True

    def __init__(self, question: str, text: str, yes: str) -> None:
        super().__init__()
        self.question, self.text, self.yes = question, text, yes

    def body(self) -> ComposeResult:
        yield Line(self.question, id="title")
        yield Static(Content(self.text), id="text", markup=False)

    def label(self, item: Action) -> str:
        return self.yes if item.id == "yes" else item.label

    def do_yes(self) -> None:
        self.dismiss(True)

    def do_no(self) -> None:
        self.dismiss(False)
