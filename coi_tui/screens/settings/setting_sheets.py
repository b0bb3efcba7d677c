"""The sheet for the value of one setting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import CoiError
from coi_tui.model.text import clean_line
from coi_tui.screens.sheets.text_sheets import LineSheet
from coi_tui.widgets.key_actions import line_actions

SETTING_ACTIONS = line_actions(
    "set",
    "check and save this value; one that is refused stays here with the reason",
    "nothing is changed",
)


class SettingSheet(LineSheet):
    """Gives the sentence of ``keep`` about a value that was taken, or None. ``keep`` raises
    CoiError for one that is not."""

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
