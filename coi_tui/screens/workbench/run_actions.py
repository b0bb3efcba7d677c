"""Plans and the jobs that run them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address
from coi_tui.model.wording import listed
from coi_tui.screens.base import Host
from coi_tui.screens.session_controller import Job, SessionController
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.session.availability import Action
from coi_tui.session.names import branch_of
from coi_tui.session.queries.row import Status
from coi_tui.session.runs.planner import ADD_METHOD, Offer
from coi_tui.session.runs.plans import Plan
from coi_tui.session.watch import stages
from coi_tui.widgets.panes import JobStrip

if TYPE_CHECKING:  # screens that are loaded when they are opened
    from coi_tui.screens.runs.plan_screens import Remake

KEYS_PAUSE, ROWS_WAIT = 0.15, 2.0
"""Seconds without a key after which new rows of a run are painted, and the longest that they wait for that."""


class RunActions:
    """Shows plans and starts those that are approved."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, host: Host, watch: JobWatch
    ) -> None:
        self._view, self._controller, self._session, self._host, self._watch = (
            view,
            controller,
            controller.session,
            host,
            watch,
        )

    def commands(self) -> Commands:
        """The keys that make something, and those about what runs."""
        planner = self._session.planner

        def planned(plan: Callable[[str], Plan]) -> Callable[[], None]:
            return lambda: self.open_plan(plan(self._view.address))

        return {
            "generate": Command(self.generate, self._controller.not_idle),
            "ask": Command(self.ask, asks=Action.ASK),
            "refresh": Command(self.refresh, asks=Action.REFRESH),
            "refresh_all": Command(self.refresh_all, self._off_refresh_all),
            "verify": Command(planned(planner.to_verify), asks=Action.VERIFY),
            "against": Command(planned(planner.to_search_against), asks=Action.AGAINST),
            "check_means": Command(planned(planner.to_check_means), asks=Action.CHECK_MEANS),
            "review": Command(planned(planner.to_review), asks=Action.REVIEW),
            "refine": Command(self.refine, asks=Action.REFINE),
            "pace": Command(self.set_pace, self._controller.not_writable),
            "stop": Command(
                self.stop,
                lambda: "" if self._controller.busy else "nothing runs",
                word=self._stop_word,
            ),
            "cost": Command(self.show_cost),
            "network": Command(self.switch_network, self._controller.not_idle),
        }

    # -- plans ----------------------------------------------------------------------------------------------------

    def open_plan(
        self, plan: Plan, *, look: bool = False, then: Callable[[Plan | None], None] | None = None
    ) -> None:
        """Run a plan at once, or after a yes on its strip or sheet, as the session says. ``look``: show it on its sheet in any case.
        ``then`` takes the plan in place of ``start``, None where it is not to run.

        A plan of texts can be ticked line by line, that of a run goes as a whole but for its finished branches.
        """
        if plan.goal.kind == "refresh" and len(plan.lines) > 1:
            make, goal = self._session.planner.to_make, plan.goal
            self._begin_lines(
                plan,
                lambda ticked: make(ticked, plan.title, again=goal.again, step=goal.step),
                look=look,
            )
        else:
            self._begin(
                plan, lambda: self._open_whole(plan, then or self.start), look=look, then=then
            )

    def _begin(
        self,
        plan: Plan,
        show: Callable[[], None],
        *,
        look: bool = False,
        then: Callable[[Plan | None], None] | None = None,
    ) -> None:
        """``show`` puts the whole plan on the screen; so does one that has nothing to run, to say why."""
        from coi_tui.screens.runs.run_strip import begin

        if look or plan.empty:
            show()
        elif said := begin(
            plan, self._session.approvals, self._view.open, show, then or self.start
        ):
            self._view.say(said)

    def _open_whole(self, plan: Plan, then: Callable[[Plan | None], None]) -> None:
        from coi_tui.screens.runs.plan_screens import PlanSheet

        planner, goal, scope = self._session.planner, plan.goal, plan.goal.scope
        remake: Remake | None = None
        if any(line.branch for line in plan.lines):  # only these can be ticked

            def remade(ticked: Sequence[str]) -> Plan:
                return planner.to_stage(
                    goal.until,
                    replace(scope, closed=()),
                    [parse_address(name).branch for name in ticked],
                )

            remake = remade
        sheet = PlanSheet(plan, remake, left=planner.budget_left(), changes=self._changes)
        self._view.open(sheet, then)

    def _changes(self, plan: Plan) -> str:
        """What a plan may make stale beside what it makes, in a sentence."""
        return self._session.approvals.foreseen(plan).sentence()

    def _begin_lines(self, plan: Plan, remake: Remake, *, look: bool = False) -> None:
        self._begin(plan, lambda: self._open_lines(plan, remake), look=look)

    def _open_lines(self, plan: Plan, remake: Remake) -> None:
        from coi_tui.screens.runs.plan_screens import PlanSheet

        planner = self._session.planner
        stale = any(
            self._session.core.freshness(line.address).status in ("stale", "upstream")
            for line in plan.lines
        )
        keep = self._keep_ticked if stale else None
        sheet = PlanSheet(
            plan, remake, planner.needs(plan), keep, planner.budget_left(), self._changes
        )
        self._view.open(sheet, self.start)

    def _keep_ticked(self, addresses: Sequence[str]) -> None:
        def said(kept: Sequence[str]) -> str:
            if not kept:
                return "None of the ticked texts is stale, so nothing was kept."
            return f"Kept as they are: {', '.join(kept)}. Nothing was run."

        self._view.in_background(
            self._view.commit(lambda: self._session.decisions.keep_stale(addresses), said), "keep"
        )

    def start(self, plan: Plan | None) -> None:
        """Run a plan that was approved, or that needs no yes; None says that nothing was run."""
        if plan is None:
            self._view.say("Nothing was run.")
            return
        self._watch.follow(self._host.sessions.start_job(self._controller, plan))
        self._view.done("")

    def generate(self) -> None:
        """Choose what to make from the menu of the row."""
        from coi_tui.screens.runs.generate_sheets import GenerateSheet

        address = self._view.address or "topic"
        branch = branch_of(address)
        title = f"Generate for branch {branch}, on {address}" if branch else "Generate"
        sheet = GenerateSheet(title, self._session.menu.offers(address))
        self._view.open(sheet, lambda offer: self._generate(offer, look=sheet.look))

    def _generate(self, offer: Offer | None, *, look: bool) -> None:
        if offer is None:
            self._view.say("Nothing was run.")
        elif offer.key == "a":
            self._choose_stage()
        elif offer.key == ADD_METHOD:
            self._choose_method()
        elif offer.plan is not None:
            self.open_plan(offer.plan, look=look)

    def _choose_method(self) -> None:
        from coi_tui.screens.runs.generate_sheets import MethodSheet

        self._view.open(MethodSheet(self._session.menu.methods_to_add()), self._add_method)

    async def _add_method(self, name: str | None, *, again: bool = False) -> None:
        """Add a method. One that the session has already is asked for once more: Enter pressed twice adds no second one."""
        from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet

        if name is None:
            self._view.say("Nothing was added.")
            return
        if (there := self._session.menu.instances_of(name)) and not again:
            about = "It has rows, settings and ideas of its own, and begins with nothing made."
            sheet = ConfirmSheet(
                f"Add another {name} beside {listed(there)}?", about, "add another"
            )
            self._view.open(sheet, lambda yes: self._add_method(name if yes else None, again=True))
            return
        added = self._session.decisions.add_method
        if await self._view.commit(lambda: added(name), ""):
            row = list(self._session.state.instances)[-1]
            self._view.go_to_row(row, f"Added {name} as {row}: g on its row runs it. u undoes it.")

    def _choose_stage(self) -> None:
        from coi_tui.screens.runs.generate_sheets import StageSheet
        from coi_tui.session.new_session import next_stage

        names, session = stages(), self._session
        sheet = StageSheet(
            names,
            session.queries.stage_reached(),
            session.planner.to_stage(names[-1]),
            next_stage(session),
        )
        self._view.open(sheet, lambda stage: self._plan_stage(stage, look=sheet.look))

    def _plan_stage(self, stage: str | None, *, look: bool) -> None:
        if stage is None:
            return
        plan = self._session.planner.to_stage(stage)
        if plan.empty:
            self._view.say(f"All there is to make up to {stage} has been made.")
            return
        self.open_plan(plan, look=look)

    def ask(self) -> None:
        """Say in words how the text of the row should be, and have it rewritten; then what changed is shown."""
        from coi_tui.screens.sheets.text_sheets import AskSheet

        address, session = self._view.address, self._session

        def approved(plan: Plan | None) -> None:
            if plan is None:
                self._view.in_background(
                    self._view.commit(
                        session.undo_stack.undo, f"Nothing was run or asked of {address}."
                    ),
                    "ask",
                )
            else:
                self.start(plan)

        async def asked(wish: str | None) -> None:
            if wish is None:
                self._view.say("Nothing was asked for.")
            elif await self._view.commit(
                lambda: session.decisions.ask(address, wish),
                f"Asked of {address}; u takes it back.",
            ):
                plan = session.planner.to_rewrite(address)
                if plan.lines:
                    self.open_plan(plan, then=approved)
                else:
                    self._view.say(
                        f"{address} is what was written when you asked for that before; no call was needed."
                    )

        self._view.open(AskSheet(address, session.state.cell(address).wishes), asked)

    def refresh(self) -> None:
        """Make the text of the row again: with what it waits for where it is stale, as a new sample where it is fresh."""
        address, row = self._view.address, self._view.row
        fresh = row is not None and not row.running and row.status in (Status.FRESH, Status.KEPT)
        self._begin_lines(
            self._session.planner.to_refresh([address], again=fresh), self._refreshing(fresh)
        )

    def _off_refresh_all(self) -> str:
        return self._controller.not_idle() or ("" if self._view.any_stale else "nothing is stale")

    def refresh_all(self) -> None:
        """Bring everything stale up to date."""
        self._begin_lines(self._session.planner.to_refresh(), self._refreshing(False))

    def _refreshing(self, again: bool) -> Remake:
        return lambda ticked: self._session.planner.to_refresh(ticked, again=again, exactly=True)

    def refine(self) -> None:
        """Answer the ticked review points in the next version of the experiment plan, after the words to search for were shown."""
        from coi_tui.screens.sheets.text_sheets import RefineQuerySheet

        address, planner = self._view.address, self._session.planner
        suggested = planner.refine_query(address)

        def search(query: str | None) -> None:
            if query is None:
                self._view.say("Nothing was run.")
            else:
                self.open_plan(planner.to_refine(address, query))

        self._view.open(RefineQuerySheet(f"{branch_of(address)}/exp", suggested), search)

    async def set_pace(self) -> None:
        """How far to go before asking: the next of the paces."""
        from coi_tui.session.new_session import next_stage, pace, paces

        session = self._session
        known = paces(session)
        chosen = known[(known.index(pace(session)) + 1) % len(known)]
        await self._view.commit(
            lambda: session.decisions.set_settings({"pace": chosen.name}),
            lambda _: (
                f"Pace: {chosen.title} ({chosen.note}). g a begins at {next_stage(session)}; the same command changes it again."
            ),
        )

    # -- what runs and what waits -----------------------------------------------------------------------------------

    def _stop_word(self) -> str:
        job = self._controller.job
        return "stop now" if job is not None and job.stopping else ""

    def stop(self) -> None:
        """Stop after the calls that run; the second time now."""
        self._view.done(self._controller.stop())

    def show_cost(self) -> None:
        """Runs, calls and what they cost."""
        from coi_tui.screens.runs.cost_screen import CostScreen

        self._view.open(CostScreen(self._controller), lambda _: self._view.done(""))

    async def switch_network(self) -> None:
        """From offline to online or back; what is online is said by the next plan before anything leaves."""
        offline = not self._session.is_offline
        said = (
            "Offline: nothing leaves this machine."
            if offline
            else "Online: each plan says what would leave, before it runs."
        )
        await self._view.commit(
            lambda: self._session.decisions.work_offline(offline), f"{said} u takes it back."
        )


