"""A sheet with one line to fill in; Enter gives it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.panes import Line
from coi_tui.widgets.typing_fields import LineField


class LineSheet(Sheet[str]):
    """Gives the line (perhaps empty), or None when nothing is to be done."""

    TAIL = ("help",)
    HINT: ClassVar[str] = ""

    def __init__(self, title: str, effect: str, *, aside: str = "", value: str = "") -> None:
        super().__init__()
        self.heading, self.effect, self.aside, self.value = title, effect, aside, value

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield Static(Content(self.effect), id="text", markup=False)
        yield LineField(self.value, placeholder=self.HINT, id="reason")

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.do_send()

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))
