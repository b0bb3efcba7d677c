"""A failed row: its five parts, and what becomes of the way that was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.surface import Part

if TYPE_CHECKING:
    from coi_tui.session.queries.failures import FailureReport


class Failing(Part):
    """Enter on a row marked ``!``."""

    def trouble_here(self) -> FailureReport | None:
        """The failed step of the row under the cursor."""
        row = self.chain.row
        return self.session.queries.failure(row.address) if row is not None and row.marks[1:2] == "!" else None

    def open_failure(self) -> bool:
        """Show the failed step of this row; False where none failed."""
        trouble = self.trouble_here()
        if trouble is None:
            return False
        from coi_tui.screens.runs.failed_screen import FailedScreen

        self.app.push_screen(FailedScreen(trouble, self._ways_off(trouble)), lambda way: self._way(trouble, way))
        return True

    def _ways_off(self, trouble: FailureReport) -> dict[str, str]:
        slot = parse_address(trouble.address).part in ("cands", "rel")
        off = {name: self.why_off(name) for name in ("pin", "search", "settings")}
        if not slot:
            off |= {"pin": "this is no place for a paper", "search": "this is no search"}
        if not trouble.growing:
            off["keep"] = "only the search beyond the end of a chain can be left"
        if self.desk.busy:
            off["retry"] = "a job runs already; S stops it"
        return {name: reason for name, reason in off.items() if reason}

    async def _way(self, trouble: FailureReport, way: str | None) -> None:
        if way is None:
            return
        try:
            if way == "retry":
                self.open_plan(self.session.planner.to_retry(trouble.address))
            elif way == "keep":
                await self.desk.decide(lambda: self.session.decisions.keep_length(trouble.address))
                self.did("The chain is kept at this length; g goes on from here, u undoes it.")
            else:
                await self.action_act(way)
        except CoiError as error:
            self.trouble(error)
