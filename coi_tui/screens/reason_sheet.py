"""One line for the reason of a decision; Enter without a word goes on without one."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.panes import Line


class ReasonSheet(Sheet[str]):
    """Gives the reason (perhaps empty), or None when nothing is to be done."""

    PLACE = "reason"
    BINDINGS = bindings("reason")
    TAIL = ("help",)

    def __init__(self, title: str, effect: str) -> None:
        super().__init__()
        self.heading, self.effect = title, effect

    def body(self) -> ComposeResult:
        yield Line(self.heading, id="title")
        yield Static(Content(self.effect), id="text", markup=False)
        yield Input(placeholder="reason (optional): why not?", id="reason")

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.do_send()

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))
