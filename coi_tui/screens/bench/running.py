"""Plans, jobs and their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.screens.bench.offs import branch_of
from coi_tui.screens.bench.surface import Part
from coi_tui.session.watch import stages

if TYPE_CHECKING:
    from coi_tui.screens.runs.plan_sheet import Remake
    from coi_tui.session.runs.generate_menu import Offer
    from coi_tui.session.runs.plans import Plan


class Running(Part):
    """Plans, jobs and their end."""

    def do_generate(self) -> None:
        from coi_tui.screens.runs.generate_menu import GenerateMenu

        address = self.chain.address or "topic"
        branch = branch_of(address)
        title = f"Generate for branch {branch}, on {self.named(address)}" if branch else "Generate"
        self.app.push_screen(GenerateMenu(title, self.session.menu.offers(address)), self._generate)

    def _generate(self, offer: Offer | None) -> None:
        if offer is None:
            self.say("Nothing was run.")
        elif offer.key == "a":
            self._stages()
        elif offer.plan is not None:
            self.open_plan(offer.plan)

    def open_plan(self, plan: Plan) -> None:
        """The plan of texts can be ticked line by line; the plan of a run goes as a whole."""
        if plan.goal.kind == "refresh" and len(plan.lines) > 1:
            make = self.session.planner.to_make
            self._refresh_sheet(plan, lambda ticked: make(ticked, plan.title, again=plan.goal.again, step=plan.goal.step))
        else:
            self._whole_plan(plan)

    def _whole_plan(self, plan: Plan) -> None:
        from coi_tui.screens.runs.plan_sheet import PlanSheet

        self.app.push_screen(PlanSheet(plan, left=self.session.planner.budget_left(), later=self.later), self.start)

    def do_verify(self) -> None:
        self.open_plan(self.session.planner.to_verify(self.chain.address))

    def do_review(self) -> None:
        self.open_plan(self.session.planner.to_review(self.chain.address))

    def do_refine(self) -> None:
        self.open_plan(self.session.planner.to_refine(self.chain.address))

    def _stages(self) -> None:
        from coi_tui.screens.runs.stage_sheet import StageSheet
        from coi_tui.session.new_session import next_stage

        names = stages()
        whole = self.session.planner.to_stage(names[-1])
        self.app.push_screen(StageSheet(names, self.session.queries.stage_reached(), whole, next_stage(self.session)), self._staged)

    def _staged(self, stage: str | None) -> None:
        if stage is None:
            return
        plan = self.session.planner.to_stage(stage)
        if plan.empty:
            self.say(f"All there is to make up to {stage} has been made.")
            return
        self._whole_plan(plan)

    async def do_pace(self) -> None:
        from coi_tui.session.new_session import PACES, next_stage, pace

        names = list(PACES)
        chosen = names[(names.index(pace(self.session)) + 1) % len(names)]
        await self.desk.decide(lambda: self.session.decisions.set_settings({"pace": chosen}))
        said, means, _ = PACES[chosen]
        self.did(f"Pace: {said} ({means}). g a begins at {next_stage(self.session)}; again changes it further.")

    def off_pace(self) -> str:
        return "this session is read-only" if self.session.read_only_reason else ""

    def do_refresh(self) -> None:
        address, row = self.chain.address, self.chain.row
        mark = row.marks[1] if row is not None else ""
        fresh = mark == "." or (mark == "!" and self.session.core.freshness(address).ok)
        self._refresh_sheet(self.session.planner.to_refresh([address], again=fresh), self._refresher(fresh))

    def do_refresh_all(self) -> None:
        self._refresh_sheet(self.session.planner.to_refresh(), self._refresher(False))

    def _refresher(self, again: bool) -> Remake:
        return lambda ticked: self.session.planner.to_refresh(ticked, again=again, exactly=True)

    def _refresh_sheet(self, plan: Plan, remake: Remake) -> None:
        from coi_tui.screens.runs.plan_sheet import PlanSheet

        needs = self.session.planner.needs(plan)
        stale = any(self.session.core.freshness(line.address).status in ("stale", "upstream") for line in plan.lines)
        keep = self._keep_ticked if stale else None
        self.app.push_screen(PlanSheet(plan, remake, needs, keep, self.session.planner.budget_left(), self.later), self.start)

    def _keep_ticked(self, addresses: Sequence[str]) -> None:
        self.run_worker(self._keep_all(addresses), name="keep", group="decide", exit_on_error=False)

    async def _keep_all(self, addresses: Sequence[str]) -> None:
        kept = await self.desk.decide(lambda: self.session.decisions.keep_stale(addresses))
        self.did(
            f"Kept as they are: {', '.join(kept)}. Nothing was run." if kept else "None of the ticked texts is stale, so nothing was kept."
        )

    def do_cost(self) -> None:
        from coi_tui.screens.runs.cost_screen import CostScreen

        self.app.push_screen(CostScreen(self.desk), lambda _: self.did(""))

    def do_stop(self) -> None:
        said = self.desk.stop()
        self.refresh_rows()
        self.say(said)
