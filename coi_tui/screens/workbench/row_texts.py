"""What a row shows: its text in the detail pane, why it is so, an incoming answer, or a screen of
its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from coi_tui.model.address import branch_of, parse_address
from coi_tui.model.document import Transcript
from coi_tui.model.errors import CoiError
from coi_tui.model.money import dollars
from coi_tui.screens.papers.paper_lists import ShelfScreen
from coi_tui.screens.runs.run_sheets import FailedStepSheet
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.views.arena_screen import ArenaScreen
from coi_tui.screens.views.content_screen import ContentScreen, TalkScreen
from coi_tui.screens.views.novelty_screen import NoveltyScreen
from coi_tui.screens.views.review_screen import ReviewScreen
from coi_tui.screens.workbench.navigation import Part
from coi_tui.session.queries.provenance import FailureReport
from coi_tui.session.queries.texts import readable, sentences
from coi_tui.session.session import Session
from coi_tui.session.watch import PendingCounts
from coi_tui.session.wording import Row, counts

if TYPE_CHECKING:
    from coi_tui.screens.workbench.workbench import WorkbenchScreen


class RowScreens(Part):
    """Opens the screen of a row, and goes on with what was chosen there."""

    def open(self) -> bool:
        """Open the screen of the row under the cursor; False where it has none, and its text is
        what there is."""
        address = self.bench.address
        if address == "X":
            self.bench.open(ShelfScreen(self.controller), self._shelved)
        elif self.has_view(address):
            self._open_view(address)
        elif (failure := self.failure_here()) is not None:
            self._open_failure(failure)
        else:
            return False
        return True

    def word(self) -> str:
        """What Enter does on the row under the cursor, for the footer; empty where it goes to the
        text."""
        if self.bench.address == "X":
            return "open the list"
        if self.has_view(self.bench.address):
            return "open"
        return "why it failed" if self.failure_here() is not None else ""

    def _shelved(self, address: str | None) -> None:
        self.bench.done("")
        if address is not None:
            self.bench.papers.choose_for(address)

    # -- views

    def has_view(self, address: str) -> bool:
        """Whether Enter opens a view on this row."""
        if not address:
            return False
        if parse_address(address).part == "arena":
            return any(a.startswith("A/") for a in self.bench.rows)
        return self.session.queries.has_view(address)

    def _open_view(self, address: str) -> None:
        kind, branch = self.session.core.methods.kind(address), parse_address(address).branch
        assert kind is not None
        if kind.view == "novelty":
            self.bench.open(NoveltyScreen(self.controller, branch), self._viewed)
        elif kind.view == "review":
            self.bench.open(ReviewScreen(self.controller, branch), self._viewed)
        elif kind.view == "match":
            self.open_match(address)
        else:
            talk = isinstance(self.session.queries.listing(address), Transcript)
            screen = TalkScreen if talk else ContentScreen
            self.bench.open(screen(self.controller, address), self._left)

    def _left(self, address: str | None) -> None:
        self.bench.refresh_rows()
        if address is not None and address in self.bench.rows:
            self.bench.go_to_row(address)

    async def _viewed(self, name: str | None) -> None:
        self.bench.refresh_rows()
        if name is not None:
            await self.bench.act(name)

    def open_match(self, address: str) -> None:
        """The arena, at a match."""
        self.bench.open(ArenaScreen(self.controller, address), self._chosen)

    def _chosen(self, match: str | None) -> None:
        """Show the plan for the model's judgement of a match, or of all that are left."""
        self.bench.refresh_rows()
        if match is not None:
            planner = self.session.planner
            self.bench.runs.open_plan(
                planner.to_judge_rest() if match == "A" else planner.to_judge(match)
            )

    # -- what failed

    def failure_here(self) -> FailureReport | None:
        """The failed step of the row under the cursor."""
        row = self.bench.row
        return (
            self.session.queries.failure(row.address)
            if row is not None and row.failed and not row.running
            else None
        )

    def _open_failure(self, failure: FailureReport) -> None:
        self.bench.open(
            FailedStepSheet(failure, self._ways_off(failure)),
            lambda choice: self._go_on(failure, choice),
        )

    def _ways_off(self, failure: FailureReport) -> dict[str, str]:
        slot = parse_address(failure.address).part in ("cands", "rel")
        off = {name: self.bench.why_off(name) for name in ("pin", "search", "settings")}
        if not slot:
            off |= {"pin": "this is no place for a paper", "search": "this is no search"}
        if not failure.growing:
            off["keep"] = "only the search beyond the end of a chain can be left"
        if self.controller.busy:
            off["retry"] = "a job is already running; S stops it"
        return {name: reason for name, reason in off.items() if reason}

    async def _go_on(self, failure: FailureReport, choice: str | None) -> None:
        """Do what was chosen on the screen of a failed step."""
        if choice == "retry":
            try:
                self.bench.runs.open_plan(self.session.planner.to_retry(failure.address))
            except CoiError as error:
                self.bench.trouble(error)
        elif choice == "keep":
            message = "The chain is kept at this length; g goes on from here, u undoes it."
            await self.bench.commit(lambda: self.session.decide("end", failure.address), message)
        elif choice is not None:
            await self.bench.act(choice)


