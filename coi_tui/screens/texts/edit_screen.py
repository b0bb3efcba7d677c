"""The editor: the text in use, saved as a version of yours. What is typed is kept as a draft until it is saved or dropped."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import TextArea

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.desk import Desk
from coi_tui.screens.sheets.confirm import ConfirmSheet
from coi_tui.session.look.names import shown
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.panes import Line, StatusLines
from coi_tui.widgets.tick import Tick

DRAFT_AFTER = 1.0


class EditScreen(CoiScreen[str]):
    """Gives a sentence about what was saved, or None."""

    PLACE = "edit"
    BINDINGS = bindings("edit")
    TAIL = ("help",)

    def __init__(self, desk: Desk, address: str) -> None:
        super().__init__()
        self.desk, self.address = desk, address
        self.name_shown = shown(desk.session.state, address)
        self.before = desk.session.text_of(address)
        self.opened = desk.session.inputs_now(address)
        self.draft = desk.session.draft(address)
        self.timer: Timer | None = None

    def body(self) -> ComposeResult:
        yield Line(f"Edit {self.name_shown}", "not saved until ^s", id="header")
        yield TextArea(self.before if self.draft is None else self.draft, soft_wrap=True, show_line_numbers=False, id="text")
        yield Tick("wording only: what reads this text stays fresh (F2)", id="wording", compact=True)
        yield StatusLines(id="status")

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.border_title = Content("Your text")
        area.focus()
        area.move_cursor(area.document.end)
        self._tell()
        self.refresh_footer()
        if self.draft is not None and self.draft != self.before:
            self.say("This is your unsaved draft. ^s saves it; Esc asks whether to drop it.")

    @property
    def text(self) -> str:
        return self.query_one(TextArea).text

    @property
    def changed(self) -> bool:
        return self.text != self.before

    # -- drafts ---------------------------------------------------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._tell()
        if self.timer is None and self.changed:
            self.timer = self.set_timer(DRAFT_AFTER, self._keep_draft)

    def _tell(self) -> None:
        self.refresh_footer()
        self.query_one("#header", Line).say(f"Edit {self.name_shown}", "changed, not saved until ^s" if self.changed else "not changed")

    def _keep_draft(self) -> None:
        self.timer = None
        if not self.changed:
            return
        try:
            self.desk.session.save_draft(self.address, self.text, self.opened)
        except CoiError as error:
            self.trouble(error)

    def _drop_draft(self) -> None:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None
        self.desk.session.drop_draft(self.address)

    # -- actions --------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        if name == "save" and self.composed and not self.changed:
            return "nothing was changed"
        return ""

    def say(self, text: str) -> None:
        self.query_one(StatusLines).say(text)

    async def do_save(self) -> None:
        """Save as a version; a text that cannot be read back keeps the editor open, with the reason."""
        wording = self.query_one(Tick).value
        session, text = self.desk.session, self.text
        await self.desk.decide(lambda: session.edit(self.address, text, wording_only=wording, opened=self.opened))
        self._drop_draft()
        self.dismiss(f"Saved your text at {self.name_shown}{' as wording only' if wording else ''}; u undoes it.")

    def do_wording(self) -> None:
        self.query_one(Tick).toggle()

    def do_cancel(self) -> None:
        if not self.changed:
            self._drop_draft()
            self.dismiss(None)
            return
        words = f"Your changes to {self.address} are not saved. Drop them?"
        self.app.push_screen(ConfirmSheet("Drop the changed text?", words, "drop my changes"), self._answered)

    def _answered(self, drop: bool | None) -> None:
        if drop:
            self._drop_draft()
            self.dismiss(None)
