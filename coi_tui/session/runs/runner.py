"""Runs approved plans as jobs. Nothing runs without a plan that was approved."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict

from coi_tui.engine.budget import NO_LIMIT, Budget
from coi_tui.engine.declarations import Method
from coi_tui.engine.recorder import Event, Listener, Recorder, silent
from coi_tui.engine.scheduler import Outcome, Scheduler
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.entries import JobEvent
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.money import Limit
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.impact import write_renewed
from coi_tui.session.decisions.verbs import add_method, settings_when_added
from coi_tui.session.papers.library import remember
from coi_tui.session.queries.rows import save_summary
from coi_tui.session.runs.plans import Plan
from coi_tui.session.service_setup import open_services


class Runs:
    """The jobs of a session, one at a time."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    async def run(
        self,
        plan: Plan,
        budget: Limit = NO_LIMIT,
        *,
        listen: Listener = silent,
        stream: bool = False,
    ) -> Outcome:
        """Run an approved plan. At most ``budget`` is spent.

        ``stream`` tells the listener of texts while they come.
        Raises StoreError when the session cannot be written; a failed task is part of the outcome.
        """
        core, job = self._core, await self.approve(plan)
        async with open_services(
            core.env,
            offline=core.offline,
            known_until=core.known_until,
            on_wait=lambda text: listen(Event("note", text=text)),
            no_cache=plan.no_cache,
        ) as tools:
            methods = SessionMethods(core.first_method, tools).follow(core.state)
            return await self.run_with(
                methods,
                plan,
                job,
                self.budget_for(plan, budget),
                listen,
                stream=stream,
                # Where nothing is waited for, running tasks side by side saves no time; one by one,
                # a session is the same each time, to the last number.
                at_once=0 if core.setup.online_model or core.setup.online_source else 1,
            )

    async def approve(self, plan: Plan) -> int:
        """Write down that a plan was approved; the number of its job. Raises UsageError where it
        cannot run now."""
        core = self._core
        core.check_writable()
        if core.scheduler:
            raise UsageError("A job is already running in this session.", "Stop it first, or wait.")
        for name in plan.adds:
            if name not in (m.method for m in core.state.instances.values()):
                # a decision of the person's, which undo takes back
                add_method(core, name, settings_when_added(core, name))
        job = core.file.next_job()
        detail = {
            **asdict(plan.goal),
            "calls": plan.calls,
            "usd": plan.usd,
            "models": plan.models,
            "sends": plan.sends,
            "after": core.state.seq,
            "by": core.writer,
        }
        await core.journal.job_event(
            JobEvent(job=job, state="approved", time=core.clock(), detail=detail)
        )
        core.failed.clear()
        return job

    async def run_with(
        self,
        method: Method,
        plan: Plan,
        job: int,
        budget: Budget,
        listen: Listener = silent,
        *,
        stream: bool = False,
        at_once: int = 0,
    ) -> Outcome:
        """The same with services at hand (tests and benchmarks bring their own)."""
        core, before = self._core, self._core.state
        recorder = Recorder(core.journal, budget, job=job, listen=listen, stream=stream)
        core.scheduler = Scheduler(
            method,
            core.journal,
            recorder,
            plan.goal,
            listen,
            at_once=at_once,
            freshness=core.freshness_cache,
        )
        try:
            outcome = await core.scheduler.run()
        finally:
            core.scheduler = None
            with contextlib.suppress(CoiError):
                async with core.journal.committing:  # a text that was on its way at a stop is there
                    write_renewed(core, before, job)
                await core.file.run(core.file.checkpoint)
        core.failed.update(outcome.failed)
        await core.journal.job_event(
            JobEvent(
                job=job, state=outcome.state, time=core.clock(), detail={"failed": outcome.failed}
            )
        )
        await asyncio.to_thread(remember, core.paths, core.state.papers)
        with contextlib.suppress(
            CoiError
        ):  # the summary is only for the list; what failed is in the outcome
            save_summary(core)
        return outcome

    def budget_for(self, plan: Plan, allowed: Limit = NO_LIMIT) -> Budget:
        """What a job of this plan may spend: what a person allowed, no more than is left of the
        session's cap, and a fifth more calls than the plan says."""
        spent = self._core.spent()
        left = self._core.cap().less(spent.money.usd, spent.tokens)
        calls = max(1, -(-plan.calls[1] * 12 // 10))
        return Budget(allowed.usd, calls, allowed.tokens, left=left)

    def stop(self, now: bool = False) -> bool:
        """Stop the running job; False when none runs."""
        if self._core.scheduler is None:
            return False
        self._core.scheduler.stop(now)
        return True
