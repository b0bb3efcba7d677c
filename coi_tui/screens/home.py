"""Home: the sessions, what each waits for, and how to begin."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.filesize import decimal
from textual import work

from coi_tui.model.document import Table, plain_table
from coi_tui.model.errors import CoiError, StoreError
from coi_tui.model.text import count, has_words
from coi_tui.screens.base import UNCHANGED, ConfirmSheet
from coi_tui.screens.lists import About, ListScreen
from coi_tui.screens.sheets import AskText, Parts
from coi_tui.session import files as session_files
from coi_tui.session.new_session import methods, read_draft
from coi_tui.session.opening import SessionHeader, list_sessions
from coi_tui.session.recorded_session import recorded_path, reset_recorded
from coi_tui.session.wording import ago, by_keys, counts
from coi_tui.widgets.key_actions import HELP, OWN_PAPERS, KeyAction

if TYPE_CHECKING:
    from coi_tui.session.settings import ServiceSetup


STATES = {
    "damaged": "! damaged",
    "open elsewhere": "open elsewhere: read-only",
    "unreadable": "! cannot be read",
}
"""What is special about a session, in place of what needs the person."""
UNDO_S = 10.0
"""Seconds in which a deleted session comes back."""
MIDDLE = 74
"""Cells of a row from which the method and the task are shown."""


def columns(headers: Sequence[SessionHeader], special: Sequence[str], width: int) -> Table:
    """The sessions, a row each; what is ``special`` about one replaces what needs the person."""

    def cells(header: SessionHeader, special: str) -> tuple[str, ...]:
        summary = header.summary
        return (
            f"(archived) {header.name}" if header.archived else header.name,
            (summary.method or header.method or "-") if width >= MIDDLE else "",
            (summary.step or "-") if width >= MIDDLE else "",
            special or ", ".join(counts(summary.needs)) or "-",
            str(summary.cost),
            ago(header.opened),
        )

    method, step = ("METHOD", "STAGE") if width >= MIDDLE else ("", "")
    head = ("NAME", method, step, "NEEDS YOU", "SPENT", "LAST OPENED")
    return plain_table(head, map(cells, headers, special))


def facts(header: SessionHeader, special: str, keys: Mapping[str, str], copy: str = "") -> Parts:
    """The text about a session. ``keys``: the workbench's by action; ``copy``: when the last intact
    copy of a damaged one was made."""
    s, ok = header.summary, header.state == "ok"
    content = [
        count(s.branches, "branch", "branches"),
        count(s.papers, "paper"),
        count(s.ideas, "draft") if s.ideas else "",
        f"your idea {s.pick}" if s.pick else "",
    ]
    summary = [
        ("Next", by_keys(s.next, keys, s.at).removeprefix("Next: ") if s.next and ok else ""),
        ("New", s.news),
        ("Stale", ", ".join(s.stale)),
        ("Drafts", f"not saved yet: {', '.join(s.drafts)}" if s.drafts else ""),
        ("Content", ", ".join(filter(None, content))),
        ("Spent", f"{s.cost}, {count(s.calls, 'call')}"),
    ]
    left = [ago(header.changed), f"on {s.at}" if s.at else ""]
    lines = [
        ("State", f"{special} ({header.reason})" if special and header.reason else special),
        ("Copy", f"from {ago(copy)}; Enter offers to restore it" if copy else ""),
        ("Left off", ", ".join(filter(None, left))),
        *(summary if s.next else []),
        ("File", f"{header.path}  ({decimal(header.size)}{', intact' if ok else ''})"),
    ]
    return [("", "\n".join(f"{name:8} {text}" for name, text in lines if text))]


def welcome(services: str) -> Parts:
    """What is shown while there is no session: what one is, and the keys to begin with."""
    about = "A session is one research topic: its chains of papers, your decisions, the idea drafts and the experiment plan, in one file."
    keys = (
        "n   start from a topic (free until you approve a plan)",
        "o   open a recorded session (no key, no cost)",
        "i   import a .coi.db file someone sent you",
        "m   your own papers, from Zotero; coi papers add takes PDFs and .bib files",
    )
    return [("", about), ("", "\n" + "\n".join(keys)), ("", "\n" + services)]


class HomeScreen(ListScreen[None, SessionHeader]):
    """The list of sessions, and a pane about the one under the cursor."""

    PLACE = "home"
    ACTIONS = (
        KeyAction("open", "enter", "open", "open the session", 1),
        KeyAction("new", "n", "new", "start from a topic (free until you approve a plan)", 2),
        KeyAction(
            "demo",
            "o",
            "demo",
            "a session with recorded answers of a language model: no key, no network, no cost",
            3,
        ),
        KeyAction(
            "reset", "O", "fresh demo", "bring the demo back as it was; yours stays, renamed"
        ),
        KeyAction("import", "i", "import", "import a .coi.db file someone sent you", 4),
        KeyAction(
            "archive",
            "x",
            "archive",
            "archive this session, or bring it back; nothing is deleted",
            6,
        ),
        KeyAction("rename", "r", "rename", "give this session another name"),
        KeyAction("duplicate", "D", "duplicate", "make a copy of this session"),
        KeyAction("delete", "", "delete", "delete this session; u brings it back for ten seconds"),
        KeyAction("undo", "u", "undo", "bring back the session that was just deleted"),
        KeyAction("find", "slash", "filter", "filter the list by name or topic", 7),
        OWN_PAPERS,
        KeyAction("archived", "z", "archived", "show or hide archived sessions"),
        KeyAction("settings", "comma", "settings", "settings"),
        HELP,
        KeyAction(
            "cancel",
            "q",
            "quit",
            "quit coi-tui; a running job is stopped, and what it has finished is saved",
            20,
        ),
    )
    NAMES = ("[1] Sessions", "[2] Session")
    KEY = attrgetter("path")
    MARKED = False
    EMPTY = "No session matches: / changes the filter, z shows archived sessions."
    ON_ROW = frozenset({"open", "archive", "rename", "duplicate", "delete"})
    NO_ROW = "no session is listed"

    all: Sequence[SessionHeader] = ()
    """Every session of the folder; ``items`` are those shown."""
    loaded = shows_archived = False
    _go_to: Path | None = None
    _deleted: Path | None = None
    """A session that is gone from the list; its files go when nobody brings it back in time."""

    def __init__(self, opening: str = "") -> None:
        """``opening``: the session that is being opened; the list is read once it is left."""
        super().__init__()
        self._opening = opening.rpartition("/")[2].removesuffix(".coi.db")
        self._copies: dict[Path, str] = {}
        """When the last intact copy of a damaged session was made."""

    def on_screen_resume(self) -> None:
        if self._opening:
            self.say(f"Opening {self._opening} ...")
            self._opening = ""
        else:
            if not self.loaded:
                self.say("")
            self.reload()

    # -- the list

    def sessions_changed(self, message: str = "") -> None:
        self.say(message)
        self.reload()

    @work(exclusive=True, group="list", exit_on_error=False)
    async def reload(self, at: Path | None = None) -> None:
        """Read the folder again in a thread; the cursor goes to a file if it is there."""
        self._go_to = at or self._go_to
        try:
            found = await asyncio.to_thread(list_sessions, self.coi.paths.sessions)
            await self.coi.load_keys()
        except StoreError as error:
            found = []
            self.trouble(error)
        self._copies = {
            p.path: await asyncio.to_thread(session_files.last_copy, self.coi.paths, p.path)
            for p in found
            if p.state == "damaged"
        }
        self.all, self.loaded = found, True
        self.load()

    def take(self) -> None:
        self.items = [
            p
            for p in self.all
            if (self.shows_archived or not p.archived)
            and has_words(f"{p.name} {p.topic}", self.words)
            and p.path != self._deleted
        ]
        self.set_class(self.loaded and not self.all, "-empty")

    def fill(self, at: int | None = None) -> None:
        if (there := self.place_of(self._go_to)) is not None:
            at, self._go_to = there, None
        super().fill(at)

    def heading(self) -> tuple[str, str]:
        if not self.loaded:
            return "Sessions", ""
        shown, every = len(self.items), len(self.all)
        archived = sum(bool(p.archived) for p in self.all)
        counted = f"{shown} of {every}" if shown != every else str(every)
        parts = [
            f"Sessions   {counted}",
            f"{archived} archived" if archived else "",
            f"with “{self.words}”" if self.words else "",
        ]
        setup = self._setup
        online = "online" if setup.online_model or setup.online_source else "offline"
        model = setup.model if setup.online_model else "built-in drafter"
        return "   ".join(filter(None, parts)), f"model: {model}  {online}"

    @property
    def _setup(self) -> ServiceSetup:
        from coi_tui.session.settings import setup_of

        return setup_of(self.coi.settings, self.coi.keys, False)

    def services(self) -> str:
        """Which services a session would use, and how to get the others, in a line each."""
        setup = self._setup
        model, papers = (name.removeprefix("the ") for name in (setup.model, setup.source))
        from coi_tui.session.settings import to_get_others

        return f"Model: {model}. Papers: {papers}.\n{to_get_others(setup)}".rstrip()

    def columns(self, width: int) -> Table:
        return columns(self.items, [self.state_of(p) for p in self.items], width)

    def state_of(self, header: SessionHeader) -> str:
        """What is special about a session; nothing for most."""
        controller = self.coi.sessions.controllers.get(header.path)
        if controller is None:
            return STATES.get(header.state, "one of two files" if header.reason else "")
        if controller.busy and controller.job:
            return f"running: {controller.job.short.lower()}"
        return "open here"

    def about(self, at: int) -> About:
        # with the verbs come pydantic and the model, for which the first frame does not wait
        from coi_tui.screens.commands import WORKBENCH_ACTIONS

        header = self.items[at]
        keys = {action.id: action.show for action in WORKBENCH_ACTIONS}
        parts = facts(header, self.state_of(header), keys, self._copies.get(header.path, ""))
        return str(header.path), header.topic or header.name, parts

    def show_about(self) -> None:
        if self.composed and self.loaded and not self.all:
            self.about_pane.show("", "No sessions yet", welcome(self.services()))
            self.refresh_footer()
        elif self.loaded:
            super().show_about()

    # -- actions

    def off_find(self) -> str:
        return "" if self.all else "there are no sessions yet"

    off_archived = off_find

    def do_archived(self) -> None:
        self.shows_archived = not self.shows_archived
        self.done(f"Archived sessions are {'shown' if self.shows_archived else 'hidden'}.")

    def do_open(self) -> None:
        """Open the session; of a damaged one ask whether its intact copy is to take its place."""
        header = self.here
        if when := self._copies.get(header.path):
            text = (
                f"The file of {header.name} is damaged ({header.reason}). The last intact copy is from {when}. "
                "Restore it? The damaged file is renamed and kept in the same folder."
            )
            sheet = ConfirmSheet("Restore the last intact copy?", text, "restore")
            self.ask(sheet, lambda _: self._restore(header), UNCHANGED)
        else:
            self.coi.sessions.open(header.path)

    async def do_new(self) -> None:
        from coi_tui.screens.forms import TopicSheet

        begun = await asyncio.to_thread(read_draft, self.coi.paths)
        known = await asyncio.to_thread(methods)
        online = self._setup.online_source
        sheet = TopicSheet(self.services(), begun, known, online)
        self.ask(sheet, self.coi.sessions.create)

    def do_demo(self) -> None:
        self.coi.sessions.open_recorded()

    def off_reset(self) -> str:
        there = recorded_path(self.coi.paths) in self.coi.sessions.controllers
        return "it is open in this app" if there else ""

    async def do_reset(self) -> None:
        done = await asyncio.to_thread(reset_recorded, self.coi.paths)
        self.reload(recorded_path(self.coi.paths))
        self.say(done)

    def do_cancel(self) -> None:
        self.coi.leave()

    # -- archive

    def off_archive(self) -> str:
        header = self.here
        if header.path in self.coi.sessions.controllers:
            return "it is open in this app"
        return "" if header.state == "ok" else "this file cannot be changed"

    async def do_archive(self) -> None:
        header = self.here
        back = bool(header.archived)
        await asyncio.to_thread(session_files.archive_session, header.path, back=back)
        self.reload()
        done = "back in the list" if back else "archived; z shows archived sessions"
        self.say(f"{header.name} is {done}.")

    # -- rename, duplicate, delete

    off_rename = off_archive

    def do_rename(self) -> None:
        path, name = self.here.path, self.here.name
        sheet = AskText(f"Rename {name}", "Its texts and copies stay.", "rename", value=name)

        async def renamed(new: str) -> None:
            rename = partial(session_files.rename_session, self.coi.paths, path, new)
            self.reload(await asyncio.to_thread(rename))
            self.say(f"{name} is now {new}.")

        self.ask(sheet, renamed)

    async def do_duplicate(self) -> None:
        made = await asyncio.to_thread(session_files.copy_session, self.coi.paths, self.here.path)
        self.reload(made)
        self.say(f"{made.name.removesuffix(session_files.ENDING)} is a session of its own.")

    off_delete = off_archive

    def do_delete(self) -> None:
        self.forget()
        self._deleted, name = self.here.path, self.here.name
        self.set_timer(UNDO_S, partial(self.forget, self._deleted))
        self.done(f"{name} is deleted; u brings it back within {UNDO_S:.0f} seconds.")

    def off_undo(self) -> str:
        return "" if self._deleted else "nothing was deleted just now"

    def do_undo(self) -> None:
        self._deleted = None
        self.done("It is back.")

    def forget(self, path: Path | None = None) -> None:
        """Delete the files of what was deleted, if that is ``path`` or whatever it is."""
        gone = self._deleted
        if gone is not None and path in (None, gone):
            self._deleted = None
            try:
                session_files.forget_session(self.coi.paths, str(gone))
            except CoiError as error:
                self.trouble(error)
            self.reload()

    keep_open_work = forget

    # -- import and restore

    def do_import(self) -> None:
        effect = "The file is checked and copied into your sessions; the original is not changed."
        hint = "path of a .coi.db file"
        self.ask(AskText("Import a session file", effect, "import", hint=hint), self._import)

    async def _import(self, path: str) -> None:
        made = await asyncio.to_thread(session_files.import_session, self.coi.paths, path)
        self.reload(made)
        self.say(f"Imported as {made.name.removesuffix(session_files.ENDING)}. Enter opens it.")

    async def _restore(self, header: SessionHeader) -> None:
        await asyncio.to_thread(session_files.restore_last, self.coi.paths, header.path)
        self.reload(header.path)
        self.say(f"{header.name} is restored.")
