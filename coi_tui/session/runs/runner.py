"""Plans and jobs of a session."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from coi_tui.engine.events import Event, Listener, silent
from coi_tui.engine.steps import EVERYTHING, Cost, Scope, Step
from coi_tui.methods.coi.method import STAGES, ChainOfIdeas
from coi_tui.model.address import parse_address
from coi_tui.model.calls import JobEvent
from coi_tui.model.entries import Decision
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.session.queries.queries import Looks
from coi_tui.session.runs.service_setup import open_services

if TYPE_CHECKING:
    from coi_tui.engine.budget import Budget
    from coi_tui.engine.scheduler import Goal, Outcome
    from coi_tui.model.queue import Queued
    from coi_tui.session.runs.calibration import Measures
    from coi_tui.session.runs.generate_menu import Offer
    from coi_tui.session.runs.plans import Plan, PlanLine
    from coi_tui.session.session import Session


def check_stage(until: str) -> None:
    """Raises UsageError for what is no stage of the method."""
    if until not in STAGES:
        raise UsageError(f"{until!r} is not a stage.", f"The stages are {', '.join(STAGES)}.")


class Runs(Looks):
    """Nothing runs without a plan that was approved."""

    _measures: tuple[tuple[int, str, str], Measures] | None = None

    def plan_run(self, until: str = "review", scope: Scope = EVERYTHING) -> Plan:
        """What it takes to reach the end of a stage, for all branches or those of ``scope``. Raises UsageError for an unknown stage."""
        from coi_tui.engine.scheduler import Goal
        from coi_tui.session.runs.plans import of_forecast

        check_stage(until)
        lines = of_forecast(self.method.forecast(self.state, until, scope, self.calibrated), self._price)
        what = f"branch {', '.join(map(str, scope.branches))}" if scope.branches else self.name
        return self._plan(f"Run {what} to {until}", Goal("run", until=until, scope=scope), lines)

    def plan_make(self, addresses: Sequence[str], title: str, *, again: bool = False, step: str = "") -> Plan:
        """What it takes to make the named texts, in their order; those that are up to date are left out unless ``again``.

        ``step`` makes them by that step of the method (``refine``). Raises UsageError for what no step makes.
        """
        from coi_tui.engine.scheduler import Goal
        from coi_tui.session.runs.plans import refresh_line

        maker = {a: self.method.named(step) if step else self.method.step(a) for a in addresses}
        if missing := [a for a, found in maker.items() if found is None]:
            raise UsageError(f"{missing[0]} is made by no step.", "Texts and candidate lists are.")
        due = [a for a in addresses if again or not self.freshness(a).ok]
        lines = tuple(refresh_line(self.state, a, self.freshness(a), self.method, self._price, due, maker[a], self.calibrated) for a in due)
        ticked = tuple(line.address for line in lines if not line.off)
        return self._plan(title, Goal("refresh", addresses=ticked, again=again, step=step), lines)

    def menu(self, address: str) -> list[Offer]:
        """What can be generated from a row, each with its plan or the reason why not."""
        from coi_tui.session.runs.generate_menu import offers

        return offers(cast("Session", self), address)

    def plan_needs(self, plan: Plan) -> dict[str, tuple[str, ...]]:
        """For each line of a plan, the other lines it is made from."""
        inside = {line.address for line in plan.lines if line.address}
        out: dict[str, tuple[str, ...]] = {}
        for address in inside:
            step = self.method.step(address)
            reads = step.reads(self.state, address) if step else ()
            above = {r.cell for r in reads if not r.parent} | set(self.freshness(address).upstream)
            out[address] = tuple(sorted((above & inside) - {address}))
        return out

    def budget_left(self) -> str:
        """What is left of the cap, in words; empty where there is none."""
        cap = self.cap_usd()
        return "" if cap is None else f"budget left ${max(0.0, cap - self.spent()[0]):.2f} of ${cap:.2f}"

    def plan_verify(self, address: str) -> Plan:
        """A novelty check of the idea in the branch of a row."""
        from coi_tui.session.runs.generate_menu import verify_plan

        return verify_plan(cast("Session", self), address)

    def plan_review(self, address: str) -> Plan:
        """A review of the experiment plan in the branch of a row."""
        from coi_tui.session.runs.generate_menu import review_plan

        return review_plan(cast("Session", self), address)

    def plan_refine(self, address: str) -> Plan:
        """The next version of the experiment plan, answering the ticked review points."""
        from coi_tui.session.runs.generate_menu import refine_plan

        return refine_plan(cast("Session", self), address)

    def leave_failed(self, address: str) -> None:
        """Go on with a chain as long as it is: the failed search beyond its end is left."""
        self.keep_length(address)
        self.failed.pop(address, None)

    def plan_retry(self, address: str) -> Plan:
        """The failed step of a cell once more, and no more than it."""
        at = parse_address(address)
        if at.part == "Q":
            return self.plan_run("questions", Scope((at.branch,)))
        if at.part in ("cands", "rel") and self.state.slot(str(at.slot)).paper is None:
            side: Literal["", "forward", "backward"] = "" if at.pos == 0 else "forward" if at.pos > 0 else "backward"
            return self.plan_run("cards" if side else "anchors", Scope((at.branch,), side, at.pos))
        again = self.state.in_use(address) is not None and self.freshness(address).ok
        return self.plan_make([address], f"Try {address} again", again=again)

    def plan_refresh(self, addresses: Sequence[str] | None = None, *, again: bool = False, exactly: bool = False) -> Plan:
        """What it takes to bring cells up to date: all stale ones, or those named with what they wait for.

        ``again``: even where fresh, as a new sample. ``exactly``: the named ones alone, as a person ticked them.
        """
        from coi_tui.engine.scheduler import Goal
        from coi_tui.session.runs.plans import refresh_line, stale_addresses, with_ancestors

        if addresses is None:
            addresses = stale_addresses(self.state, self.fresh, self.method)
        for address in addresses:
            if self.method.step(address) is None or not self.state.cell(address).versions:
                raise UsageError(f"{address} is nothing that can be refreshed.", "Texts and candidate lists that exist can be.")
        if not again and not exactly:
            addresses = with_ancestors(self.state, self.fresh, self.method, addresses)
        state, fresh, price = self.state, self.freshness, self._price
        lines = tuple(refresh_line(state, a, fresh(a), self.method, price, addresses, adjust=self.calibrated) for a in addresses)
        ticked = tuple(line.address for line in lines if not line.off)
        return self._plan(f"Refresh {len(ticked)} of {self.name}", Goal("refresh", addresses=ticked, again=again), lines)

    def plan_resume(self, until: str | None = None) -> Plan:
        """Go on where the last job stopped: its stage or its addresses, finished calls for free."""
        goal = self._last_goal()
        if until is None and goal.get("kind") == "refresh" and goal.get("open"):
            left = [a for a in goal.get("addresses", []) if not self.freshness(a).ok]
            if left:
                return self.plan_refresh(left)
        scope = Scope(tuple(goal.get("branches") or ()), goal.get("side") or "", goal.get("furthest") or 0)
        return self.plan_run(until or goal.get("until") or STAGES[-1], EVERYTHING if until else scope)

    def _last_goal(self) -> dict[str, Any]:
        events = self.file.job_events()
        starts = [e for e in events if e.state == "approved"]
        if not starts:
            return {}
        last = starts[-1]
        ended = any(e.job == last.job and e.state == "done" for e in events)
        return {**last.detail, "open": not ended}

    def _plan(self, title: str, goal: Goal, lines: Sequence[Any]) -> Plan:
        from coi_tui.session.runs.calibration import time_of
        from coi_tui.session.runs.disclosure import sends
        from coi_tui.session.runs.plans import Plan

        session, setup = cast("Session", self), self.setup
        days = self.settings.answers_days if setup.online_source and any(map(self._may_be_kept, lines)) else 0
        told = sends(session, setup, lines)
        return Plan(title, goal, tuple(lines), setup.model, setup.source, told, time_of(session, lines), kept_days=days)

    def _may_be_kept(self, line: PlanLine) -> bool:
        """Whether a line looks for papers for the first time: a list made again and a novelty check ask the services in any case."""
        novelty = line.what.startswith("novelty") or line.address.endswith("/nov")
        return bool(line.cost.searches[1]) and not novelty and not (line.address and self.state.cell(line.address).versions)

    @property
    def measures(self) -> Measures:
        """What earlier calls of this file used, gathered once for so many calls and these models."""
        from coi_tui.session.runs.calibration import measures_of

        llm = self.settings.llm
        key = (len(self.calls), llm.main.model, llm.reader.model)
        if self._measures is None or self._measures[0] != key:
            self._measures = (key, measures_of(cast("Session", self)))
        return self._measures[1]

    def calibrated(self, step: Step, cost: Cost) -> Cost:
        """A step's cost with the tokens of earlier calls in place of the guess, where a language model is asked."""
        return self.measures.calibrated(step, cost) if self.uses_model else cost

    def _price(self, cost: Cost) -> tuple[float, float] | None:
        if not cost.calls[1] or not self.setup.online_model:
            return (0.0, 0.0)
        from coi_tui.llm.prices import price_usd

        llm = self.settings.llm
        model = llm.reader.model if cost.role == "reader" and llm.reader.model else llm.main.model
        low = price_usd(model, cost.prompt_tokens[0], cost.reply_tokens[0], llm.prices, base_url=llm.base_url)
        high = price_usd(model, cost.prompt_tokens[1], cost.reply_tokens[1], llm.prices, base_url=llm.base_url)
        return None if low is None or high is None else (low, high)

    # -- plans that wait for the network --------------------------------------------------------------------------

    def off_queue(self, plan: Plan) -> str:
        """Why a plan cannot be put off until the network is there; empty where it can."""
        from coi_tui.session.runs import plan_queue

        return plan_queue.reason_not_to(self, plan)

    def queue_plan(self, plan: Plan) -> Decision:
        """Put a plan off. Nothing of it runs before a person says so, and it is planned anew then. Raises UsageError."""
        from coi_tui.session.runs import plan_queue

        if why := self.off_queue(plan):
            raise UsageError(f"“{plan.title}” was not put off: {why}.", "Nothing of it was run.")
        value = {"title": plan.title, "goal": plan_queue.as_goal(plan.goal), "anew": plan.anew}
        return self._decide("queue", "session", value)

    def queued_at(self, place: int) -> Queued:
        """The waiting plan at a place of the list, counted from 1. Raises UsageError."""
        from coi_tui.session.runs import plan_queue

        return plan_queue.nth(self.state.queue, place)

    def unqueue_plan(self, number: int) -> Decision:
        """Take a waiting plan out, by the number of the decision that put it off. Raises UsageError."""
        from coi_tui.session.runs import plan_queue

        return self._decide("unqueue", "session", {"queued": plan_queue.find(self.state.queue, number).seq})

    def plan_queued(self, number: int) -> Plan:
        """A waiting plan as it is today, with what is still to be made and today's prices. Raises UsageError, also while offline."""
        from coi_tui.session.runs import plan_queue

        return plan_queue.plan_now(self, plan_queue.find(self.state.queue, number))

    def work_offline(self, on: bool) -> Decision:
        """Let nothing of this session leave the machine from now on, or let it again. Raises UsageError where all sessions are offline."""
        if not on and self.settings.offline:
            raise UsageError("The settings say that everything is offline.", "Change “offline” there (, opens them), then try again.")
        if on == self.offline:
            raise UsageError(f"This session works {'offline' if on else 'online'} already.")
        return self.set_settings({"offline": on})

    def network_trouble(self, outcome: Outcome) -> str:
        """A sentence where a job failed because a service was away; else empty."""
        from coi_tui.session.runs import plan_queue

        return plan_queue.trouble(outcome, self.journal.failures)

    # -- running --------------------------------------------------------------------------------------------------

    async def run(self, plan: Plan, *, budget_usd: float | None = None, listen: Listener = silent, stream: bool = False) -> Outcome:
        """Run an approved plan. At most its ``stop_usd`` is spent, or ``budget_usd`` where that is less.

        ``stream`` tells the listener of texts while they come.
        Raises StoreError when the session cannot be written; a failed step is part of the outcome.
        """
        if self.file.read_only:
            raise UsageError(f"This session is read-only ({self.read_only_reason}).", "Close it elsewhere first.")
        if self.scheduler is not None:
            raise UsageError("A job is running in this session already.", "Stop it first, or wait.")
        job = self.file.next_job()
        detail = {
            "kind": plan.goal.kind, "until": plan.goal.until, "addresses": list(plan.goal.addresses),
            "branches": list(plan.goal.scope.branches), "side": plan.goal.scope.side, "furthest": plan.goal.scope.furthest,
            "step": plan.goal.step, "calls": list(plan.calls),
            "usd": list(plan.usd) if plan.usd else None, "budget_usd": budget_usd, **({"anew": True} if plan.anew else {}),
            **({"queued": plan.queued} if plan.queued else {}),
        }  # fmt: skip
        await self.journal.job_event(JobEvent(job=job, state="approved", time=self.clock(), detail=detail))
        self.failed.clear()
        self.failed_at.clear()

        def waits(host: str, seconds: float) -> None:
            listen(Event("waiting", text=f"{host} limits the rate of calls (429)", seconds=seconds))

        async with open_services(
            self.settings, self.keys, self.paths, offline=self.offline, today=self.today, known_until=self.known_until,
            told=lambda text: listen(Event("note", text=text)), waits=waits, now=self.clock, kept=self.kept_first,
            anew=f"job {job}" if plan.anew else "", orders=self.orders,
        ) as tools:  # fmt: skip
            return await self.run_with(
                ChainOfIdeas(tools), plan, job, self._cap(plan, budget_usd), listen, stream=stream, at_once=self._at_once
            )  # fmt: skip

    async def run_with(
        self, method: ChainOfIdeas, plan: Plan, job: int, budget: Budget, listen: Listener = silent, *, stream: bool = False,
        at_once: int = 0,
    ) -> Outcome:  # fmt: skip
        """The same with services at hand (tests and benchmarks bring their own)."""
        from coi_tui.engine.recorder import Recorder
        from coi_tui.engine.scheduler import Scheduler
        from coi_tui.methods.shared.links import found_links
        from coi_tui.session.papers.library import remember

        at: dict[str, int] = {}

        def heard(event: Event) -> None:
            if event.kind == "step failed":
                at[event.address] = self.state.seq
            listen(event)

        recorder = Recorder(self.journal, budget, job=job, listen=heard, stream=stream)
        self.scheduler = Scheduler(method, self.journal, recorder, plan.goal, heard, at_once=at_once)
        try:
            outcome = await self.scheduler.run()
        finally:
            self.scheduler = None
        self.failed.update(outcome.failed)
        self.failed_at.update(at)
        if plan.queued and outcome.state == "done" and any(q.seq == plan.queued for q in self.state.queue):
            ended = Decision(actor="coi", action="unqueue", address="session", value={"queued": plan.queued})
            await self.journal.land(lambda _state, _seq: [ended])
        await self.journal.job_event(JobEvent(job=job, state=outcome.state, time=self.clock(), detail=_ended(outcome, at)))
        await asyncio.to_thread(remember, self.paths, self.state.papers, found_links(self.state))
        with contextlib.suppress(CoiError):  # the summary is only for the list; what failed has been said
            self.save_summary()
        return outcome

    @property
    def _at_once(self) -> int:
        """Where nothing is waited for, steps side by side gain no time; one by one, a session is the same each time, to the last number."""
        setup = self.setup
        return 0 if setup.online_model or setup.online_source else 1

    def _cap(self, plan: Plan, budget_usd: float | None) -> Budget:
        from coi_tui.engine.budget import Budget

        cap = self.cap_usd()
        left = None if cap is None else max(0.0, cap - self.spent()[0])
        asked = [usd for usd in (budget_usd, left) if usd is not None]
        top = [plan.stop_usd] if plan.stop_usd else []
        limit = min([*asked, *top]) if asked or top else None
        return Budget(limit, max(1, -(-plan.calls[1] * 12 // 10)))

    def stop(self, now: bool = False) -> bool:
        """Stop the running job; False when none runs."""
        if self.scheduler is None:
            return False
        self.scheduler.stop(now)
        return True


def _ended(outcome: Outcome, at: Mapping[str, int]) -> dict[str, Any]:
    """What is kept of a job's end: what failed, and after which entry of the log each did."""
    seqs = {address: at[address] for address in outcome.failed if address in at}
    return {"failed": outcome.failed, **({"failed_at": seqs} if seqs else {})}
