"""The workbench: the chain of a session, the text of the row under the cursor, and every decision
about it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.screen import Screen, ScreenResultCallbackType
from textual.timer import Timer
from textual.widgets import Tree

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import MOVING, CoiScreen
from coi_tui.screens.commands import WORKBENCH_ACTIONS, row_legend
from coi_tui.screens.navigation import Navigation, PaneLayout, Place, TextSearch
from coi_tui.screens.row_actions import PaperActions, TextActions
from coi_tui.screens.row_texts import DetailTexts, RowScreens, header, welcome
from coi_tui.screens.sessions import SessionController
from coi_tui.screens.sheets import confirm_impact
from coi_tui.screens.workbench_actions import DecisionActions, JobWatch, RunActions
from coi_tui.session import wording
from coi_tui.session.decisions.verbs import VERBS
from coi_tui.session.queries.next_step import NextSteps
from coi_tui.session.wording import Row, glyph, sentence
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.key_actions import KeyAction
from coi_tui.widgets.panes import DetailPane, JobStrip, Line, StatusLines

if TYPE_CHECKING:
    from coi_tui.session.session import Session


T = TypeVar("T")
READERS = 6
"""Cells that read a row, named in the inspector."""
NEEDS = 6
"""Lines of the list of what needs the person."""
DETAIL_AFTER = 0.08
"""Seconds after the cursor has moved until the text follows, so that holding a key stays fast."""
TICK = 0.05
"""At most twenty looks a second at a running job."""
STARTS = frozenset(("generate", "refresh_all", "network"))
CHANGES = frozenset(("note", "means", "criteria"))
"""Actions that no session takes which cannot be written; those of ``STARTS`` while a job runs,
either."""


class WorkbenchScreen(CoiScreen[None]):
    """Shows an open session. Its job belongs to the session's controller: it goes on when this
    screen is left.

    The screen puts widgets and controllers together: a key is a command of one of them (``actions``
    names the keys).
    """

    PLACE = "workbench"
    CSS_PATH = "workbench.tcss"
    ACTIONS = WORKBENCH_ACTIONS
    TAIL: ClassVar[tuple[str, ...]] = ("back", "help")

    def __init__(self, controller: SessionController, at: str = "") -> None:
        """``at``: an address to begin at; empty where the last time ended."""
        super().__init__()
        self.controller, self.session = controller, controller.session
        self.chain, self.detail, self.inspector = (
            ChainTree(id="chain"),
            DetailPane(id="detail", marked=True),
            DetailPane(id="inspector"),
        )
        self.jobs, self.status, self.header = (
            JobStrip(id="jobs"),
            StatusLines(id="status"),
            Line(id="header"),
        )
        self._at = ""
        """The address that the panes are about."""
        self._detail_timer: Timer | None = None
        self._needs: tuple[str, ...] = ()
        self._waiting = 0
        self._next = NextSteps()
        """What comes next among the rows that are shown."""
        self.any_stale = False
        """Whether a row can be brought up to date."""
        self._asked_about = ""
        self._refusals: Mapping[str, str] = {}
        """Why verbs are not allowed there, as of the last refresh."""
        self.navigation, self.search = Navigation(self), TextSearch(self)
        self.panes, self.place = PaneLayout(self), Place(self, at)
        self.texts, self.row_screens = DetailTexts(self), RowScreens(self)
        self.decisions, self.papers = DecisionActions(self), PaperActions(self)
        self.text_actions = TextActions(self)
        self.runs, self.watch_job = RunActions(self), JobWatch(self)
        self.delegates = (
            self.navigation,
            self.search,
            self.panes,
            self.texts,
            self.decisions,
            self.papers,
            self.text_actions,
            self.runs,
        )

    def body(self) -> ComposeResult:
        yield self.header
        yield Horizontal(self.chain, Container(self.detail, self.inspector, id="side"), id="panes")
        yield self.jobs
        yield self.status

    def on_mount(self) -> None:
        self.chain.border_title = Content("[1] Chain")
        self.detail.border_title = Content("[2] Detail")
        self.inspector.border_title = Content("[3] Inspector")
        self.chain.focus()
        self.place.recall_rows()
        self.controller.shown += 1
        self.set_interval(TICK, self._look)
        self.refresh_rows()
        self.say(welcome(self.session))
        self.call_after_refresh(self.place.begin)

    def on_unmount(self) -> None:
        self.controller.shown -= 1

    def keep_open_work(self) -> None:
        """The app is leaving."""
        self.place.keep()

    def do_back(self) -> None:
        """Back to the sessions; a job goes on. Not while something lies over this screen, which
        would stay behind."""
        if self.app.screen is not self:
            return
        self.place.keep()
        self.coi.sessions.leave(self.controller)
        self.dismiss(None)

    # -- what the controllers ask for

    @property
    def row(self) -> Row | None:
        return self.chain.row

    @property
    def address(self) -> str:
        return self.chain.address

    @property
    def rows(self) -> Mapping[str, Row]:
        return self.chain.rows

    def go_to_row(self, address: str, message: str = "") -> None:
        """Put the cursor on a row, unfolding what hides it; ``message`` stays on the status line."""
        self.chain.go(address)
        if message:
            self.follow_cursor()
            self.say(message)

    def say(self, text: str) -> None:
        self.status.say(text)

    def done(self, message: str) -> None:
        """Something was decided: show it, and say so."""
        self.refresh_rows()
        self.say(message)

    async def decide(
        self,
        own: str,
        question: str,
        act: Callable[[Session], T],
        done: str | Callable[[T], str],
        then: Callable[[], object] | None = None,
    ) -> None:
        """Make a decision about the row ``own``; one that moves other rows says which, and asks
        once, unless there is no ``question``. ``then`` follows where it was made."""

        async def go() -> None:
            if await self.commit(partial(act, self.session), done) and then is not None:
                then()

        if not question:
            await go()
            return
        try:
            changes = self.session.impact(own, act)
        except CoiError as error:
            self.trouble(error)
        else:
            await confirm_impact(changes, question, go, self.open, self.say)

    async def commit(self, change: Callable[[], T], message: str | Callable[[T], str]) -> bool:
        """Make a change of the session, show it and say so; False where it was refused, which is
        then said instead."""
        try:
            result = await self.controller.decide(change)
        except CoiError as error:
            self.trouble(error)
            return False
        self.done(message if isinstance(message, str) else message(result))
        return True

    def open(self, screen: Screen[T], then: ScreenResultCallbackType[T]) -> None:
        self.app.push_screen(screen, then)

    async def act(self, name: str) -> None:
        await self.action_act(name)

    def in_background(self, work: Coroutine[Any, Any, object], name: str) -> None:
        self.run_worker(work, name=name, group="decide", exit_on_error=False)

    # -- keys

    def why_off(self, name: str) -> str:
        """First what the parts of the screen say, then the rules of the session."""
        if self.row is None and name not in self.TAIL:
            return "there is no row"
        if self.address != self._asked_about:
            self._ask_the_session(self.address)
        if name in STARTS and (reason := self.controller.not_idle()):
            return reason
        if name in CHANGES and (reason := self.controller.not_writable()):
            return reason
        off = self._method(f"off_{name}")
        return (off() if off is not None else "") or self._refusals.get(name, "")

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        """A verb without a screen of its own is decided as the table says."""
        if self._method(f"do_{name}") is None and name in VERBS:
            return partial(self.decisions.decide, name)
        return super().handler(name)

    def _ask_the_session(self, address: str) -> None:
        """Ask once what is allowed at a row. A key does what the footer says; the change itself is
        checked again where it is made."""
        self._asked_about, self._refusals = address, self.controller.refusals(address)

    def refresh_footer(self) -> None:
        if self.address:
            self._ask_the_session(self.address)
        super().refresh_footer()

    def label(self, item: KeyAction) -> str:
        word = self._method(f"word_{item.id}")
        return (word() if word is not None else "") or item.label

    def help_title(self) -> str:
        row = self.row
        return f"workbench, on {row.address}" if row else "workbench"

    def help_notes(self) -> tuple[str, ...]:
        return (f"{MOVING} In the chain Left, Right and Space fold and unfold.", *row_legend())

    # -- showing

    def refresh_rows(self) -> None:
        """Bring everything shown in line with the session; cursor, scroll and folds stay."""
        if not self.composed:  # what was asked for while the screen leaves comes too late
            return
        rows = self.session.queries.rows()
        self._next = self.session.queries.next_steps(rows, self._next.goal)
        self.chain.show(rows)
        self.count_needs()
        self._at = self.address
        self.show_status()
        self.show_detail()
        self.show_header()
        self.refresh_footer()
        self.replace_worker(self._look_far, "next")

    async def _look_far(self) -> None:
        """Find how far a run could go, beside the keys; what was known before stands until then."""
        shown, find = self._next, self.session.queries.find_goal()
        goal = await asyncio.to_thread(find)
        if shown is self._next and self.composed and goal != shown.goal:
            self._next = replace(shown, goal=goal)
            self.show_status()

    def count_needs(self) -> None:
        """Take the list of what needs the person from the rows; once for each change of them, not
        for each key."""
        needs = [row for row in self.rows.values() if row.needs_you]
        self._waiting = len(needs)
        self.any_stale = any(row.stale and not row.running for row in self.rows.values())
        self._needs = tuple(f"{glyph(row)} {row.address} {row.title}" for row in needs[:NEEDS])

    def show_status(self) -> None:
        row = self.row
        tagged = ", tagged" if row is not None and row.address in self.chain.tagged else ""
        self.status.show(
            f"{sentence(row)}{tagged}" if row else "",
            self.search.words() or self._coming(),
        )

    def _coming(self) -> str:
        """What comes next from the row under the cursor on, in a line."""
        keys = {action.id: action.show for action in self.ACTIONS}
        return wording.by_keys(self._next.step(self.address), keys, self.address)

    def show_header(self) -> None:
        """Where we are, what waits, money and network."""
        self.header.say(*header(self.controller, self.address, self._next.needs))

    def show_detail(self) -> None:
        """Bring text and inspector in line with the row under the cursor."""
        if self.composed:
            self.show_inspector()
            self.texts.show()

    def show_inspector(self) -> None:
        """Who made the row, what needs the person, and what happened last."""
        if not self.address or not self.inspector.is_mounted:
            return
        queries = self.session.queries
        readers = queries.readers(self.address)
        made, read_by = queries.why(self.address)[:2], ", ".join(readers[:READERS])
        if readers:
            made.append(f"Read by {read_by}{' and others' if len(readers) > READERS else ''}.")
        more = [f"and {self._waiting - NEEDS} more"] if self._waiting > NEEDS else []
        parts = [
            ("Made by", "\n".join(made)),
            ("Needs you", "\n".join([*self._needs, *more]) or "nothing"),
            ("Activity", "\n".join(queries.activity()) or "nothing yet"),
        ]
        self.inspector.show(self.address, "", parts)

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[str]) -> None:
        """A click, a search or a jump moved the cursor."""
        if self.follow_cursor():
            self.refresh_footer()

    def follow_cursor(self) -> bool:
        """Tell of the row that the cursor moved to; False where it has not moved, also where the
        tree was built anew.

        The status follows at once, in the same frame as the cursor, the text after a moment, so
        that holding a key stays fast.
        """
        before, self._at = self._at, self.address
        if before == self._at:
            return False
        if before:
            self.texts.why_for = ""
            self.say("")
        self.show_status()
        self.show_header()
        if self._detail_timer is not None:
            self._detail_timer.stop()
        self._detail_timer = self.set_timer(DETAIL_AFTER, self.show_detail)
        return True

    def on_chain_tree_row_opened(self, event: ChainTree.RowOpened) -> None:
        self.navigation.do_enter()

    def _look(self) -> None:
        """Follow the job that runs."""
        if not self.composed:
            return
        self.texts.show_stream()
        if message := self.watch_job.look(short=self.size.height < 20):
            self.say(message)
            if not self.is_active and self.controller.job is not None:  # the status line is covered
                self.app.notify(self.controller.job.closing(), markup=False, timeout=6)
            if self.is_active and self.watch_job.rewritten == self.address:
                self.in_background(self.act("diff"), "difference")
            self.watch_job.rewritten = ""
            self.refresh_footer()

    # -- sizes

    def take_size(self, width: int, height: int) -> None:
        super().take_size(width, height)
        self.panes.take_width(width)
        if self.composed and not self.tiny:
            self.panes.resized()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_footer)
