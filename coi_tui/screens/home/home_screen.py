"""Home: the sessions, what each waits for, and how to begin."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from coi_tui.model.errors import StoreError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.home.paper_import import PaperImport
from coi_tui.screens.home.session_actions import SessionActions
from coi_tui.screens.home.session_list import (
    STATES,
    facts,
    fits,
    heads,
    nothing_yet,
    row,
)
from coi_tui.screens.home.topic_sheet import TopicSheet
from coi_tui.screens.workbench.commands import WORKBENCH_ACTIONS
from coi_tui.session.admin.session_files import last_copy
from coi_tui.session.decisions.new_session_draft import NewSessionDraft, read_draft
from coi_tui.session.runs.service_setup import setup_of, to_get_others
from coi_tui.session.watch import SessionHeader, list_sessions, methods
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.key_actions import (
    DECIDE,
    HELP,
    LOOK,
    MAKE,
    PALETTE,
    RUN,
    KeyAction,
)
from coi_tui.widgets.panes import DetailPane, Line, cut

HOME_ACTIONS = (
    KeyAction("open", "enter", "Enter", "open", "open the session", DECIDE, 1),
    KeyAction(
        "new", "n", "n", "new", "start from a topic (free until you approve a plan)", MAKE, 2
    ),
    KeyAction(
        "demo",
        "o",
        "o",
        "demo",
        "a session with recorded answers of a language model: no key, no network, no cost",
        MAKE,
        3,
    ),
    KeyAction("import", "i", "i", "import", "import a .coi.db file someone sent you", MAKE, 4),
    KeyAction(
        "papers",
        "p",
        "p",
        "add papers",
        "import your own papers: a folder of PDFs, a PDF, or a .bib, .ris or .json list",
        MAKE,
        5,
    ),
    KeyAction(
        "export", "s", "s", "export", "write an export of this session without opening it", RUN, 10
    ),
    KeyAction(
        "archive",
        "x",
        "x",
        "archive",
        "archive this session, or bring it back; nothing is deleted",
        DECIDE,
        6,
    ),
    KeyAction("duplicate", "D", "D", "duplicate", "work on a copy", MAKE, 8),
    KeyAction("find", "slash", "/", "filter", "filter the list by name or topic", LOOK, 5),
    KeyAction("put_away", "", ":", "show archived", "show or hide archived sessions", LOOK),
    KeyAction(
        "delete",
        "",
        ":",
        "delete session",
        "delete this session for good; you type its name to confirm",
        DECIDE,
    ),
    KeyAction("escape", "escape", "Esc", "clear filter", "clear the filter", LOOK, 9),
    KeyAction("settings", "comma", ",", "settings", "settings and provider check", RUN),
    PALETTE,
    HELP,
    KeyAction(
        "quit",
        "q",
        "q",
        "quit",
        "quit coi-tui; a running job is stopped, and what it has finished is saved",
        RUN,
        20,
    ),
)


class HomeScreen(CoiScreen[None]):
    """The list of sessions, and a pane about the one under the cursor."""

    PLACE = "home"
    ACTIONS = HOME_ACTIONS
    TAIL = ("quit", "palette", "help")

    def __init__(self) -> None:
        super().__init__()
        self.session_actions = SessionActions(
            self, lambda: self.peek if self.composed else None, self.reload
        )
        self.delegates = (self.session_actions, PaperImport(self))
        self.all: list[SessionHeader] = []
        """Every session of the folder; ``peeks`` are those shown."""
        self.loaded = False
        self.words = ""
        self.shows_archived = False
        self._copies: dict[Path, str] = {}
        self._go_to: Path | None = None

    def body(self) -> ComposeResult:
        yield Line("coi-tui  Sessions", id="header")
        yield Line("", id="heads")
        yield MarkedList(id="sessions")
        yield Static("", id="empty", markup=False)
        yield DetailPane(id="about")
        yield LineField(
            placeholder="filter by name or topic; Enter keeps the filter, Esc clears it",
            id="filter",
            compact=True,
        )
        yield Line("", id="said")

    def on_mount(self) -> None:
        self.query_one(MarkedList).border_title = Content("[1] Sessions")
        self.query_one(MarkedList).focus()
        self.refresh_footer()

    def on_screen_resume(self) -> None:
        if not self.loaded:
            self.say("")
        self.load()

    def on_resize(self, event: events.Resize) -> None:
        if self.loaded:
            self.call_after_refresh(self._fill)

    # -- the list

    @work(exclusive=True, group="list", exit_on_error=False)
    async def load(self) -> None:
        """Look at the folder in a thread, then show what is there."""
        try:
            peeks = await asyncio.to_thread(list_sessions, self.coi.paths.sessions)
            await self.coi.load_keys()
        except StoreError as error:
            peeks = []
            self.trouble(error)
        self._copies = await asyncio.to_thread(self._whole_copies, peeks)
        self.all, self.loaded = peeks, True
        self._fill()

    def _whole_copies(self, peeks: Sequence[SessionHeader]) -> dict[Path, str]:
        return {
            p.path: copy
            for p in peeks
            if p.state == "damaged" and (copy := last_copy(self.coi.paths, p.path))
        }

    def sessions_changed(self, said: str = "") -> None:
        self.say(said)
        self.load()

    def reload(self, at: Path | None = None) -> None:
        self._go_to = at
        self.load()

    @property
    def peeks(self) -> list[SessionHeader]:
        """The sessions shown: those that fit the filter, and archived ones only when asked for."""
        return [
            p for p in self.all if (self.shows_archived or not p.archived) and fits(p, self.words)
        ]

    def services(self) -> str:
        """Which services a session would use, and how to get the others, in a line each."""
        setup = setup_of(self.coi.settings, self.coi.keys, False)
        model, papers = (name.removeprefix("the ") for name in (setup.model, setup.source))
        return f"Model: {model}. Papers: {papers}.\n{to_get_others(setup)}".rstrip()

    def _fill(self) -> None:
        self.query_one("#header", Line).say("coi-tui  Sessions", self._services_in_brief())
        hidden = self.has_class("-empty")
        self.set_class(not self.all, "-empty")
        if hidden and self.all:
            self.call_after_refresh(self._fill)  # the list has a width only once it is shown
        self.query_one("#empty", Static).update(
            Content(nothing_yet(self.services(), self.size.width - 6))
        )
        self._fill_list(self.query_one(MarkedList), self.peeks)
        self._about()
        self.refresh_footer()

    def _services_in_brief(self) -> str:
        """For the header."""
        setup = setup_of(self.coi.settings, self.coi.keys, False)
        online = "online" if setup.online_model or setup.online_source else "offline"
        return f"model: {setup.model if setup.online_model else 'built-in drafter'}  {online}"

    def _fill_list(self, rows: MarkedList, peeks: Sequence[SessionHeader]) -> None:
        """Draw the sessions, the cursor on the one where it was or that it is sent to."""
        here = self.peek
        rows.border_title = Content(f"[1] Sessions   {self._counted()}   most recent first")
        self.query_one("#heads", Line).say(f"    {heads(rows.room)}" if peeks else "")
        goal = self._go_to or (here.path if here else None)
        at = next((n for n, p in enumerate(peeks) if p.path == goal), 0)
        self._go_to = None
        rows.show(
            [Content(row(p, self.state_of(p), rows.room)) for p in peeks], at if peeks else None
        )

    def _counted(self) -> str:
        away = sum(bool(p.archived) for p in self.all)
        said = (
            f"{len(self.peeks)} of {len(self.all)}"
            if len(self.peeks) != len(self.all)
            else str(len(self.all))
        )
        return said + (f", {away} archived" if away and not self.shows_archived else "")

    def state_of(self, peek: SessionHeader) -> str:
        """What is special about a session; nothing for most."""
        controller = self.coi.sessions.controllers.get(peek.path)
        if controller is None:
            return STATES.get(peek.state, "")
        if controller.busy and controller.job:
            return f"running: {controller.job.short.lower()}"
        return "open here"

    @property
    def peek(self) -> SessionHeader | None:
        """The session under the cursor."""
        at = self.query_one(MarkedList).highlighted
        return self.peeks[at] if at is not None and at < len(self.peeks) else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._about()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes to a row; Enter is an action of its own."""
        self._about()

    def _about(self) -> None:
        peek, about = self.peek, self.query_one("#about", DetailPane)
        if peek is None:
            about.border_title = Content("[2]")
            about.show(
                "",
                "No session matches this filter."
                if self.words
                else "All sessions are archived; the palette can show them.",
                (),
            )
            return
        about.border_title = Content(f"[2] {cut(peek.name, 50)}")
        about.show(
            str(peek.path),
            peek.topic or peek.name,
            facts(peek, self.state_of(peek), self._keys_inside, self._copies.get(peek.path, "")),
        )

    @property
    def _keys_inside(self) -> dict[str, str]:
        """What a person presses in an open session, by action."""
        return {
            action.id: action.show
            for action in self.coi.keymap.applied("workbench", WORKBENCH_ACTIONS)
        }

    # -- actions

    def off(self, name: str) -> str:
        if name in ("open", "down", "up") and not self.peeks:
            return (
                "no session matches the filter; Esc clears it"
                if self.all
                else "there are no sessions yet"
            )
        if name == "find" and not self.all:
            return "there are no sessions yet"
        return ""

    # -- the filter

    def do_find(self) -> None:
        self.add_class("-filter")
        self.query_one("#filter", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.words = event.value
        self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one(MarkedList).focus()

    def do_escape(self) -> None:
        """End the filter."""
        self.query_one("#filter", Input).value = self.words = ""
        self.remove_class("-filter")
        self.query_one(MarkedList).focus()
        self._fill()

    def off_escape(self) -> str:
        return "" if self.has_class("-filter") else "there is no filter"

    def do_put_away(self) -> None:
        self.shows_archived = not self.shows_archived
        self._fill()
        self.say(
            "Archived sessions are shown; x brings one back."
            if self.shows_archived
            else "Archived sessions are hidden."
        )

    def help_title(self) -> str:
        return "the list of sessions"

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    async def do_open(self) -> None:
        peek = self.peek
        if peek is None:
            return
        if peek.state == "damaged":
            await self.session_actions.offer_restore(peek)
        else:
            self.coi.sessions.open(peek.path)

    async def do_new(self) -> None:
        begun = await asyncio.to_thread(read_draft, self.coi.paths)
        known = await asyncio.to_thread(methods)
        self.app.push_screen(
            TopicSheet(
                self.services(),
                [(p.name, p.topic) for p in self.all],
                begun,
                known,
                setup_of(self.coi.settings, self.coi.keys, False).online_source,
            ),
            self._drafted,
        )

    def _drafted(self, draft: NewSessionDraft | None) -> None:
        if draft is not None:
            self.coi.sessions.create(draft)

    def do_demo(self) -> None:
        self.coi.sessions.open_recorded()

    def do_quit(self) -> None:
        self.coi.leave()
