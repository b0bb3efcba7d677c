"""Home: the sessions, what each waits for, and how to begin."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.model.errors import StoreError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.home.new_sheet import NewSheet
from coi_tui.screens.home.wish import Wish
from coi_tui.session.run.toolbox import setup_of
from coi_tui.session.watch import Peek, list_sessions
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.marked_list import MarkedList
from coi_tui.widgets.panes import DetailPane, Line
from coi_tui.widgets.words import ago, cut, dollars, fit, indented, size

EMPTY = """
  No sessions yet.

  A session is one research topic: its chains of papers, your decisions,
  the idea drafts and the experiment plan, in one file on this machine.

    n   start from a topic (free until you approve the first plan)
    o   open a demo session (no key, no network, nothing is charged)

{services}
"""

STATES = {
    "damaged": "! damaged: cannot be opened", "newer": "made by a newer coi-tui, read-only",
    "held elsewhere": "open elsewhere, Enter opens read-only", "unreadable": "! cannot be read",
}  # fmt: skip


class SessionList(MarkedList):
    """The rows; Enter belongs to the screen."""

    BINDINGS = bindings("home", "open")


class HomeScreen(CoiScreen[None]):
    """The list of sessions, and a pane about the one under the cursor."""

    PLACE = "home"
    BINDINGS = bindings("home")
    TAIL = ("quit", "palette", "help")

    def __init__(self) -> None:
        super().__init__()
        self.peeks: list[Peek] = []
        self.loaded = False

    def body(self) -> ComposeResult:
        yield Line("coi-tui  Sessions", id="header")
        yield SessionList(id="sessions")
        yield Static("", id="empty", markup=False)
        yield DetailPane(id="about")
        yield Line("", id="said")

    def on_mount(self) -> None:
        self.query_one(SessionList).border_title = Content("[1] Sessions")
        self.query_one(SessionList).focus()
        self.refresh_footer()

    def on_screen_resume(self) -> None:
        self.load()

    def on_resize(self, event: events.Resize) -> None:
        if self.loaded:
            self.call_after_refresh(self._fill)

    # -- the list -------------------------------------------------------------------------------------------------

    @work(exclusive=True, group="list", exit_on_error=False)
    async def load(self) -> None:
        """Look at the folder in a thread, then show what is there."""
        try:
            peeks = await asyncio.to_thread(list_sessions, self.coi.paths.sessions)
            await self.coi.load_keys()
        except StoreError as error:
            peeks = []
            self.trouble(error)
        self.peeks, self.loaded = peeks, True
        self._fill()

    def services(self) -> str:
        """Which services a session would use, in words."""
        setup = setup_of(self.coi.settings, self.coi.keys, False)
        why = f" ({setup.why})" if setup.why else ""
        return f"Language model: {setup.model}{why}. Search: {setup.source}."

    def _fill(self) -> None:
        rows, here, peeks = self.query_one(SessionList), self.peek, self.peeks
        setup = setup_of(self.coi.settings, self.coi.keys, False)
        online = "online" if setup.online_model or setup.online_source else "offline"
        model = setup.model if setup.online_model else "built-in drafter"
        self.query_one("#header", Line).say("coi-tui  Sessions", f"model: {model}  {online}")
        self.set_class(not self.peeks, "-empty")
        services = "\n".join(indented(self.services(), 2, min(74, self.size.width - 6)))
        self.query_one("#empty", Static).update(Content(EMPTY.format(services=services)))
        rows.border_title = Content(f"[1] Sessions   {len(self.peeks)}   last opened first")
        at = next((n for n, p in enumerate(peeks) if here and p.path == here.path), 0)
        rows.show([Content(self._row(p, rows.room)) for p in peeks], at)
        self._about()
        self.refresh_footer()

    def state_of(self, peek: Peek) -> str:
        """What is special about a session, in words; empty for most."""
        desk = self.coi.desks.get(peek.path)
        if desk is not None:
            return f"running: {desk.job.short.lower()}" if desk.busy and desk.job else "open here"
        return STATES.get(peek.state, "")

    def _row(self, peek: Peek, width: int) -> str:
        waiting = self.state_of(peek) or ", ".join(peek.summary.get("waiting") or ()) or "-"
        spent = dollars(float(peek.summary.get("spent_usd") or 0.0))
        step, opened = str(peek.summary.get("step") or "-"), ago(peek.opened)
        name = max(18, (width - 50) // 2)
        rest = width - name - (12 if width >= 74 else 0) - 8 - 13 - 6
        cells = [fit(peek.name, name), fit(step, 12) if width >= 74 else "", fit(waiting, max(12, rest)), fit(spent, 8), cut(opened, 13)]
        return "  ".join(c for c in cells if c)

    @property
    def peek(self) -> Peek | None:
        """The session under the cursor."""
        at = self.query_one(SessionList).highlighted
        return self.peeks[at] if at is not None and at < len(self.peeks) else None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._about()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes to a row; Enter is an action of its own."""
        self._about()

    def _about(self) -> None:
        peek = self.peek
        if peek is not None:
            about = self.query_one("#about", DetailPane)
            about.border_title = Content(f"[2] {cut(peek.name, 50)}")
            about.show(str(peek.path), peek.topic or peek.name, facts_of(peek, self.state_of(peek)))

    # -- actions --------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        return "there is no session yet" if name in ("open", "down", "up") and not self.peeks else ""

    def help_title(self) -> str:
        return "the list of sessions"

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def do_open(self) -> None:
        if peek := self.peek:
            self.coi.open_session(peek.path)

    def do_new(self) -> None:
        self.app.push_screen(NewSheet(self.services(), [(p.name, p.topic) for p in self.peeks]), self._wished)

    def _wished(self, wish: Wish | None) -> None:
        if wish is not None:
            self.coi.create_session(wish)

    def do_demo(self) -> None:
        self.coi.open_demo()

    def do_reload(self) -> None:
        self.load()

    def do_down(self) -> None:
        self.query_one(SessionList).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(SessionList).action_cursor_up()

    def do_quit(self) -> None:
        self.coi.leave()


def facts_of(peek: Peek, special: str) -> Sequence[tuple[str, str]]:
    """What the second pane says about a session."""
    summary = peek.summary
    facts = [
        ("State", f"{special} ({peek.reason})" if special and peek.reason and peek.reason not in special else special),
        ("Waiting", ", ".join(summary.get("waiting") or ()) or "nothing"),
        ("Reached", str(summary.get("step") or "-")),
        ("Chains", f"{summary.get('branches', 0)} branches, {summary.get('papers', 0)} papers"),
        ("Spent", f"{dollars(float(summary.get('spent_usd') or 0.0))}, {summary.get('calls', 0)} calls"),
        ("Changed", ago(peek.changed)),
        ("File", f"{peek.path}  ({size(peek.size)})"),
    ]
    return [("", "\n".join(f"{name:8} {text}" for name, text in facts if text))]
