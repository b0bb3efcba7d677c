"""Plans, jobs and their end."""

from __future__ import annotations

from coi_tui.screens.bench.surface import Surface
from coi_tui.screens.runs.plan_sheet import PlanSheet
from coi_tui.screens.runs.stage_sheet import StageSheet
from coi_tui.session.run.plans import Plan
from coi_tui.session.watch import stages


class Running(Surface):
    """Plans, jobs and their end."""

    def do_generate(self) -> None:
        names = stages()
        self.app.push_screen(StageSheet(names, self.session.stage_reached(), self.session.plan_run(names[-1])), self._staged)

    def _staged(self, stage: str | None) -> None:
        if stage is None:
            return
        plan = self.session.plan_run(stage)
        if plan.empty:
            self.say(f"All there is to make up to {stage} has been made.")
            return
        self.app.push_screen(PlanSheet(plan), self.start)

    def do_refresh(self) -> None:
        address, row = self.chain.address, self.chain.row
        fresh = row is not None and row.marks[1] == "."
        self._refresh_sheet(self.session.plan_refresh([address], again=fresh), again=fresh)

    def do_refresh_all(self) -> None:
        self._refresh_sheet(self.session.plan_refresh())

    def _refresh_sheet(self, plan: Plan, *, again: bool = False) -> None:
        session = self.session
        needs = {line.address: session.freshness(line.address).upstream for line in plan.lines if line.address}
        self.app.push_screen(PlanSheet(plan, lambda ticked: session.plan_refresh(ticked, again=again, exactly=True), needs), self.start)

    def do_stop(self) -> None:
        said = self.desk.stop()
        self.refresh_rows()
        self.say(said)
