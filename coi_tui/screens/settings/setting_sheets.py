"""Sheets of the settings: the value of one setting, and the question to the models with its price."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import CoiError
from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.text_sheets import LineSheet
from coi_tui.session.admin.model_check import Asking
from coi_tui.widgets.key_actions import DECIDE, HELP, KeyAction, line_actions
from coi_tui.widgets.panes import Line

SETTING_ACTIONS = line_actions(
    "set",
    "check and save this value; one that is refused stays here with the reason",
    "nothing is changed",
)


class SettingSheet(LineSheet):
    """Gives the sentence of ``keep`` about a value that was taken, or None. ``keep`` raises CoiError for one that is not."""

    PLACE = "setting"
    ACTIONS = SETTING_ACTIONS
    HINT = "leave empty for the default"

    def __init__(
        self,
        title: str,
        effect: str,
        *,
        aside: str,
        value: str,
        keep: Callable[[str], Awaitable[str]],
    ) -> None:
        super().__init__(title, effect, aside=aside, value=value)
        self.keep = keep
        self.refusal, self._sent = "", ""

    def body(self) -> ComposeResult:
        yield from super().body()
        yield Static("", id="refusal", markup=False)

    def do_send(self) -> None:
        if not any(w.group == "keep" and not w.is_finished for w in self.workers):
            self.run_worker(self._send(), name="keep", group="keep", exit_on_error=False)

    async def _send(self) -> None:
        try:
            said = await self.keep(clean_line(self.query_one("#reason", Input).value))
        except CoiError as error:
            self._refuse(f"Not saved: {error}")
        else:
            self.dismiss(said)

    def on_input_changed(self, event: Input.Changed) -> None:
        """The sentence is about what was sent; another value is not refused yet."""
        if self.refusal and event.value != self._sent:
            self._refuse("")

    def _refuse(self, text: str) -> None:
        self.refusal, self._sent = text, self.query_one("#reason", Input).value
        shown = self.query_one("#refusal", Static)
        shown.update(Content(text))
        shown.set_class(bool(text), "-said")
        self.query_one("#reason").focus()


ASKING_ACTIONS = (
    KeyAction(
        "ask",
        "enter",
        "Enter",
        "ask",
        "ask each model the one short question, at the price shown here",
        DECIDE,
        1,
    ),
    HELP,
    KeyAction(
        "cancel",
        "escape,n,q",
        "Esc",
        "cancel",
        "close; nothing is asked, nothing is spent",
        DECIDE,
        2,
    ),
)


class ModelCheckSheet(Sheet[bool]):
    """Gives True only for Enter, pressed after the price was drawn."""

    PLACE = "asking"
    ACTIONS = ASKING_ACTIONS
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self.asking = asking

    def body(self) -> ComposeResult:
        yield Line("Ask each model one short question", "nothing has been asked yet", id="title")
        yield Static(Content(self.asking.told()), id="text", markup=False)

    def label(self, item: KeyAction) -> str:
        return f"ask, {self.asking.price}" if item.id == "ask" else item.label

    def off(self, name: str) -> str:
        return "enlarge the terminal to read the price" if name == "ask" and self.tiny else ""

    def do_ask(self) -> None:
        self.dismiss(True)
