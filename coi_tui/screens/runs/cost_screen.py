"""What the session has spent: one table by step and model, and its budget."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.errors import CoiError
from coi_tui.model.money import Limit
from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.queries.costs import HEAD, table
from coi_tui.widgets.key_actions import DECIDE, HELP, KeyAction
from coi_tui.widgets.panes import Line, fit

COST_ACTIONS = (
    KeyAction("cap", "b", "b", "budget", "set the most that this session may spend", DECIDE, 1),
    HELP,
    KeyAction(
        "cancel", "escape,q,dollar_sign", "Esc", "back", "back; nothing is changed", DECIDE, 3
    ),
)


class CostScreen(Sheet[None]):
    """The table as it stood when the screen opened, or when its budget was set."""

    PLACE = "cost"
    ACTIONS = COST_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session

    def body(self) -> ComposeResult:
        yield Line("", id="title")
        with VerticalScroll(id="text"):
            yield Static("", id="said", markup=False)

    def on_mount(self) -> None:
        self._fill()
        self.query_one("#text").focus()

    def _fill(self, told: str = "") -> None:
        core = self.session.core
        cap = core.cap()
        stops = f"a job stops before a call that could exceed {cap}" if cap else "no budget is set"
        self.query_one("#title", Line).say(f"Cost   {core.spent()}; {stops}", told)
        self.query_one("#said", Static).update(Content(self.text()))

    def text(self) -> str:
        """The table in lines."""
        rows = table(self.session.core.calls.values())
        if not rows:
            return "No model was asked yet."
        rows = [HEAD, *(tuple(clean_line(cell) for cell in row) for row in rows)]
        widths = [min(28, max(map(len, column))) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                fit(cell, width) if at < 2 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        )

    def say(self, text: str) -> None:
        self._fill(text)

    def off_cap(self) -> str:
        return self.controller.not_writable()

    def do_cap(self) -> None:
        effect = f"{self.session.core.spent()}. A running job keeps the cap it started with."
        sheet = AskText(
            "Budget of this session, in dollars or tokens",
            effect,
            "set",
            hint="dollars, for example 5, or tokens, for example 200k tokens; leave empty for no cap",
            value=self.session.core.own_cap().typed,
        )
        self.app.push_screen(sheet, self._cap)

    async def _cap(self, text: str | None) -> None:
        if text is None:
            return
        try:
            cap = Limit.read(text)
            await self.controller.decide(lambda: self.session.set_cap(cap))
        except CoiError as error:
            self.trouble(error)
        else:
            self._fill()
