"""An open session: its rows, the text of the row under the cursor, what comes next, and the job that
runs. Nothing here changes the session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Tree

from coi_tui.model.address import branch_of, cell_ref, question_of
from coi_tui.model.document import about_papers
from coi_tui.model.entries import named
from coi_tui.model.errors import CoiError
from coi_tui.model.money import dollars
from coi_tui.screens.base import SessionScreen
from coi_tui.screens.navigation import EDITING, JobWatch, LastPlace, TextSearch
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.run_sheets import PlanSheet, Remake
from coi_tui.session import wording
from coi_tui.session.opening import QUESTIONS, WALL_STAGE, PendingCounts
from coi_tui.session.queries.differences import readable, sentences
from coi_tui.session.queries.provenance import FailureReport
from coi_tui.session.queries.rows import NextSteps
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.session.wording import Row, RowKind, counts, sentence
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.key_actions import KeyAction
from coi_tui.widgets.panes import DetailPane, JobStrip, Line, StatusLines

DETAIL_AFTER = 0.08
"""Seconds after the cursor has moved until the text follows, so that holding a key stays fast."""
PROPOSALS_EVERY = 2.0
"""Seconds between two looks for what other programs left."""
TICK = 0.05
"""At most twenty looks a second at a running job."""
NOTHING_RUN = "Nothing was run."
BEGIN = "Nothing has been made yet. Press g to choose how far to go; a plan is shown before anything runs."


class ChainScreen(SessionScreen[None]):
    """Shows an open session. Its job belongs to the session's controller: it goes on when this
    screen is left."""

    CSS_PATH = "workbench.tcss"
    TAIL: ClassVar[tuple[str, ...]] = ("back", "help")

    def __init__(self, controller: SessionController, at: str = "") -> None:
        """``at``: an address to begin at; empty where the last time ended."""
        super().__init__(controller)
        self.chain, self.detail = ChainTree(id="chain"), DetailPane(id="detail", marked=True)
        self.jobs, self.status = JobStrip(id="jobs"), StatusLines(id="status")
        self.header = Line(id="header")
        self._at = ""
        """The address that the panes are about."""
        self._seq = -1
        """The state that the rows are of."""
        self._detail_timer: Timer | None = None
        self._next = NextSteps()
        """What comes next among the rows that are shown."""
        self._asked_about: tuple[str, int] = ("", -1)
        self._refusals: Mapping[str, str] = {}
        """Why verbs are not allowed at that row in that state."""
        self._why_for = ""
        """The address whose reasons are shown in place of its text; empty for none."""
        self._streamed = ""
        """The address whose answer was coming in when it was last shown."""
        self._begin_at = at
        self.search = TextSearch(self, self.chain, self.detail, self.show_status)
        self.place = LastPlace(self.session, self.chain)
        self.watch_job = JobWatch(
            controller, self.jobs, self.refresh_rows, lambda: self.coi.last_key
        )
        self.delegates = (self.search,)
        controller.shown += 1

    def body(self) -> ComposeResult:
        yield self.header
        yield Horizontal(self.chain, self.detail, id="panes")
        yield self.jobs
        yield self.status

    def on_mount(self) -> None:
        self.chain.border_title = Content("[1] Chain")
        self.chain.focus()
        self.watch_job.plain = self.coi.appearance.plain
        self.place.recall_rows()
        self._looks = self.set_interval(TICK, self._look, pause=self.watch_job.job is None)
        self.set_interval(PROPOSALS_EVERY, self._take_proposals)
        self.refresh_rows()
        self.say(welcome(self.session))
        self.call_after_refresh(self._begin)

    def on_unmount(self) -> None:
        self.controller.shown -= 1

    def on_screen_resume(self) -> None:
        """What was opened over this screen may have changed the session."""
        if self._seq not in (-1, self.session.state.seq):
            self.refresh_rows()

    def keep_open_work(self) -> None:
        """Save the row where the cursor is; called when the app ends."""
        if not self.has_class("-tiny"):
            self.place.keep()

    def do_back(self) -> None:
        """Back to the sessions; a job goes on. Not while something lies over this screen, which
        would stay behind."""
        if self.app.screen is self:
            self.keep_open_work()
            self.coi.sessions.leave(self.controller)
            self.dismiss()

    @property
    def row(self) -> Row | None:
        return self.chain.row

    @property
    def address(self) -> str:
        return self.chain.address

    @property
    def rows(self) -> Mapping[str, Row]:
        return self.chain.rows

    def say(self, text: str) -> None:
        self.status.say(text)

    def done(self, message: str) -> None:
        self.refresh_rows()
        self.say(message)

    # -- keys

    def why_off(self, name: str) -> str:
        """First what the parts of the screen say, then the rules of the session."""
        if self.row is None and name not in self.TAIL:
            return "there is no row"
        if (self.address, self.session.state.seq) != self._asked_about:
            self._ask_the_session()
        return super().why_off(name) or self._refusals.get(name, "")

    def _ask_the_session(self) -> None:
        """Ask once what is allowed at a row. A key does what the footer says; the change itself is
        checked again where it is made."""
        self._asked_about = (self.address, self.session.state.seq)
        self._refusals = self.session.refusals(self.address)

    def refresh_footer(self) -> None:
        if self.address:
            self._ask_the_session()
        super().refresh_footer()

    def label(self, item: KeyAction) -> str:
        word = self.method(f"word_{item.id}")
        return (word() if word is not None else "") or item.label

    # -- going somewhere

    def _begin(self) -> None:
        """Go to the row that was asked for, or say that there is none; else go on with the draft
        that was open when the app went away."""
        self.place.recalled = True
        address = str(self.session.remembered(EDITING, "") or "")
        if self._begin_at:
            try:
                self.go_near(self.session.resolve(self._begin_at))
            except CoiError as error:
                self.trouble(error)
        elif not address or self.session.read_only_reason or not self.is_active:
            return
        elif address in self.rows and self.session.edits.draft(address) is not None:
            self.chain.go(address)
            self.method("do_edit")()
        else:
            self.session.remember(EDITING, "")

    def off_next(self) -> str:
        waits = any(row.needs_you for row in self.rows.values())
        return "" if waits else "no row needs you; the line above says what comes next"

    def do_next(self) -> None:
        """Go to the next row that needs the person, round and round."""
        target = self.chain.next_waiting()
        self.chain.go(target)
        if not target:
            self.say("This is the only row that needs you.")

    def go_to_row(self, address: str, message: str) -> None:
        """Put the cursor on a row, unfolding what hides it; ``message`` stays on the status
        line."""
        self.chain.go(address)
        self.follow_cursor()
        self.say(message)

    def go_near(self, address: str) -> None:
        """Put the cursor on a row, or on that of its paper or branch where it has none of its
        own."""
        near = (address, address.partition(".")[0], address.partition("/")[0])
        if target := next((row for row in near if row in self.rows), ""):
            self.chain.go(target)
        else:
            self.say(f"{address} has no row now.")

    # -- panes

    def go_to_pane(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for both, it takes the place of the other."""
        self.set_class(name == "detail", "-detail")
        if focus or self.has_class("-one"):
            self.query_one(f"#{name}").focus()

    def do_pane_1(self) -> None:
        self.go_to_pane("chain")

    def do_pane_2(self) -> None:
        self.go_to_pane("detail")

    do_enter = do_pane_2

    def do_escape(self) -> None:
        """Close what is open, one thing at a time. The session stays: leaving it has a key of its
        own."""
        if self.search.escape():
            return
        if self._why_for:
            self.do_why()
        elif self.watch_job.close():
            return
        elif self.focused is self.detail or self.has_class("-detail"):
            self.do_pane_1()
        else:
            self.say("Nothing is open here. q goes back to the sessions.")

    def take_size(self, width: int, height: int) -> None:
        """Cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        super().take_size(width, height)
        if self.composed and not self.has_class("-tiny"):
            self.set_class(self.focused is self.detail, "-detail")
            self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        """Give the focus to the chain, or to the text, when its pane is not on the screen."""
        seen = self.focused is not None and self.focused.display
        if self.is_active and not self.has_class("-tiny") and not seen:
            (self.chain if self.chain.display else self.detail).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_footer)

    # -- rows

    def refresh_rows(self) -> None:
        """Bring everything shown in line with the session; cursor, scroll and folds stay."""
        if not self.composed:  # what was asked for while the screen leaves comes too late
            return
        self._seq = self.session.state.seq
        rows = self.session.rows()
        self._next = self.session.next_steps(rows, self._next.goal)
        self.place.mark()
        self.chain.show(rows)
        self._at = self.address
        self.show_status()
        self.show_detail()
        self.show_header()
        self.refresh_footer()
        self.replace_worker(self._find_goal, "next")

    async def _find_goal(self) -> None:
        """Find in a thread how far a run could go; what was known before is shown until then."""
        shown, find = self._next, self.session.find_goal()
        goal = await asyncio.to_thread(find)
        if shown is self._next and self.composed and goal != shown.goal:
            self._next = replace(shown, goal=goal)
            self.show_status()

    def show_status(self) -> None:
        """The row in words, and what comes next from it on, or what is sought."""
        row = self.row
        tagged = ", tagged" if row is not None and row.address in self.chain.tagged else ""
        keys = {action.id: action.show for action in self.actions}
        coming = (
            self.search.words()
            if self.search.sought
            else wording.by_keys(self._next.step(self.address), keys, self.address)
        )
        self.status.show(f"{sentence(row)}{tagged}" if row else "", coming)

    def show_header(self) -> None:
        """Where we are, what waits, money and network."""
        self.header.say(*header(self.controller, self.address, self._next.needs))

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[str]) -> None:
        """A click, a search or a jump moved the cursor."""
        if self.follow_cursor():
            self.refresh_footer()

    def follow_cursor(self) -> bool:
        """Tell of the row that the cursor moved to; False where it has not moved, also where the
        tree was built again.

        The status follows at once, in the same frame as the cursor, the text after a moment, so
        that holding a key stays fast.
        """
        before, self._at = self._at, self.address
        if before == self._at:
            return False
        if before:
            self._why_for = ""
            self.say("")
        self.chain.unseen.discard(self.address)
        self.show_status()
        self.show_header()
        if self._detail_timer is not None:
            self._detail_timer.stop()
        self._detail_timer = self.set_timer(DETAIL_AFTER, self.show_detail)
        return True

    async def on_chain_tree_row_opened(self, event: ChainTree.RowOpened) -> None:
        await self.action_act("enter")

    # -- the text of the row

    def show_detail(self) -> None:
        """Bring the text in line with the row under the cursor: its reasons, the answer that comes
        in, to be read and not to be used, or what is in use."""
        row = self.row
        if row is None or not self.composed:
            return
        address, raw = row.address, self.controller.incoming(row.address)
        self._streamed = ""
        title, key, name = "[2] Detail", address, address
        if self._why_for == address:
            title, key, name = (
                "[2] Why   w or Esc: back to the text",
                f"why {address}",
                f"Why {address}",
            )
            parts = [("", reason) for reason in self.session.why(address)]
        elif raw:
            title, key, self._streamed = "[2] Detail   streaming", f"streaming {address}", address
            text = readable(raw)
            text = text if self.app.animation_level != "none" else sentences(text)
            parts = [("", text), ("", "(streaming; it is a version when it is complete)")]
        else:
            about = self.session.detail(address)
            name, parts = about.title, self._with_failure(row, about.parts)
            title += "   Enter here: its sources" if about_papers(about.blocks) else ""
            if address == "topic" and len(self.session.state.cells) <= 1:
                parts.append(("Next", BEGIN))
        self.detail.border_title = Content(title)
        self.detail.show(key, name, parts, grows=bool(self._streamed))
        if self.search.sought:
            self.show_status()

    def failure_here(self) -> FailureReport | None:
        """The failed task of the row under the cursor."""
        row = self.row
        failed = row is not None and row.failed and not row.running
        return self.session.failure(self.address) if failed else None

    def has_view(self, address: str) -> bool:
        """Whether Enter opens a screen on this row."""
        if address and cell_ref(address).kind == "arena":
            return any(a.startswith("A/") for a in self.rows)
        return bool(address) and self.session.has_view(address)

    def _with_failure(self, row: Row, parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """A row's text below what failed there; a text from before under a heading of its own, so
        that it is not read as the reason."""
        failure, state = self.failure_here(), self.session.state
        if failure is None:
            return list(parts)
        in_use = failure.address == row.address and state.in_use(row.address) is not None
        remedy = (
            "r tries it again"
            if self.has_view(row.address)
            else "Enter shows what was tried and the ways on"
        )
        about = [
            failure.happened,
            *([failure.intact] if in_use else []),
            f"{remedy}; finished calls are not paid twice.",
        ]
        (heading, text), *rest = parts or [("", "")]
        first = (heading or ("In use" if in_use else ""), text)
        return [("Failed", "\n".join(about)), first, *rest]

    def off_why(self) -> str:
        return "nothing more to tell about this row" if self.address in ("A", "X") else ""

    def do_why(self) -> None:
        """Show why the row is as it is, or its text again."""
        self._why_for = "" if self._why_for else self.address
        self.show_detail()
        if self._why_for:
            self.go_to_pane("detail", focus=False)

    # -- plans and the job

    def open_plan(
        self,
        plan: Plan,
        *,
        refused: Callable[[], object] | None = None,
    ) -> None:
        """Run a plan at once, or after a yes on its sheet where it asks; ``refused`` follows where
        it is not to run. One that has nothing to run is shown, to say why.

        A plan of texts can be ticked line by line, that of a run goes as a whole.
        """
        planner, goal = self.session.planner, plan.goal
        if not (plan.asks or plan.empty):
            self.start(plan, plan.at_once())
            return
        remake: Remake | None = None
        if goal.kind == "refresh" and len({line.address for line in plan.lines}) > 1:
            remake = partial(planner.to_make, title=plan.title, again=goal.again, step=goal.step)

        def answered(approved: Plan | None) -> None:
            if approved is not None:
                self.start(approved)
            else:
                (refused or partial(self.say, NOTHING_RUN))()

        sheet = PlanSheet(plan, remake, planner.needs(plan), planner.budget_left())
        self.app.push_screen(sheet, answered)

    def start(self, plan: Plan, message: str = "") -> None:
        """Run a plan that was approved, or that needs no yes; while a job runs it waits its
        turn."""
        try:
            job = self.coi.sessions.start_job(self.controller, plan)
        except CoiError as error:
            self.trouble(error)
            return
        self.watch_job.follow(job)
        self._looks.resume()
        waits = f"{plan.title} waits its turn; S lets go of it and stops the job."
        self.done(message if job.plan is plan else waits)

    def _take_proposals(self) -> None:
        """Take in what other programs propose for this session."""
        if self.composed and (found := self.session.take_proposals()):
            self.refresh_rows()
            self.say("; ".join(f"{named(one.actor)} proposes at {one.address}" for one in found))

    def _look(self) -> None:
        """Follow the job that runs."""
        if not self.composed:
            return
        address = self.address
        if not self._why_for and (
            self.controller.incoming(address) or self._streamed == address != ""
        ):
            self.show_detail()
        job = self.watch_job.job
        if message := self.watch_job.look(short=self.size.height < 20):
            self.say(message)
            if self.is_active and job is not None:
                self._open_choice(job.plan.goal.until)
            if not self.is_active:  # the status line is covered
                self.app.notify(message, markup=False, timeout=6)
            if self.is_active and self.watch_job.rewritten == address:
                self.call_later(self.action_act, "diff")
            self.watch_job.rewritten = ""
            self.refresh_footer()
        if self.watch_job.job is None:
            self._looks.pause()

    def _open_choice(self, until: str) -> None:
        """A run to the questions or to the sketches ends before them, where some are to be
        chosen."""
        row = self.rows.get(question_of(1)) if until == QUESTIONS else None
        if until == WALL_STAGE:
            row = next(
                (r for r in self.rows.values() if r.kind is RowKind.ARENA and r.needs_decision),
                None,
            )
        if row is not None and row.made:
            self.chain.go(row.address)
            self.call_later(self.action_act, "enter")


def welcome(session: Session) -> str:
    """What a person has to know before anything else, in one line; empty where what comes next says
    it all."""
    if reason := session.read_only_reason:
        return f"Read-only: {reason}. Nothing you do here is kept."
    return "" if len(session.state.cells) > 1 else BEGIN


def header(controller: SessionController, address: str, needs: PendingCounts) -> tuple[str, str]:
    """Where we are; at the right what runs or waits, money and network."""
    session, job = controller.session, controller.job
    branches, branch = session.state.branches, branch_of(address) if address else 0
    place = f"branch {branches.index(branch) + 1} of {len(branches)}" if branch in branches else ""
    at = f"at {address}" if address else ""
    where = (session.name, at, session.methods.short_of(address), place)
    running = job.short if job is not None and controller.busy else ""
    saved = "read-only" if session.read_only_reason else "saved"
    online = not session.offline and (session.setup.online_model or session.setup.online_source)
    cap, spent = session.cap().usd, session.spent()
    unpriced = spent.money.unpriced and not spent.money.usd
    amount = f"{spent.tokens:,} tokens" if unpriced else str(spent.money)
    money = f"{amount} of {dollars(cap)}" if cap else amount
    facts = (running, *counts(needs), saved, money, "online" if online else "offline")
    return "  ".join(filter(None, where)), "  ".join(filter(None, facts))
