"""Sheets about one paper: pin one by id, URL or title, or attach a PDF to one."""

from __future__ import annotations

from functools import partial

from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import CoiError
from coi_tui.screens.papers.paper_lists import FoundScreen
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.widgets.panes import cut


class WorkingSheet(AskText):
    """Stays open while what was typed is worked on. An error is shown, and the text stays."""

    BUSY, MISSING = "working ...", "enter something first"
    busy = False

    @property
    def typed(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    async def work(self, text: str) -> None:
        """Do what the sheet is for. Raises CoiError."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        self.query_one("#text", Static).update(Content(text))

    def on_input_changed(self) -> None:
        self.refresh_footer()

    def off_send(self) -> str:
        if not self.composed:
            return ""
        return self.BUSY if self.busy else "" if self.typed else self.MISSING

    def do_send(self) -> None:
        self.busy = True
        self.say(f"{self.BUSY.capitalize()} ...")
        self.replace_worker(partial(self._work, self.typed), "work")

    async def _work(self, text: str) -> None:
        try:
            await self.work(text)
        except CoiError as error:
            self.say(str(error))
        finally:
            self.busy = False
            self.refresh_footer()


class PinSheet(WorkingSheet):
    """Looks a paper up and shows what was found, to be pinned there. Gives a sentence about what
    was pinned, or None."""

    BUSY, MISSING = "looking it up", "enter an id, a URL or a title first"

    def __init__(self, controller: SessionController, address: str, text: str = "") -> None:
        self.controller, self.address = controller, address
        super().__init__(
            f"Pin a paper into {address}",
            controller.session.papers.lookup_disclosure(),
            "look up",
            hint="DOI, arXiv id, URL or title",
            aside="a pinned paper is never replaced by a step",
            value=text,
        )

    async def work(self, text: str) -> None:
        found = await self.controller.session.papers.look_up(text)
        if self.is_current:
            screen = FoundScreen(self.controller, self.address, found.papers, found.read_as)
            self.ask(screen, self.leave_with, "Nothing was pinned.")


STAYS = (
    "Its text is stored in this session and sent only in the prompt that reads this paper; a plan says so first. "
    "u undoes it; coi forget deletes it with the session."
)


class AttachSheet(WorkingSheet):
    """Reads a PDF and attaches it. Gives a sentence about what was attached, or None. Closing the
    sheet meanwhile ends the reading.

    Raises UsageError when it is made for a row without a paper.
    """

    BUSY, MISSING = "reading the PDF", "type or paste a path first"

    def __init__(self, controller: SessionController, address: str, title: str) -> None:
        self.controller, self.session, self.address = controller, controller.session, address
        changes = self.session.impact(address, lambda s: s.decide("attach", address)).sentence()
        super().__init__(
            f"Attach your PDF to {address}",
            f"{title}\n{changes} {STAYS}",
            "attach",
            hint="path of a PDF; ~, quotes and spaces are fine",
            aside="nothing is sent",
        )

    async def work(self, text: str) -> None:
        read = await self.session.papers.read_pdf(text)
        await self.controller.decide(lambda: self.session.decide("attach", self.address, read.own))
        doubt = self.session.papers.attach_doubt(self.address, read)
        self.dismiss(
            f"Attached {cut(read.own.file, 50)} to {self.address}. {doubt or 'Its card can be refreshed from it; u undoes it.'}"
        )
