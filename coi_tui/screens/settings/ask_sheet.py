"""The one sheet of the settings behind which money may be spent: what would be asked, of whom, at what price."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.actions import Action, bindings
from coi_tui.screens.base import Sheet
from coi_tui.session.admin.model_check import Asking
from coi_tui.widgets.panes import Line


class AskSheet(Sheet[bool]):
    """Gives True only for Enter, pressed after the price was drawn."""

    PLACE = "asking"
    BINDINGS = bindings("asking")
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self.asking = asking

    def body(self) -> ComposeResult:
        yield Line("Ask each model one small question", "nothing has been spent yet", id="title")
        yield Static(Content(self.asking.told()), id="text", markup=False)

    def label(self, item: Action) -> str:
        return f"ask, {self.asking.price}" if item.id == "ask" else item.label

    def off(self, name: str) -> str:
        return "make the terminal larger, so that the price can be read" if name == "ask" and self.tiny else ""

    def do_ask(self) -> None:
        self.dismiss(True)
