"""Plans that wait for the network, and working offline or online."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.surface import Part

if TYPE_CHECKING:
    from coi_tui.screens.desk import Job
    from coi_tui.screens.runs.plan_sheet import Later
    from coi_tui.session.runs.plans import Plan


class Queueing(Part):
    """``Q``, the key of a plan sheet that puts its plan off, and the palette's switch."""

    @property
    def later(self) -> Later:
        from coi_tui.screens.runs.plan_sheet import Later

        return Later(self.session.queue.reason_not_to, self._put_off, self.session.is_offline)

    def _put_off(self, plan: Plan) -> None:
        self.run_worker(self._queue(plan), name="queue", group="decide", exit_on_error=False)

    async def _queue(self, plan: Plan) -> None:
        try:
            await self.desk.decide(lambda: self.session.queue.add(plan))
        except CoiError as error:
            self.trouble(error)
            return
        self.did(f"{plan.title} waits for the network. Q shows it; it runs when you say so, with the prices of then.")

    def off_queue(self) -> str:
        return "" if self.session.state.queue else "no plan waits; l on the sheet of a plan puts it off"

    def do_queue(self) -> None:
        from coi_tui.screens.runs.queue_screen import QueueScreen

        self.app.push_screen(QueueScreen(self.desk), self._chosen)

    def _chosen(self, plan: Plan | None) -> None:
        if plan is None:
            self.did("")
        else:
            self.open_plan(plan)

    def off_network(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        return "a job runs already; S stops it" if self.desk.busy else ""

    async def do_network(self) -> None:
        """From offline to online or back; what is online is said by the next plan before anything leaves."""
        on = not self.session.is_offline
        await self.desk.decide(lambda: self.session.decisions.work_offline(on))
        waits = " Q shows the plans that wait." if not on and self.session.state.queue else ""
        said = "Offline: nothing leaves this machine." if on else f"Online: each plan says what would leave, before it runs.{waits}"
        self.did(f"{said} u takes it back.")

    def away_words(self, job: Job) -> str:
        """A sentence where the job failed because a service was away."""
        return self.session.runs.network_failure(job.outcome) if job.outcome is not None else ""
