"""What a person decides on a row, and the jobs that are planned and run from there: a key becomes one
change of the session or one plan, and the answer a sentence."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from coi_tui.model.address import branch_of
from coi_tui.model.criteria import ADDRESS as CRITERIA
from coi_tui.model.criteria import Criteria
from coi_tui.screens.runs.run_sheets import (
    CostScreen,
    GenerateSheet,
    MethodSheet,
    PlanSheet,
    StageSheet,
)
from coi_tui.screens.session_controller import Job
from coi_tui.screens.sheets.confirm_sheet import AcceptSheet
from coi_tui.screens.sheets.search_sheets import CriteriaSheet
from coi_tui.screens.sheets.text_sheets import AskSheet, NoteSheet, ReasonSheet, RefineQuerySheet
from coi_tui.screens.workbench.navigation import Part
from coi_tui.session.decisions.bulk_accept import accepted, is_undecided
from coi_tui.session.decisions.criteria import effect
from coi_tui.session.opening import next_stage, stages
from coi_tui.session.runs.planner import ADD_METHOD, Offer
from coi_tui.session.runs.plans import Plan
from coi_tui.session.wording import Status
from coi_tui.widgets.panes import cut

if TYPE_CHECKING:
    from coi_tui.screens.workbench.workbench import WorkbenchScreen
    from coi_tui.session.decisions.verb import Target, Verb


class DecisionActions(Part):
    """The decisions of the table of verbs on the row under the cursor, and the way back."""

    async def decide(self, name: str) -> None:
        """Make the decision that a key stands for; one with a reason asks for that first."""
        verb, target = self.session.verb_at(name, self.bench.address)
        if verb.explained is None:
            await self._make(verb, target)
            return
        changes = self.session.impact(
            verb.own(target), lambda s: s.decide(verb.name, target.address)
        )
        row = self.bench.row
        title = f"{verb.sentence(verb.question, target)} {cut(row.title if row else '', 50)}"
        text = f"{changes.sentence()}\n{verb.explained(target)} Nothing is deleted or charged; u undoes it."
        self.bench.ask(
            ReasonSheet(title, text),
            lambda reason: self._make(verb, target, reason, asked=True),
            "Nothing was rejected.",
        )

    async def _make(
        self, verb: Verb, target: Target, reason: str = "", asked: bool = False
    ) -> None:
        done = verb.sentence(verb.done, target, reason)
        go_on = self._going_on(done) if verb.goes_on else None
        await self.bench.decide(
            verb.own(target),
            "" if asked or verb.quiet(target) else verb.sentence(verb.question, target),
            lambda s: s.decide(verb.name, target.address, reason=reason),
            done,
            go_on,
        )

    def _going_on(self, done: str) -> Callable[[], None] | None:
        """What follows a decision on the row under the cursor: where that row asked for it, the
        cursor goes to the next that asks. ``done`` stays on the screen when the cursor moves."""
        row, chain = self.bench.row, self.bench.chain
        if row is None or not row.asks or not self.session.settings.display.go_on:
            return None

        def go_on() -> None:
            if target := chain.next_waiting(lambda row: row.asks or row.lacks_anchor):
                self.bench.go_to_row(target, done)

        return go_on

    def off_accept_all(self) -> str:
        rows, address = self.bench.rows.values(), self.bench.address
        branch = branch_of(address) if address else 0
        waits = any(is_undecided(row, branch) for row in rows)
        return self.controller.not_writable() or ("" if waits else "nothing is undecided")

    def do_accept_all(self) -> None:
        """Accept what is undecided in the branch of the row, or in the session, from a list."""
        branch, find = branch_of(self.bench.address), self.session.queries.undecided
        items = find(branch) if branch else find()
        where = f"branch {branch}" if branch else "the session"
        sheet = AcceptSheet(f"Accept all of {where}", items)

        async def answered(addresses: list[str]) -> None:
            await self.bench.decide(
                "",
                "Accept all of it?",
                lambda s: s.decide("accept_all", "session", addresses),
                f"Accepted {accepted(sheet.chosen)}. u takes all of it back.",
            )

        self.bench.ask(sheet, answered, "Nothing was accepted.")

    async def do_fork(self) -> None:
        """Begin a branch that shares the chain up to this paper."""
        verb, target = self.session.verb_at("fork", self.bench.address)
        if await self.bench.commit(lambda: self.session.decide("fork", target.address), ""):
            new = str(self.session.state.branches_of("")[-1])
            self.bench.go_to_row(new, f"Branch {new} {verb.sentence(verb.done, target)}")

    def do_note(self) -> None:
        """Write a private note on the row."""
        verb, target = self.session.verb_at("note", self.bench.address)
        address = target.address
        sheet = NoteSheet(address, self.session.state.notes.get(address, ""))

        async def noted(text: str) -> None:
            done = verb.sentence(verb.done, target)
            await self.bench.commit(lambda: self.session.decide("note", address, text), done)

        self.bench.ask(sheet, noted, "The note stays as it was.")

    # -- the session

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    def word_undo(self) -> str:
        return f"undo: {self.session.undo_stack.labels()[0]}"

    def off_redo(self) -> str:
        there = self.session.undo_stack.labels()[1]
        return self.controller.not_writable() or ("" if there else "there is nothing to redo")

    async def do_undo(self) -> None:
        """Take back the last decision."""
        await self.bench.commit(self.session.undo_stack.undo, "Undone: {}.".format)

    async def do_redo(self) -> None:
        """Bring back what was undone."""
        await self.bench.commit(self.session.undo_stack.redo, "Redone: {}.".format)

    def do_criteria(self) -> None:
        """Say which papers may be proposed."""

        async def chosen(asked: Criteria) -> None:
            await self.bench.decide(
                CRITERIA,
                "Change the criteria?",
                lambda s: s.decide("criteria", CRITERIA, asked),
                lambda _: effect(self.session.core),
            )

        sheet = CriteriaSheet(self.session.state)
        self.bench.ask(sheet, chosen, "The criteria stay as they were.")


KEYS_PAUSE, ROWS_WAIT = 0.15, 2.0
"""Seconds without a key after which new rows of a run are painted, and the longest that they wait
for that."""


class RunActions(Part):
    """Shows plans and starts those that are approved."""

    def do_verify(self) -> None:
        self.open_plan(self.session.planner.to_check("verify", self.bench.address))

    def do_against(self) -> None:
        self.open_plan(self.session.planner.to_check("against", self.bench.address))

    def do_review(self) -> None:
        self.open_plan(self.session.planner.to_check("review", self.bench.address))

    def off_stop(self) -> str:
        return "" if self.controller.busy else "nothing runs"

    # -- plans

    def open_plan(self, plan: Plan, *, then: Callable[[Plan | None], None] | None = None) -> None:
        """Run a plan at once, or after a yes on its sheet where it asks.
        ``then`` takes the plan in place of ``start``, None where it is not to run.

        A plan of texts can be ticked line by line, that of a run goes as a whole. One that has
        nothing to run is shown, to say why.
        """
        then, planner, goal = then or self.start, self.session.planner, plan.goal
        if not (plan.asks or plan.empty):
            then(plan)
            self.bench.say(plan.at_once())
            return
        several = goal.kind == "refresh" and len(plan.lines) > 1
        remake = partial(planner.to_make, title=plan.title, again=goal.again, step=goal.step)
        sheet = PlanSheet(
            plan, remake if several else None, planner.needs(plan), planner.budget_left()
        )
        self.bench.open(sheet, then)

    def start(self, plan: Plan | None) -> None:
        """Run a plan that was approved, or that needs no yes; None says that nothing was run."""
        if plan is None:
            self.bench.say("Nothing was run.")
            return
        self.bench.watch_job.follow(self.bench.coi.sessions.start_job(self.controller, plan))
        self.bench.done("")

    def do_generate(self) -> None:
        """Choose what to make from the menu of the row."""
        address = self.bench.address or "topic"
        branch = branch_of(address)
        title = f"Generate for branch {branch}, on {address}" if branch else "Generate"
        sheet = GenerateSheet(title, self.session.planner.offers(address))
        self.bench.ask(sheet, self._generate, "Nothing was run.")

    def _generate(self, offer: Offer) -> None:
        if offer.key == "a":
            self._choose_stage()
        elif offer.key == ADD_METHOD:
            self._choose_method()
        elif offer.plan is not None:
            self.open_plan(offer.plan)

    def _choose_method(self) -> None:
        sheet = MethodSheet(self.session.planner.methods_to_add())
        self.bench.ask(sheet, self._add_method, "Nothing was added.")

    async def _add_method(self, name: str) -> None:
        if await self.bench.commit(lambda: self.session.add_method(name), ""):
            row = list(self.session.state.instances)[-1]
            self.bench.go_to_row(row, f"Added {name} as {row}: g on its row runs it. u undoes it.")

    def _choose_stage(self) -> None:
        names, session = stages(), self.session
        sheet = StageSheet(
            names,
            session.queries.stage_reached(),
            session.planner.to_stage(names[-1]),
            next_stage(session),
        )
        self.bench.ask(sheet, self._plan_stage, "Nothing was run.")

    def _plan_stage(self, stage: str) -> None:
        plan = self.session.planner.to_stage(stage)
        if plan.empty:
            self.bench.say(f"All there is to make up to {stage} has been made.")
            return
        self.open_plan(plan)

    def do_ask(self) -> None:
        """Say in words how the text of the row should be, and have it rewritten; then what changed
        is shown."""
        address, session = self.bench.address, self.session

        def approved(plan: Plan | None) -> None:
            if plan is None:
                self.bench.in_background(
                    self.bench.commit(
                        session.undo_stack.undo, f"Nothing was run or asked of {address}."
                    ),
                    "ask",
                )
            else:
                self.start(plan)

        async def asked(wish: str) -> None:
            if await self.bench.commit(
                lambda: session.decide("ask", address, wish),
                f"Asked of {address}; u takes it back.",
            ):
                plan = session.planner.to_rewrite(address)
                if plan.lines:
                    self.open_plan(plan, then=approved)
                else:
                    self.bench.say(
                        f"{address} is what was written when you asked for that before; no call was needed."
                    )

        sheet = AskSheet(address, session.state.cell(address).wishes)
        self.bench.ask(sheet, asked, "Nothing was asked for.")

    def do_refresh(self) -> None:
        """Make the text of the row again: with what it waits for where it is stale, as a new sample
        where it is fresh."""
        address, row = self.bench.address, self.bench.row
        fresh = row is not None and not row.running and row.status in (Status.FRESH, Status.KEPT)
        self.open_plan(self.session.planner.to_refresh([address], again=fresh))

    def off_refresh_all(self) -> str:
        return self.controller.not_idle() or ("" if self.bench.any_stale else "nothing is stale")

    def do_refresh_all(self) -> None:
        """Bring everything stale up to date."""
        self.open_plan(self.session.planner.to_refresh())

    def do_refine(self) -> None:
        """Answer the ticked review points in the next version of the experiment plan, after the
        words to search for were shown."""
        address, planner = self.bench.address, self.session.planner
        suggested = planner.refine_query(address)

        self.bench.ask(
            RefineQuerySheet(f"{branch_of(address)}/exp", suggested),
            lambda query: self.open_plan(planner.to_refine(address, query)),
            "Nothing was run.",
        )

    # -- what runs and what waits

    def word_stop(self) -> str:
        job = self.controller.job
        return "stop now" if job is not None and job.stopping else ""

    def do_stop(self) -> None:
        """Stop after the calls that run; the second time now."""
        self.bench.done(self.controller.stop())

    def do_cost(self) -> None:
        """Runs, calls and what they cost."""
        self.bench.open(CostScreen(self.controller), lambda _: self.bench.done(""))

    async def do_network(self) -> None:
        """From offline to online or back; what is online is said by the next plan before anything
        leaves."""
        offline = not self.session.core.is_offline
        message = (
            "Offline: nothing leaves this machine."
            if offline
            else "Online: each plan says what would leave, before it runs."
        )
        await self.bench.commit(
            lambda: self.session.decide("network", "session", offline),
            f"{message} u takes it back.",
        )


class JobWatch(Part):
    """Follows the job of the session for the screen: its strip, new rows while it runs, and its
    last words."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        super().__init__(bench)
        controller = self.controller
        self.job: Job | None = controller.job if controller.busy else None
        """The job that is being followed, until its end was said."""
        self.rewritten = ""
        """The text that the last job rewrote as it was asked for, until what changed in it was
        shown."""
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
        """Bring rows and strip in line with the job: rows when something happened, the strip also
        when a second went by.

        Gives the sentence about the end of the job when it has ended since the last look.
        ``short``: the terminal is low.
        """
        job = self.controller.job
        if job is None or (job.ended and self.job is not job):
            return ""
        self.follow(job)
        now = time.monotonic()
        if (job.version, int(now)) == self._seen or now < self._next_look:
            return ""
        self._bring_rows(job, now)
        message = self._end(job) if job.ended else ""
        self.bench.jobs.show(self.closing if job.ended else job.lines(short=short))
        return message

    def _bring_rows(self, job: Job, now: float) -> None:
        """Bring the rows in line with what has happened, unless keys come in just now."""
        happened = job.version != self.seen
        if happened and not job.ended and self._keys_first(now):
            return
        self._seen, self._waits_since = (job.version, int(now)), 0.0
        if happened:
            self.bench.refresh_rows()
            self._next_look = time.monotonic() + 5 * (
                time.monotonic() - now
            )  # a long look is taken less often

    @property
    def seen(self) -> int:
        """The version of the job that the rows show."""
        return self._seen[0]

    def _keys_first(self, now: float) -> bool:
        """Whether new rows wait a little, because keys come in: painting them would hold up the
        answer to the next one."""
        self._waits_since = self._waits_since or now
        return now - self.bench.coi.last_key < KEYS_PAUSE and now - self._waits_since < ROWS_WAIT

    def _end(self, job: Job) -> str:
        self.job = None
        failures = job.failures()
        self.closing = (
            [job.closing(), *failures[:4], "Esc closes this"] if failures or job.error else []
        )
        until, outcome = job.plan.goal.until, job.outcome
        lacking = (
            job.missed or self.session.queries.short_chains() if until and not job.stopping else ""
        )
        parts = [lacking, job.closing()]  # what to do comes first: the end is what is cut
        if outcome is not None:
            one = outcome.made[0] if len(outcome.made) == 1 else ""
            self.rewritten = one if one and self.session.state.cell(one).wishes else ""
            alternatives = self.session.queries.came_beside(outcome.made)
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
        self.bench.jobs.show([])
        return True
