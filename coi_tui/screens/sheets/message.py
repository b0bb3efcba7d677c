"""A sheet that says what went wrong: what, why, what to do; all of it can be copied."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.actions import bindings
from coi_tui.screens.base import Sheet
from coi_tui.widgets.panes import Line


class MessageScreen(Sheet[None]):
    """``parts`` are (heading, text) pairs, shown as they are."""

    PLACE = "message"
    BINDINGS = bindings("message")
    TAIL = ("cancel",)

    def __init__(self, title: str, parts: list[tuple[str, str]]) -> None:
        super().__init__()
        self.heading, self.parts = title, [p for p in parts if p[1]]

    def body(self) -> ComposeResult:
        yield Line(self.heading, id="title")
        with VerticalScroll(id="text"):
            said = (Content.assemble((f"{head}\n", "bold"), f"{text}\n") for head, text in self.parts)
            yield Static(Content("\n").join(said), markup=False)

    def on_mount(self) -> None:
        self.query_one("#text").focus()

    def do_copy(self) -> None:
        self.app.copy_to_clipboard("\n".join([self.heading, *(f"{head}: {text}" for head, text in self.parts)]))
        self.query_one("#title", Line).say(self.heading, "copied")
