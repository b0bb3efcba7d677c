"""Attach a PDF of one's own to a paper: one line for its path. It stays open, with the reason, until a PDF could be read."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import CoiError
from coi_tui.screens.actions import bindings
from coi_tui.screens.base import Sheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.widgets.panes import Line
from coi_tui.widgets.typing_fields import LineField
from coi_tui.widgets.words import cut

STAYS = (
    "Its text is kept in this session and is sent only in the prompt that reads this paper; a plan says so before. "
    "What was read of the paper before becomes stale. u takes it back; coi forget deletes it with the session."
)


class AttachSheet(Sheet[str]):
    """Enter reads the file and attaches it. Gives a sentence about what was attached, or None."""

    PLACE = "attach"
    CSS_PATH = "attach_sheet.tcss"
    BINDINGS = bindings("attach")
    TAIL = ("help",)

    def __init__(self, controller: SessionController, address: str, title: str) -> None:
        super().__init__()
        self.controller, self.session, self.address, self.paper_title = controller, controller.session, address, title
        self.reading = False

    def body(self) -> ComposeResult:
        yield Line(f"Attach your PDF to {self.address}", "nothing is sent", id="title")
        yield Static(Content(self.paper_title), id="paper", markup=False)
        yield LineField(placeholder="path of a PDF; ~, quotes and blanks are understood", id="reason")
        yield Static(Content(STAYS), id="said", markup=False)

    def on_mount(self) -> None:
        self.query_one("#reason").focus()

    @property
    def said(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    def say(self, text: str) -> None:
        self.query_one("#said", Static).update(Content(text))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_act("send")

    def on_input_changed(self, event: Input.Changed) -> None:
        self.refresh_footer()

    def off(self, name: str) -> str:
        if name != "send" or not self.composed:
            return ""
        return "the PDF is being read" if self.reading else "" if self.said else "type or paste a path first"

    def do_send(self) -> None:
        self.reading = True
        self.say("Reading the PDF ...")
        self.run_worker(self._take(self.said), name="attach", group="attach", exclusive=True, exit_on_error=False)

    async def _take(self, said: str) -> None:
        """Closing the sheet meanwhile ends the reading, and nothing is attached."""
        try:
            read = await self.session.papers.read_pdf(said)
            await self.controller.decide(lambda: self.session.decisions.attach(self.address, read))
        except CoiError as error:
            self.reading = False
            self.say(f"{error.message} {error.hint}".strip())
            self.refresh_footer()
            return
        doubt = self.session.decisions.attach_doubt(self.address, read)
        self.dismiss(
            f"Attached {cut(read.own.file, 50)} to {self.address}. {doubt or 'Its card can be refreshed from it; u takes it back.'}"
        )