BEGIN = "Nothing has been made yet. Press g to choose how far to go; a plan is shown before anything runs."


class DetailTexts(Part):
    """Fills the detail pane for the row under the cursor."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        super().__init__(bench)
        self.why_for = ""
        """The address whose reasons are shown in place of its text; empty for none."""

        self._streamed = ""
        """The address whose answer was coming in when it was last shown."""

    # -- showing

    def show(self) -> None:
        """Bring the pane in line with the row under the cursor."""
        row = self.bench.row
        if row is None:
            return
        if self.why_for == row.address:
            self._show_why(row)
        elif not self._show_stream(row):
            self._show_text(row)

    def _show_why(self, row: Row) -> None:
        self.bench.detail.border_title = Content("[2] Why   w or Esc: back to the text")
        parts = [("", sentence) for sentence in self.session.queries.why(row.address)]
        self.bench.detail.show(f"why {row.address}", f"Why {row.address}", parts)

    def _show_text(self, row: Row) -> None:
        self.bench.detail.border_title = Content("[2] Detail")
        about = self.session.queries.detail(row.address)
        hint = (
            [("Next", BEGIN)]
            if row.address == "topic" and len(self.session.state.cells) <= 1
            else []
        )
        self.bench.detail.show(
            row.address, about.title, [*self._with_failure(row, about.parts), *hint]
        )

    def _with_failure(self, row: Row, parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """A row's text below what failed there; a text from before under a heading of its own, so
        that it is not read as the reason."""
        failure = self.bench.row_screens.failure_here()
        if failure is None:
            return list(parts)
        in_use = (
            failure.address == row.address and self.session.state.in_use(row.address) is not None
        )
        ways = (
            "r tries it again"
            if self.bench.row_screens.has_view(row.address)
            else "Enter shows what was tried and the ways on"
        )
        intact = [failure.intact] if in_use else []
        amount = (
            "Failed",
            "\n".join([failure.happened, *intact, f"{ways}; finished calls are not paid twice."]),
        )
        return [
            amount,
            *(
                (heading or ("In use" if in_use and n == 0 else ""), text)
                for n, (heading, text) in enumerate(parts)
            ),
        ]

    # -- reasons

    def off_why(self) -> str:
        return "nothing more to tell about this row" if self.bench.address in ("A", "X") else ""

    def do_why(self) -> None:
        """Show why the row is as it is, or its text again."""
        self.why_for = "" if self.why_for else self.bench.address
        self.show()
        if self.why_for:
            self.bench.panes.go("detail", focus=False)

    def escape(self) -> bool:
        """Go back to the text in use; False where it is shown already."""
        if not self.why_for:
            return False
        self.do_why()
        return True

    # -- answers that come in

    def show_stream(self) -> None:
        """Called at most twenty times a second. Draws only when the row under the cursor has
        something new."""
        if self.why_for:
            return
        address = self.bench.address
        if self.controller.incoming(address) or (address and self._streamed == address):
            self.show()

    def _show_stream(self, row: Row) -> bool:
        """Show the answer that is coming in for this row, to be read and not to be used; False
        where nothing is."""
        raw = self.controller.incoming(row.address)
        if not raw:
            self._streamed = ""
            return False
        text = (
            readable(raw) if self.bench.app.animation_level != "none" else sentences(readable(raw))
        )
        self.bench.detail.border_title = Content("[2] Detail   streaming")
        self.bench.detail.show(
            f"streaming {row.address}",
            row.address,
            [("", text), ("", "(streaming; it is a version when it is complete)")],
        )
        self._streamed = row.address
        return True


def no_versions(address: str) -> str:
    """Why a row without versions has none."""
    slot = parse_address(address).part == "slot"
    return (
        "this is no text; a paper's card has versions" if slot else "nothing has been made here yet"
    )


def welcome(session: Session) -> str:
    """What a person has to know before anything else, in one line; empty where what comes next says
    it all."""
    if reason := session.read_only_reason:
        return f"Read-only: {reason}. Nothing you do here is kept."
    return "" if len(session.state.cells) > 1 else BEGIN


def header(controller: SessionController, address: str, needs: PendingCounts) -> tuple[str, str]:
    """Where we are; at the right what runs or waits, money and network."""
    session, job = controller.session, controller.job
    branches = session.state.branches
    branch = branch_of(address) if address else 0
    place = f"branch {branches.index(branch) + 1} of {len(branches)}" if branch in branches else ""
    at = f"at {address}" if address else ""
    where = (session.name, at, session.queries.method_at(address), place)
    running = job.short if job is not None and controller.busy else ""
    saved = "read-only" if session.read_only_reason else "saved"
    core = session.core
    online = not core.offline and (core.setup.online_model or core.setup.online_source)
    standing = (running, *counts(needs), saved, _money(session), "online" if online else "offline")
    return "  ".join(filter(None, where)), "  ".join(filter(None, standing))


def _money(session: Session) -> str:
    cap, spent = session.core.cap().usd, session.core.spent()
    unpriced = spent.money.unpriced and not spent.money.usd
    amount = f"{spent.tokens:,} tokens" if unpriced else str(spent.money)
    return f"{amount} of {dollars(cap)}" if cap else amount
