"""Sheets that bring a paper in: pin one by id, URL or title, or attach a PDF to one."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.present.candidates import paper_blocks
from coi_tui.present.text import parts
from coi_tui.screens.base import GRACE, Sheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.choice_sheet import AskChoice
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.decisions.preview import Preview, words
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import DECIDE, HELP_BY_F1, KeyAction
from coi_tui.widgets.panes import READ, Line, cut, headed


class PaperChoiceSheet(AskChoice):
    """Gives the id of the paper meant, or None. It comes up by itself when a search ends, so keys
    pressed before it was drawn do not count."""

    GUARDED = True

    def __init__(self, text: str, papers: tuple[Paper, ...]) -> None:
        super().__init__(
            f"Which paper do you mean by “{cut(text, 60)}”?",
            "",
            {p.id: f"{p.year or '????'}  {p.title}" for p in papers},
            "this one",
        )
        self.papers = papers


PIN_ACTIONS = (
    KeyAction(
        "send",
        "enter",
        "Enter",
        "look up",
        "look the text up, here and then online; once a paper is shown, pin it",
        DECIDE,
        1,
    ),
    HELP_BY_F1,
    KeyAction("cancel", "escape", "Esc", "cancel", "close; nothing is pinned", DECIDE, 3),
)


class PinSheet(Sheet[str]):
    """Enter looks up, and pins once the paper is shown. Gives a sentence about what was pinned, or
    None."""

    PLACE = "pin"
    CSS_PATH = "paper_sheets.tcss"
    ACTIONS = PIN_ACTIONS
    TAIL = ("help",)

    def __init__(self, controller: SessionController, address: str, text: str = "") -> None:
        super().__init__()
        self.first = text
        self.controller, self.session, self.address = controller, controller.session, address
        self.asked, self.looking, self.read_as = "", False, ""
        self.paper: Paper | None = None
        """What was found for ``asked``, or chosen of several."""
        """Whether the papers known here were none of those meant, and no source was asked yet."""
        self.ahead: Preview | None = None
        self._shown_at = 0

    def body(self) -> ComposeResult:
        yield Line(
            f"Pin a paper into {self.address}",
            "a pinned paper is never replaced by a step",
            id="title",
        )
        yield LineField(self.first, placeholder="DOI, arXiv id, URL or title", id="reason")
        yield Static("", id="leaves", markup=False)
        yield Line("Enter looks it up; nothing is changed before the next Enter.", id="said")
        with VerticalScroll(id="text", can_focus=False):
            yield Static("", id="found", markup=False)

    def on_mount(self) -> None:
        self._tell_leaving()
        self.query_one("#reason").focus()

    @property
    def said(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    @property
    def chosen(self) -> Paper | None:
        """The paper that Enter would pin: what was found for the text as it stands."""
        return self.paper if self.said == self.asked else None

    # -- looking up

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_act("send")

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.paper and self.said != self.asked:
            self._forget("Enter looks it up again.")
        self._tell_leaving()
        self.refresh_footer()

    def _tell_leaving(self) -> None:
        """Before anything is asked: what the look-up would send, and to whom. Once the paper is
        here nothing more is sent."""
        told = (
            "Found; pinning sends nothing."
            if self.paper
            else self.session.papers.lookup_disclosure()
        )
        self.query_one("#leaves", Static).update(Content(told))

    def _forget(self, said: str) -> None:
        self.paper, self.ahead = None, None
        self.query_one("#found", Static).update("")
        self.say(said)

    async def _look(self, text: str) -> None:
        try:
            answer = await self.session.papers.look_up(text)
        except CoiError as error:
            self._forget(str(error))
            return
        finally:
            self.looking = False
            self.refresh_footer()
        if self.said != text:
            return
        self.read_as = answer.read_as
        if len(answer.papers) > 1:
            self.app.push_screen(
                PaperChoiceSheet(text, answer.papers),
                lambda chosen: self._meant(
                    next((p for p in answer.papers if p.id == chosen), None)
                ),
            )
        else:
            self._meant(answer.papers[0])

    def _meant(self, paper: Paper | None) -> None:
        """``paper``: which of those that were found; None for none."""
        if paper is None:
            self.say("None of these: write it another way.")
        else:
            self.paper = paper
            self._show(paper)
        self._tell_leaving()
        self.listens_from = (
            Message().time + GRACE
        )  # an Enter pressed before this was read does not pin

    def _show(self, paper: Paper) -> None:
        """What was found, and what pinning it would change."""
        state = self.session.state
        self.ahead, self._shown_at = self.session.previews.place(self.address, paper), state.seq
        people, abstract = parts(paper_blocks(paper))
        told = [people, *words(self.ahead, state, "pin"), abstract]
        self.query_one("#found", Static).update(headed(paper.title, told, READ, marked=False))
        self.say(
            f"Read as {self.read_as}. {'It cannot be pinned here: see below.' if self.off_send() else 'Enter pins it, Esc closes.'}"
        )
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- actions

    def label(self, item: KeyAction) -> str:
        return (
            ("pin" if self.chosen else "look up")
            if item.id == "send" and self.composed
            else item.label
        )

    def off_send(self) -> str:
        if not self.composed:
            return ""
        if self.looking:
            return "it is being looked up"
        if not self.said:
            return "enter an id, a URL or a title first"
        if self.chosen is None or self.ahead is None:
            return ""
        return self.ahead.problem.rstrip(".") or (
            "it is already in this slot" if self.ahead.here else ""
        )

    async def do_send(self) -> None:
        paper = self.chosen
        if paper is None:
            self.asked, self.looking = self.said, True
            self._forget("Looking it up ...")
            self.replace_worker(partial(self._look, self.asked), "look up")
            return
        if self._shown_at != self.session.state.seq:
            self._show(paper)
            self.say(
                "The session has changed in the meantime. Check again what this changes, then press Enter."
            )
            return
        await self.controller.decide(lambda: self.session.decisions.pin(self.address, paper))
        link = (
            self.session.state.slot(self.address).why.get("link")
            if not self.address.endswith("/0")
            else ""
        )
        self.dismiss(
            f"Pinned “{cut(paper.title, 50)}” into {self.address}{f' ({link})' if link else ''}; u undoes it."
        )


STAYS = (
    "Its text is kept in this session and sent only in the prompt that reads this paper; a plan says so first. "
    "u undoes it; coi forget deletes it with the session."
)


class AttachSheet(AskText):
    """Enter reads the file and attaches it. Gives a sentence about what was attached, or None.

    Raises UsageError when it is made for a row that holds no paper.
    """

    def __init__(self, controller: SessionController, address: str, title: str) -> None:
        self.controller, self.session, self.address = controller, controller.session, address
        self.reading = False
        changes = self.session.consequences(
            address, lambda s: s.decisions.attach_any(address)
        ).sentence()
        super().__init__(
            f"Attach your PDF to {address}",
            f"{title}\n{changes} {STAYS}",
            "attach",
            hint="path of a PDF; ~, quotes and spaces are fine",
            aside="nothing is sent",
        )

    @property
    def said(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    def say(self, text: str) -> None:
        self.query_one("#text", Static).update(Content(text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.prevent_default()
        self.call_later(self.action_act, "send")

    def on_input_changed(self, event: Input.Changed) -> None:
        self.refresh_footer()

    def off(self, name: str) -> str:
        if name != "send" or not self.composed:
            return ""
        return (
            "the PDF is being read"
            if self.reading
            else ""
            if self.said
            else "type or paste a path first"
        )

    def do_send(self) -> None:
        self.reading = True
        self.say("Reading the PDF ...")
        self.replace_worker(partial(self._take, self.said), "attach")

    async def _take(self, said: str) -> None:
        """Closing the sheet meanwhile ends the reading, and nothing is attached."""
        try:
            read = await self.session.papers.read_pdf(said)
            await self.controller.decide(lambda: self.session.decisions.attach(self.address, read))
        except CoiError as error:
            self.reading = False
            self.say(str(error))
            self.refresh_footer()
            return
        doubt = self.session.decisions.attach_doubt(self.address, read)
        self.dismiss(
            f"Attached {cut(read.own.file, 50)} to {self.address}. {doubt or 'Its card can be refreshed from it; u undoes it.'}"
        )
