"""The sheet on which a person says what means there are for the work."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.means import KINDS, Means, means_of
from coi_tui.model.state import State
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import DECIDE, HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import Line

HINTS = {
    "compute": "2 GPUs with 24 GB, 200 GPU hours",
    "data": "public data only, 500 examples of our own",
    "people": "2 students, no paid annotators",
    "weeks": "6 weeks",
}
EFFECT = (
    "In your own words; figures help (2 GPUs, 3 annotators, 500 examples, 6 weeks), and “none” says that there is none. An experiment plan "
    "is checked against them only when you ask for it, and only then are they sent: the plan of that call says so."
)

MEANS_ACTIONS = (
    KeyAction(
        "send",
        "ctrl+s",
        "Enter",
        "set",
        "these are your means; checks of plans against others become stale (also ^s)",
        DECIDE,
        1,
    ),
    KeyAction("clear", "f4", "F4", "clear all", "remove all of them", DECIDE, 2),
    HELP_BY_F1,
    KeyAction(
        "cancel", "escape", "Esc", "cancel", "close; your means stay as they were", DECIDE, 9
    ),
)


class MeansSheet(Sheet[Means]):
    """Gives the means, or None. Enter in any line sets them."""

    PLACE = "means"
    CSS_PATH = "means_sheet.tcss"
    ACTIONS = MEANS_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, state: State) -> None:
        super().__init__()
        self.held = means_of(state)

    def body(self) -> ComposeResult:
        yield Line("My means for this work", "u undoes a change", id="title")
        for kind in KINDS:
            with Horizontal(classes="field"):
                yield Static(kind.capitalize(), classes="name", markup=False)
                yield LineField(
                    getattr(self.held, kind),
                    placeholder=f"such as: {HINTS[kind]}",
                    id=kind,
                    compact=True,
                )
        yield Static(EFFECT, id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(f"#{KINDS[0]}").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.refresh_footer()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.action_act("send")

    def given(self) -> Means:
        """What the lines say."""
        return Means.from_held(
            {kind: self.query_one(f"#{kind}", Input).value.strip() for kind in KINDS}
        )

    def off(self, name: str) -> str:
        if name == "clear":
            return "" if self.held.said() else "there are none to clear"
        if name != "send" or not self.composed:
            return ""
        return "nothing was changed" if self.given().said() == self.held.said() else ""

    def say(self, text: str) -> None:
        self.query_one("#sums", Static).update(Content(text))

    def do_send(self) -> None:
        self.dismiss(self.given())

    def do_clear(self) -> None:
        self.dismiss(Means())
