"""Enter on a row that has a screen of its own: the shelf, the views, and what failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError

if TYPE_CHECKING:
    from coi_tui.screens.session_controller import SessionController
    from coi_tui.screens.workbench.view import WorkbenchView
    from coi_tui.session.queries.failures import FailureReport
    from coi_tui.session.runs.plans import Plan

VIEWED = ("nov", "arena", "match", "exp", "review")
"""Parts that have a view once they are made."""


class RowScreens:
    """Opens the screen of a row, and goes on with what was chosen there."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, open_plan: Callable[[Plan], None], choose: Callable[[str], None],
        off: Callable[[str], str],
    ) -> None:  # fmt: skip
        """``choose`` opens the candidates of a slot; ``off`` says why an action does not work now."""
        self._view, self._controller, self._session = view, controller, controller.session
        self._open_plan, self._choose, self._off = open_plan, choose, off

    def open(self) -> bool:
        """Open the screen of the row under the cursor; False where it has none, and its text is what there is."""
        address = self._view.address
        if address == "X":
            self.open_shelf()
        elif self.has_view(address):
            self._open_view(address)
        elif (failure := self.failure_here()) is not None:
            self._open_failure(failure)
        else:
            return False
        return True

    def word(self) -> str:
        """What Enter does on the row under the cursor, for the footer; empty where it goes to the text."""
        if self._view.address == "X":
            return "open the shelf"
        if self.has_view(self._view.address):
            return "open"
        return "why it failed" if self.failure_here() is not None else ""

    # -- the shelf ------------------------------------------------------------------------------------------------

    def open_shelf(self) -> None:
        """The papers that were set aside, to be reopened."""
        from coi_tui.screens.papers.shelf_screen import ShelfScreen

        self._view.open(ShelfScreen(self._controller), self._shelved)

    def _shelved(self, address: str | None) -> None:
        self._view.done("")
        if address is not None:
            self._choose(address)

    # -- views ----------------------------------------------------------------------------------------------------

    def has_view(self, address: str) -> bool:
        """Whether Enter opens a view on this row."""
        part = parse_address(address).part if address else ""
        if part == "arena":
            return any(a.startswith("A/") for a in self._view.rows)
        return part in VIEWED and self._session.state.in_use(address) is not None

    def _open_view(self, address: str) -> None:
        from coi_tui.screens.views.arena_screen import ArenaScreen
        from coi_tui.screens.views.novelty_screen import NoveltyScreen
        from coi_tui.screens.views.review_screen import ReviewScreen

        at = parse_address(address)
        if at.part == "nov":
            self._view.open(NoveltyScreen(self._controller, at.branch), self._viewed)
        elif at.part in ("exp", "review"):
            self._view.open(ReviewScreen(self._controller, at.branch), self._viewed)
        else:
            self._view.open(ArenaScreen(self._controller, address), self._compare)

    async def _viewed(self, name: str | None) -> None:
        self._view.refresh_rows()
        if name is not None:
            await self._view.act(name)

    def _compare(self, pair: tuple[str, str] | None) -> None:
        self._view.refresh_rows()
        if pair is not None:
            from coi_tui.screens.texts.diff_screen import CompareScreen

            self._view.open(CompareScreen(self._controller, *pair), lambda _: self._view.refresh_rows())

    # -- what failed ----------------------------------------------------------------------------------------------

    def failure_here(self) -> FailureReport | None:
        """The failed step of the row under the cursor."""
        row = self._view.row
        return self._session.queries.failure(row.address) if row is not None and row.failed and not row.running else None

    def _open_failure(self, failure: FailureReport) -> None:
        from coi_tui.screens.runs.failed_step_sheet import FailedStepSheet

        self._view.open(FailedStepSheet(failure, self._ways_off(failure)), lambda way: self._go_on(failure, way))

    def _ways_off(self, failure: FailureReport) -> dict[str, str]:
        slot = parse_address(failure.address).part in ("cands", "rel")
        off = {name: self._off(name) for name in ("pin", "search", "settings")}
        if not slot:
            off |= {"pin": "this is no place for a paper", "search": "this is no search"}
        if not failure.growing:
            off["keep"] = "only the search beyond the end of a chain can be left"
        if self._controller.busy:
            off["retry"] = "a job is already running; S stops it"
        return {name: reason for name, reason in off.items() if reason}

    async def _go_on(self, failure: FailureReport, way: str | None) -> None:
        """Do what was chosen on the screen of a failed step."""
        if way == "retry":
            try:
                self._open_plan(self._session.planner.to_retry(failure.address))
            except CoiError as error:
                self._view.trouble(error)
        elif way == "keep":
            said = "The chain is kept at this length; g goes on from here, u undoes it."
            await self._view.commit(lambda: self._session.decisions.keep_length(failure.address), said)
        elif way is not None:
            await self._view.act(way)
