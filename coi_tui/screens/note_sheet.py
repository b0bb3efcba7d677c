"""A private note on a row; it is never sent anywhere."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.panes import Line


class NoteSheet(Sheet[str]):
    """Gives the note (empty to take it away), or None when nothing is to be changed."""

    PLACE = "note"
    BINDINGS = bindings("note")
    TAIL = ("help",)

    def __init__(self, name: str, note: str) -> None:
        super().__init__()
        self.name_shown, self.note = name, note

    def body(self) -> ComposeResult:
        yield Line(f"Note on {self.name_shown}", "yours alone: never sent to a model", id="title")
        yield Static(Content("Enter saves it; an empty line takes the note away."), id="text", markup=False)
        yield Input(" ".join(self.note.split("\n")), placeholder="a line for yourself", id="reason")

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.do_send()

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))