class JobWatch:
    """Follows the job of the session for the screen: its strip, new rows while it runs, and its last words."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, host: Host, strip: JobStrip
    ) -> None:
        self._view, self._controller, self._session, self._host, self._strip = (
            view,
            controller,
            controller.session,
            host,
            strip,
        )
        self.job: Job | None = controller.job if controller.busy else None
        """The job that is being followed, until its end was said."""
        self.rewritten = ""
        """The text that the last job rewrote as it was asked for, until what changed in it was shown."""
        self.closing: list[str] = []
        """The last words of a job that failed, until they are closed."""
        self._seen: tuple[int, int] = (-1, 0)
        self._next_look = self._waits_since = 0.0

    def follow(self, job: Job) -> None:
        """Follow a job to its end, also one that ends before the next look."""
        if self.job is not job:
            self.job, self.closing, self._seen = (
                job,
                [],
                (-1, 0),
            )  # the job before may have told of just as much

    def look(self, *, short: bool) -> str:
        """Bring rows and strip in line with the job: rows when something happened, the strip also when a second went by.

        Gives the sentence about the end of the job when it has ended since the last look. ``short``: the terminal is low.
        """
        job = self._controller.job
        if job is None or (job.ended and self.job is not job):
            return ""
        self.follow(job)
        now = time.monotonic()
        if (job.version, int(now)) == self._seen or now < self._next_look:
            return ""
        self._bring_rows(job, now)
        said = self._end(job) if job.ended else ""
        self._strip.show(self.closing if job.ended else job.lines(short=short))
        return said

    def _bring_rows(self, job: Job, now: float) -> None:
        """Bring the rows in line with what has happened, unless keys come in just now."""
        happened = job.version != self.seen
        if happened and not job.ended and self._keys_first(now):
            return
        self._seen, self._waits_since = (job.version, int(now)), 0.0
        if happened:
            self._view.refresh_rows()
            self._next_look = time.monotonic() + 5 * (
                time.monotonic() - now
            )  # a long look is taken less often

    @property
    def seen(self) -> int:
        """The version of the job that the rows show."""
        return self._seen[0]

    def _keys_first(self, now: float) -> bool:
        """Whether new rows wait a little, because keys come in: painting them would hold up the answer to the next one."""
        self._waits_since = self._waits_since or now
        return now - self._host.last_key < KEYS_PAUSE and now - self._waits_since < ROWS_WAIT

    def _end(self, job: Job) -> str:
        self.job = None
        failures = job.failures()
        self.closing = (
            [job.closing(), *failures[:4], "Esc closes this"] if failures or job.error else []
        )
        until, outcome = job.plan.goal.until, job.outcome
        lacking = (
            job.missed or self._session.queries.short_chains() if until and not job.stopping else ""
        )
        parts = [lacking, job.closing()]  # what to do comes first: the end is what is cut
        if outcome is not None:
            one = outcome.made[0] if len(outcome.made) == 1 else ""
            self.rewritten = one if one and self._session.state.cell(one).wishes else ""
            alternatives = self._session.queries.came_beside(outcome.made)
            parts.append(
                f"Other versions to compare with d: {', '.join(alternatives[:4])}."
                if alternatives
                else ""
            )
        return " ".join(p for p in parts if p)

    def close(self) -> bool:
        """Close the last words of a job; False where there are none."""
        if not self.closing:
            return False
        self.closing = []
        self._strip.show([])
        return True
