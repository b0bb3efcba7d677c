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
from coi_tui.model.wording import count
from coi_tui.screens.base import GRACE, Sheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.decisions.preview import Preview, words
from coi_tui.session.queries.candidates import paper_lines
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.formatting import cut
from coi_tui.widgets.key_actions import DECIDE, MOVE, RUN, KeyAction, line_actions
from coi_tui.widgets.panes import Line
from coi_tui.widgets.prose import READ, headed

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
    KeyAction("down", "down", "Down", "next", "the next of several papers", MOVE, 2),
    KeyAction("up", "up", "Up", "previous", "the previous of several papers", MOVE),
    KeyAction("help", "f1", "F1", "help", "the keys that work here", RUN, 4),
    KeyAction("cancel", "escape", "Esc", "cancel", "close; nothing is pinned", DECIDE, 3),
)


class PinSheet(Sheet[str]):
    """Enter looks up, and pins once the paper is shown. Gives a sentence about what was pinned, or None."""

    PLACE = "pin"
    CSS_PATH = "paper_sheets.tcss"
    ACTIONS = PIN_ACTIONS
    TAIL = ("help",)

    def __init__(self, controller: SessionController, address: str, text: str = "") -> None:
        super().__init__()
        self.first = text
        self.controller, self.session, self.address = controller, controller.session, address
        self.asked, self.looking, self.read_as = "", False, ""
        self.papers: tuple[Paper, ...] = ()
        self.beyond = False
        """Whether the papers shown are those known here, and a source was not asked yet."""
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
        yield MarkedList(id="lines")
        with VerticalScroll(id="text", can_focus=False):
            yield Static("", id="found", markup=False)

    def on_mount(self) -> None:
        self.query_one("#lines").display = False
        self._tell_leaving()
        self.query_one("#reason").focus()

    @property
    def said(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    @property
    def chosen(self) -> Paper | None:
        """The paper that Enter would pin: what was found for the text as it stands; among several the one under the cursor."""
        if not self.papers or self.said != self.asked:
            return None
        at = self.query_one(MarkedList).highlighted if self._listed else 0
        return self.papers[at] if at is not None else None

    @property
    def _listed(self) -> bool:
        """Whether the person goes to the paper that they mean: several were found, or a source may know others."""
        return len(self.papers) > 1 or self.beyond

    # -- looking up -----------------------------------------------------------------------------------------------

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_act("send")

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.papers and self.said != self.asked:
            self._forget("Enter looks it up again.")
        self._tell_leaving()
        self.refresh_footer()

    def _tell_leaving(self) -> None:
        """Before anything is asked: what the look-up would send, and to whom. Once the paper is here nothing more is sent."""
        told = (
            "Found; pinning sends nothing."
            if self.papers and not self.beyond
            else self.session.papers.lookup_disclosure(self.said)
        )
        self.query_one("#leaves", Static).update(Content(told))

    def _forget(self, said: str) -> None:
        self.papers, self.beyond, self.ahead = (), False, None
        self.query_one("#lines").display = False
        self.query_one("#found", Static).update("")
        self.say(said)

    async def _look(self, text: str, here_first: bool) -> None:
        try:
            answer = await self.session.papers.look_up(text, here_first=here_first)
        except CoiError as error:
            self._forget(str(error))
            return
        finally:
            self.looking = False
            self.refresh_footer()
        if self.said != text:
            return
        self.papers, self.read_as, self.beyond = answer.papers, answer.read_as, answer.beyond
        lines = self.query_one(MarkedList)
        lines.display = self._listed
        lines.styles.height = min(5, len(self.papers)) if self._listed else 0
        if self._listed:
            found = (
                count(len(self.papers), "paper known here is near", "papers known here are near")
                if self.beyond
                else "none is guessed"
            )
            online = ", Enter asks online" if self.beyond else ""
            self.say(f"Down goes to the one you mean{online}: {found}.")
            self.call_after_refresh(self._list)
        self._show()
        self._tell_leaving()
        self.listens_from = (
            Message().time + GRACE
        )  # an Enter pressed before this was read does not pin

    def _list(self) -> None:
        lines = self.query_one(MarkedList)
        lines.show(
            [
                Content(cut(f"{p.year or '????'}  {p.title}  {p.id}", lines.room))
                for p in self.papers
            ],
            None,
        )

    def _show(self) -> None:
        """What was found, and what pinning it would change."""
        paper = self.chosen
        if paper is None:
            self.ahead = None
            self.query_one("#found", Static).update("")
            self.refresh_footer()
            return
        self.ahead, self._shown_at = (
            self.session.previews.place(self.address, paper),
            self.session.state.seq,
        )
        state = self.session.state
        lines = list(paper_lines(paper))
        parts = [lines[1], *words(self.ahead, state, "PIN"), *lines[2:]]
        self.query_one("#found", Static).update(headed(paper.title, parts, READ, marked=False))
        if not self._listed:
            self.say(
                f"Read as {self.read_as}. {'It cannot be pinned here: see below.' if self.off_send() else 'Enter pins it, Esc closes.'}"
            )
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- actions --------------------------------------------------------------------------------------------------

    def label(self, item: KeyAction) -> str:
        return (
            ("pin" if self.chosen else "look up")
            if item.id == "send" and self.composed
            else item.label
        )

    def off_down(self) -> str:
        return "" if self._listed else "there is no list"

    off_up = off_down

    def off_send(self) -> str:
        if not self.composed:
            return ""
        if self.looking:
            return "it is being looked up"
        if not self.said:
            return "enter an id, a URL or a title first"
        if self.chosen is not None:
            return self._not_here()
        return (
            "Down goes to the paper that you mean"
            if self.papers and self.said == self.asked and not self.beyond
            else ""
        )

    def _not_here(self) -> str:
        """Why the paper that was found cannot be pinned into this slot; empty where it can."""
        if self.ahead is None:
            return ""
        return self.ahead.problem.rstrip(".") or (
            "it is already in this slot" if self.ahead.here else ""
        )

    async def do_send(self) -> None:
        paper = self.chosen
        if paper is None:
            here_first = not (self.beyond and self.said == self.asked)
            self.asked, self.looking = self.said, True
            self._forget("Looking it up ...")
            self.replace_worker(partial(self._look, self.asked, here_first), "look up")
            return
        if self._shown_at != self.session.state.seq:
            self._show()
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

    def do_down(self) -> None:
        self._move(1)

    def do_up(self) -> None:
        self._move(-1)

    def _move(self, step: int) -> None:
        lines = self.query_one(MarkedList)
        here = lines.highlighted
        lines.highlighted = (
            (0 if step > 0 else len(self.papers) - 1)
            if here is None
            else max(0, min(len(self.papers) - 1, here + step))
        )
        self._show()


STAYS = (
    "Its text is kept in this session and sent only in the prompt that reads this paper; a plan says so first. "
    "u undoes it; coi forget deletes it with the session."
)


ATTACH_ACTIONS = line_actions(
    "attach", "read the PDF and attach its text to this paper", "nothing is attached"
)


class AttachSheet(Sheet[str]):
    """Enter reads the file and attaches it. Gives a sentence about what was attached, or None.

    Raises UsageError when it is made for a row that holds no paper.
    """

    PLACE = "attach"
    CSS_PATH = "paper_sheets.tcss"
    ACTIONS = ATTACH_ACTIONS
    TAIL = ("help",)

    def __init__(self, controller: SessionController, address: str, title: str) -> None:
        super().__init__()
        self.controller, self.session, self.address, self.paper_title = (
            controller,
            controller.session,
            address,
            title,
        )
        self.reading = False
        self._changes = self.session.consequences(
            address, lambda s: s.decisions.attach_any(address)
        ).sentence()

    def body(self) -> ComposeResult:
        yield Line(f"Attach your PDF to {self.address}", "nothing is sent", id="title")
        yield Static(Content(self.paper_title), id="paper", markup=False)
        yield LineField(placeholder="path of a PDF; ~, quotes and spaces are fine", id="reason")
        yield Static(Content(f"{self._changes} {STAYS}"), id="said", markup=False)

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
