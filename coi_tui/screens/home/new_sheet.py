"""A new session: the topic, and if wanted a private hunch and a name."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.screens.base import Sheet
from coi_tui.screens.home.wish import Wish
from coi_tui.session.decide.hints import alike, topic_hint
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.panes import Line
from coi_tui.widgets.tick import Tick


class NewSheet(Sheet[Wish]):
    """Step 1 of making a session. Gives the wish, or None. Enter in the topic goes to the hunch, in any other line it creates."""

    PLACE = "new"
    BINDINGS = bindings("new")
    TAIL = ("help",)

    def __init__(self, services: str, known: Sequence[tuple[str, str]] = ()) -> None:
        """``known``: names and topics of the sessions there are."""
        super().__init__()
        self.services, self.known = services, list(known)

    def body(self) -> ComposeResult:
        yield Line("New session, step 1 of 4: TOPIC", "free until you approve a plan", id="title")
        yield Static("Topic: what should the idea be about?", classes="label", markup=False)
        yield Input(placeholder="a line or two", id="topic", compact=True)
        yield Static("", id="hint", markup=False)
        yield Static("Hunch: yours alone, not sent to a model", classes="label", markup=False)
        yield Input(placeholder="optional", id="hunch", compact=True)
        yield Tick("let the model see my hunch when it predicts future directions", id="send", compact=True)
        yield Static("Name of the session; made from the topic if you give none", classes="label", markup=False)
        yield Input(placeholder="optional", id="name", compact=True)
        yield Tick("stay offline: nothing leaves this machine", id="offline", compact=True)
        yield Static(Content(self.services), id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one("#topic").focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "topic" and event.value.strip():
            self.query_one("#hunch").focus()
            return
        await self.action_act("create")

    def off(self, name: str) -> str:
        if name == "create" and self.composed and not self.query_one("#topic", Input).value.strip():
            return "write a topic first"
        return ""

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "topic":
            near = alike(event.value, self.known)
            hint = f"The session {near} has nearly this topic." if near else topic_hint(event.value)
            self.query_one("#hint", Static).update(Content(hint))
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.query_one("#title", Line).say("New session, step 1 of 4: TOPIC", text)

    def do_create(self) -> None:
        said = {name: self.query_one(f"#{name}", Input).value for name in ("topic", "hunch", "name")}
        self.dismiss(Wish(**said, offline=self.query_one("#offline", Tick).value, send_hunch=self.query_one("#send", Tick).value))
