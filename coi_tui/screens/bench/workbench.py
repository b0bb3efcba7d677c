"""The workbench: the chain of a session, the text of the row under the cursor, and every decision about it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static, Tree

from coi_tui.model.errors import CoiError
from coi_tui.screens.bench import offs
from coi_tui.screens.bench.attaching import Attaching
from coi_tui.screens.bench.choosing_by import ChoosingBy
from coi_tui.screens.bench.comparing import Comparing
from coi_tui.screens.bench.copying import Copying
from coi_tui.screens.bench.failing import Failing
from coi_tui.screens.bench.finding import Finding
from coi_tui.screens.bench.going import Going
from coi_tui.screens.bench.pacing import Pacing
from coi_tui.screens.bench.queueing import Queueing
from coi_tui.screens.bench.resuming import Resuming
from coi_tui.screens.bench.running import Running
from coi_tui.screens.bench.searching import Searching
from coi_tui.screens.bench.sharing import Sharing
from coi_tui.screens.bench.streaming import Streaming
from coi_tui.screens.bench.surface import Surface
from coi_tui.screens.bench.viewing import Viewing
from coi_tui.screens.bench.writing import Writing
from coi_tui.widgets.actions import bindings
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.inspector import Inspector
from coi_tui.widgets.panes import DetailPane, JobStrip, Line, StatusLines

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk, Job
    from coi_tui.session.queries.row import Row
    from coi_tui.session.runs.plans import Plan
    from coi_tui.widgets.actions import Action

DETAIL_AFTER = 0.08
TICK = 0.05
"""At most twenty looks a second at a running job."""
KEYS_PAUSE, ROWS_WAIT = 0.15, 2.0
"""Seconds without a key after which new rows of a run are painted, and the longest that they wait for that."""

MARKS = (
    "Marks  1st: ? undecided + accepted P pinned x rejected   2nd: . fresh ~ stale : upstream * running ! failed _ empty\n"
    "       3rd: m model  d drafter  s source  e edited by you  h yours  L protected   stale^ = stale further up"
)
BEGIN = "Nothing has been made yet. Press g to choose how far to go; a plan is shown before anything runs."


class Workbench(
    Failing, Streaming, Attaching, Pacing, Finding, Searching, Viewing, Resuming,
    Going, Writing, Running, Queueing, Sharing, Copying, Comparing, ChoosingBy, Surface,
):  # fmt: skip
    """Shows one desk. A job belongs to the desk: it goes on when this screen is left."""

    PLACE = "workbench"
    CSS_PATH = "workbench.tcss"
    BINDINGS = bindings("workbench")
    TAIL: ClassVar[tuple[str, ...]] = ("back", "help")

    def __init__(self, desk: Desk, at: str = "") -> None:
        super().__init__(desk, at)
        self._at = ""
        self._detail_timer: Timer | None = None
        self._seen: tuple[int, int] = (-1, 0)
        self._next_look = self._waits_since = 0.0
        self._job: Job | None = None

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="panes"):
            yield ChainTree(id="chain")
            yield DetailPane(id="detail")
            yield Inspector(id="inspector")
        yield JobStrip(id="jobs")
        yield StatusLines(id="status")
        yield Static(MARKS, id="legend", markup=False)

    def on_mount(self) -> None:
        self.chain.border_title = Content("[1] Chain")
        self.detail.border_title = Content("[2] Detail")
        self.inspector.border_title = Content("[3] Inspector")
        self.chain.moved = self._follow
        self.chain.focus()
        self.recall_layout()
        self.recall_rows()
        self.recall_tags()
        self.desk.shown += 1
        self._job = self.desk.job if self.desk.busy else None
        self.set_interval(TICK, self._look)
        self.refresh_rows()
        self.say(self._welcome())
        self.call_after_refresh(self.recall_place)

    def _welcome(self) -> str:
        """What waits, in one line."""
        if reason := self.session.read_only_reason:
            return f"Read-only: {reason}. Nothing you do here is kept."
        if waits := ", ".join(self.session.queries.waiting()):
            return f"Waiting for you: {waits}. ] goes to the next."
        return "" if len(self.session.state.cells) > 1 else BEGIN

    def on_unmount(self) -> None:
        self.desk.shown -= 1

    def do_back(self) -> None:
        with contextlib.suppress(CoiError):  # a full disk must not hold the leaving up
            self.keep_open_work()
        super().do_back()

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh_rows(self) -> None:
        """Bring everything shown in line with the session; cursor, scroll and folds stay."""
        self.chain.show(self.session.queries.rows())
        self.count_needs()
        self._at = self.chain.address
        self.show_status()
        self.show_detail()
        self.show_header()
        self.refresh_footer()

    def show_status(self) -> None:
        row, tree = self.chain.row, self.chain
        onward = tree.next_waiting()
        target = tree.rows.get(onward)
        tail = f"] next for you: {self.named(onward)} {target.title} ({target.note})" if target else "] nothing else needs you"
        words = f"{row.words}{', tagged' if row.address in tree.tagged else ''}" if row else ""
        self.query_one(StatusLines).show(words, row.title if row else "", self.search_words() or tail)

    def show_detail(self) -> None:
        row = self.chain.row
        if row is None:
            return
        self.show_inspector()
        if self.why_for == row.address:
            self.detail.border_title = Content("[2] Why   w or Esc: back to the text")
            parts = [("", sentence) for sentence in self.session.queries.why(row.address)]
            self.detail.show(f"why {row.address}", f"Why {self.named(row.address)}", parts)
            return
        if self.looking is not None and self.looking not in self.session.state.cell(row.address).versions:
            self.looking = None
        if self.looking is not None:
            all_of = self.session.state.cell(row.address).versions
            place = f"{all_of.index(self.looking) + 1} of {len(all_of)}"
            self.detail.border_title = Content(f"[2] Version {place}, not in use   < > flip  a adopt  Esc back")
            other = self.session.queries.detail(row.address, self.looking)
            self.detail.show(f"v{self.looking} {row.address}", other.title, other.parts)
            return
        if self.streams(row.address):
            return
        self.detail.border_title = Content("[2] Detail")
        about = self.session.queries.detail(row.address)
        self.detail.show(row.address, about.title, [*self._failed(row, about.parts), *self._hint(row)])

    def named(self, address: str) -> str:
        """An address as it is shown."""
        return address

    def _failed(self, row: Row, parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """A row's text below what failed there; a text from before under a heading of its own, so that it is not read as the reason."""
        trouble = self.trouble_here()
        if trouble is None:
            return list(parts)
        held = trouble.address == row.address and self.session.state.in_use(row.address) is not None
        ways = "r tries it again" if self.has_view(row.address) else "Enter shows what was tried and the ways on"
        kept = [trouble.intact] if held else []
        told = ("FAILED", "\n".join([trouble.happened, *kept, f"{ways}; finished calls are not paid twice."]))
        return [told, *((heading or ("IN USE" if held and n == 0 else ""), text) for n, (heading, text) in enumerate(parts))]

    def _hint(self, row: Row) -> list[tuple[str, str]]:
        return [("NEXT", BEGIN)] if row.address == "topic" and len(self.session.state.cells) <= 1 else []

    def on_tree_node_highlighted(self, event: Tree.NodeHighlighted[str]) -> None:
        self._follow()

    def _follow(self) -> None:
        """The status follows the cursor at once, the text after a moment, so that holding a key stays fast."""
        before, self._at = self._at, self.chain.address
        if before == self._at:
            return  # the tree was built anew; the person has not moved
        if before:
            self.why_for, self.looking = "", None
            self.say("")
        self.show_status()
        self.show_header()
        self.refresh_footer()
        if self._detail_timer is not None:
            self._detail_timer.stop()
        self._detail_timer = self.set_timer(DETAIL_AFTER, self.show_detail)

    def say(self, text: str) -> None:
        self.query_one(StatusLines).say(text)

    def hide_strip(self) -> None:
        self.strip = []
        self.query_one(JobStrip).show([])

    # -- the job --------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Look at the job: rows when something happened, the strip when something happened or a second went by."""
        job = self.desk.job
        if job is None or (job.ended and self._job is not job):
            return
        self._job = job
        self.show_streaming()
        now = time.monotonic()
        seen = (job.version, int(now))
        if seen == self._seen or now < self._next_look:
            return
        happened = job.version != self._seen[0]
        if not happened or job.ended or not self._keys_first(now):
            self._seen, self._waits_since = seen, 0.0
            if happened:
                self.refresh_rows()
                self._next_look = time.monotonic() + 5 * (time.monotonic() - now)  # a long look is taken less often
        if job.ended:
            self._ended(job)
        self.query_one(JobStrip).show(self.strip if job.ended else job.lines(short=self.size.height < 20))

    def _keys_first(self, now: float) -> bool:
        """Whether new rows wait a little, because keys come in: painting them would hold up the answer to the next one."""
        self._waits_since = self._waits_since or now
        return now - self.coi.key_at < KEYS_PAUSE and now - self._waits_since < ROWS_WAIT

    def _ended(self, job: Job) -> None:
        self._job = None
        failures = job.failures()
        self.strip = [job.closing(), *failures[:4], "Esc closes this"] if failures or job.error else []
        until = job.plan.goal.until
        short = self.session.queries.shortfall(until) if until and not job.stopping else ""
        beside = self.session.queries.came_beside(job.outcome.made) if job.outcome is not None else []
        alternative = f"Beside your text, not in use: {', '.join(map(self.named, beside[:4]))}." if beside else ""
        self.say(" ".join(p for p in (job.closing(), short, self.away_words(job), alternative) if p))
        if self.app.screen is not self:  # the status line is covered
            self.app.notify(job.closing(), markup=False, timeout=6)
        self.refresh_footer()

    def start(self, plan: Plan | None) -> None:
        """Run a plan that was approved on its sheet; nothing else calls this."""
        if plan is None:
            self.say("Nothing was run.")
            return
        self.strip = []
        self._job = self.coi.start_job(self.desk, plan)
        self.say("")
        self.refresh_rows()

    # -- which keys work ------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        if not self.composed:
            return ""
        if name == "why" and self.chain.row is not None and self.chain.address in ("A", "X"):
            return "the text says all there is"
        if name == "accept" and self.chain.address == "X":
            return "" if self.session.state.shelf else "the shelf is empty"
        if name == "accept" and self.looking is not None:
            return "this session is read-only" if self.session.read_only_reason else ""
        if name == "fold" and self.focused is not self.detail and not self.chain.can_fold:
            return "this row has no parts"
        return offs.reason(name, self.chain.row, self.desk, list(self.chain.rows.values()))

    def label(self, item: Action) -> str:
        if item.id == "undo":
            return f"undo: {self.session.undo_stack.labels()[0]}"
        if item.id == "accept" and self.looking is not None:
            return "adopt this version"
        if item.id in ("accept", "enter") and self.chain.address == "X":
            return "open the shelf"
        if item.id == "enter" and self.has_view(self.chain.address):
            return "open"
        if item.id == "enter" and self.trouble_here() is not None:
            return "why it failed"
        if item.id == "stop" and self.desk.job is not None and self.desk.job.stopping:
            return "stop now"
        return item.label

    def help_title(self) -> str:
        row = self.chain.row
        return f"workbench, on {self.named(row.address)}" if row else "workbench"

    def help_notes(self) -> tuple[str, ...]:
        from coi_tui.screens.help_screen import legend

        return legend()

    # -- rows with a screen of their own ------------------------------------------------------------------------

    async def do_accept(self) -> None:
        if self.chain.address == "X":
            self.open_shelf()
            return
        address, adopts = self.chain.address, self.looking is not None
        await super().do_accept()
        if not adopts and (more := self.note_accept(address)):
            self.say(f"Accepted {self.named(address)}.{more}")

    def open_row_under_cursor(self) -> None:
        if self.chain.address == "X":
            self.open_shelf()
        elif self.has_view(self.chain.address):
            self.open_view(self.chain.address)
        elif not self.open_failure():
            super().open_row_under_cursor()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.refresh_footer)
