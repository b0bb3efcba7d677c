"""Runs a job: starts every wanted cell whose inputs are there, side by side, and commits what comes
back."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import (
    EVERYTHING,
    Method,
    NewVersion,
    PendingInputs,
    Result,
    Scope,
    Task,
    View,
    Want,
    is_due,
    is_ready,
)
from coi_tui.engine.freshness import (
    Freshness,
    FreshnessCache,
    FreshnessEvaluator,
    Inputs,
    meanings_now,
)
from coi_tui.engine.journal import Journal
from coi_tui.engine.recorder import Event, Listener, Recorder, silent
from coi_tui.model.entries import COI, Decision, Failure, Version, meanings_of
from coi_tui.model.errors import BudgetStop, CoiError, ReplyError, ServiceError, in_full
from coi_tui.model.fold import BY_RULE, LATE
from coi_tui.model.state import State

log = logging.getLogger(__name__)

MOST_RUNS = 50
"""Runs of one task for one cell in one job: more than any setting asks for, so that only an error
of a method comes to it."""


@dataclass(frozen=True)
class Goal:
    """What a job is for: a stage to reach (within ``scope``), or a list of addresses to bring up to
    date.

    ``again``: ask anew even where fresh. ``step``: make the addresses by this task of the method
    instead of their own (``refine``).
    ``given``: what the person gave for the task to use, by name (the words to search for).
    """

    kind: Literal["run", "refresh"]
    addresses: tuple[str, ...] = ()
    until: str = ""
    again: bool = False
    scope: Scope = EVERYTHING
    step: str = ""
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Outcome:
    """How a job ended. ``failed`` maps addresses to causes; ``blocked`` are wanted cells that could
    not start because of them."""

    state: Literal["done", "failed", "stopped", "waiting"] = "done"
    made: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    blocked: list[str] = field(default_factory=list)
    stop: BudgetStop | None = None


@dataclass
class _Flight:
    want: Want
    inputs: Inputs
    ctx: Context


@dataclass(eq=False)
class Scheduler:
    """One job over one journal. Deterministic in what it makes: no outcome depends on who finished
    first.

    ``at_once``: how many tasks may run side by side; 0 for all that can. One by one the log is the
    same on every run as well.
    ``freshness``: what the session knows of its cells, so that screens and scheduler ask for the
    same.
    """

    method: Method
    journal: Journal
    recorder: Recorder
    goal: Goal
    listen: Listener = silent
    at_once: int = 0
    freshness: FreshnessCache | None = None

    def __post_init__(self) -> None:
        self._freshness = self.freshness or FreshnessCache(lambda _: self.method)
        self.outcome = Outcome()
        self._flights: dict[asyncio.Task[Result], _Flight] = {}
        self._tried: set[str] = set()
        self._begun: Counter[tuple[str, str]] = Counter()
        self._stop: Literal["", "after", "now"] = ""
        self._wake = asyncio.Event()

    # -- control

    def stop(self, now: bool = False) -> None:
        """No new call starts; with ``now`` those in flight are cut off within a second."""
        self._stop = "now" if now else self._stop or "after"
        self.recorder.closed = True
        self._wake.set()

    @property
    def running(self) -> frozenset[str]:
        """Addresses whose tasks run now."""
        return frozenset(f.want.address for f in self._flights.values())

    async def run(self) -> Outcome:
        """Work until nothing more can start. Never raises for a failed task: the outcome names
        it."""
        try:
            while not self._stop:
                if await self._settle():
                    continue
                # in a large session each half takes some milliseconds; a key is heard in between
                await asyncio.sleep(0)
                self._start_ready()
                if not self._flights:
                    break
                await self._wait_for(self._flights)
                await self._collect()
            await self._wind_down()
        except asyncio.CancelledError:
            self._stop = "now"
            await self._wind_down()
            raise
        self._conclude()
        return self.outcome

    # -- what is wanted

    def _view(self) -> View:
        state = self.journal.state
        return View(
            state,
            self._freshness.of(state),
            dict(self.outcome.failed),
            self.running,
            self.goal.scope,
        )

    def _wants(self, view: View) -> list[Want]:
        """What is to be made now. However a method asks, a job comes to an end: a task runs once on
        the same inputs, and only so often for one cell."""
        return [
            w
            for w in self._asked(view)
            if self._due(w, view)
            and self._begun[w.task.name, w.address] < MOST_RUNS
            and self._tag(w, view.state) not in self._tried
        ]

    def _asked(self, view: View) -> Sequence[Want]:
        goal, method = self.goal, self.method
        if goal.kind == "run":
            return method.wanted(view, goal.until)
        makers = [
            (a, method.named(goal.step, a) if goal.step else method.task(a)) for a in goal.addresses
        ]
        when: Literal["always", "stale"] = "always" if goal.again else "stale"
        return [Want(address, task, when) for address, task in makers if task is not None]

    def _due(self, want: Want, view: View) -> bool:
        failed = want.address in self.outcome.failed and want.when != "always"
        return not failed and is_due(want, self._fresh(want.address, view))

    def _fresh(self, address: str, view: View) -> Freshness:
        return view.fresh.get(address) or FreshnessEvaluator(view.state, self.method.task)(address)

    def _tag(self, want: Want, state: State) -> str:
        """One try for one task on one set of inputs, so that no loop can pay twice for the same
        thing."""
        if want.when == "always":
            return f"{want.task.name} {want.address} {'' if self.goal.kind == 'refresh' else len(state.cell(want.address).versions)}"
        meanings = [state.meaning(r.ref) for r in want.task.reads(state, want.address)]
        return f"{want.task.name} {want.address} {meanings}"

    # -- moving on

    async def _settle(self) -> bool:
        """Let the method draw its conclusions; True when it decided something."""
        if self.goal.kind != "run":
            return False
        decisions = list(self.method.settle(self._view(), self.goal.until))
        if not decisions:
            return False
        before = len(self.journal.state.void)
        await self.journal.commit(lambda _state, _seq: decisions)
        for d in decisions:
            self.listen(Event("decided", d.address, d.action, d.reason))
        return len(self.journal.state.void) < before + len(decisions)

    def _start_ready(self) -> None:
        view = self._view()
        wants = self._wants(view)
        # What reads a failed cell must not be made from its older version either.
        pending = PendingInputs(
            self.method,
            view.state,
            {w.address for w in wants} | set(view.running) | set(view.failed),
            view.failed,
        )
        for want in wants:
            if self.at_once and len(self._flights) >= self.at_once:
                return
            if want.address not in view.running and is_ready(want, view.state, pending):
                self._start(want, view)

    def _start(self, want: Want, view: View) -> None:
        state = view.state
        reads = want.task.reads(state, want.address)
        inputs = Inputs(state, want.address, reads)
        versions = map(state.versions.__getitem__, state.cell(want.address).versions)
        made = [one for one in versions if one.actor == COI]
        same = [one for one in made if dict(one.inputs) == inputs.hashes]
        sample = len(same) if want.when == "always" and self.goal.again else 0
        ctx = Context(
            self.recorder,
            state,
            want.address,
            want.task.name,
            sample=sample,
            again=len(made),
            given=self.goal.given,
        )
        self._tried.add(self._tag(want, state))
        self._begun[want.task.name, want.address] += 1
        task = asyncio.create_task(
            want.task.run(ctx, inputs), name=f"{want.task.name} {want.address}"
        )
        self._flights[task] = _Flight(want, inputs, ctx)
        self.listen(Event("task started", want.address, want.task.name))

    async def _wait_for(self, work: Iterable[asyncio.Task[Any]]) -> None:
        """Until one of them ends, or somebody says stop."""
        self._wake.clear()
        waker = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait([*work, waker], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waker.cancel()

    async def _collect(self) -> None:
        done = [t for t in self._flights if t.done()]
        for task in sorted(
            done, key=lambda t: (self._flights[t].want.address, self._flights[t].want.task.name)
        ):
            flight = self._flights.pop(task)
            if task.cancelled():
                continue
            error = task.exception()
            if error is None:
                await self._commit(flight, task.result())
            else:
                await self._fail(flight, error)

    async def _commit(self, flight: _Flight, result: Result) -> None:
        try:
            await self.journal.commit(
                versions_of(self.method, flight.want.task, flight.inputs, flight.ctx, result),
                result.papers,
            )
        except CoiError as error:
            await self._fail(flight, error)
            return
        self.outcome.made += [made.address for made in result.made]
        self.listen(
            Event(
                "task done",
                flight.want.address,
                flight.want.task.name,
                cost_usd=flight.ctx.cost_usd,
            )
        )

    async def _fail(self, flight: _Flight, error: BaseException) -> None:
        address, task = flight.want.address, flight.want.task.name
        if isinstance(error, BudgetStop):
            self.outcome.stop = error
            self.stop()
            return
        failure = failure_of(
            error, address, task, flight.ctx, self.recorder.job, self.journal.clock()
        )
        self.outcome.failed[address] = in_full(failure)
        await self.journal.fail(failure)
        self.listen(Event("task failed", address, task, in_full(failure)))

    # -- the end

    async def _wind_down(self) -> None:
        """Finish or cut off what is in flight; results that still come are kept. A second stop,
        now, is heard here too."""
        if self._stop == "after":
            # Calls in flight may finish and are kept with the session; the tasks' next calls are
            # refused by the recorder.
            await self._unless_now(self.recorder.close(cancel=False))
        pending = list(self._flights)
        if pending:
            await self._unless_now(asyncio.wait(pending))
        if self._stop == "now":
            for task in pending:
                task.cancel()
            if pending:
                await asyncio.wait(pending)
        await self._collect()
        await self.recorder.close(cancel=self._stop == "now")

    async def _unless_now(self, work: Coroutine[object, object, object]) -> None:
        """Wait for the end of ``work``, or until somebody says stop now."""
        task = asyncio.create_task(work)
        try:
            while not task.done() and self._stop != "now":
                await self._wait_for([task])
        finally:
            task.cancel()
            await asyncio.wait([task])

    def _conclude(self) -> None:
        if self._stop:
            self.outcome.state = "waiting" if self.outcome.stop else "stopped"
            return
        view = self._view()
        failed = PendingInputs(self.method, view.state, set(view.failed), view.failed)
        due = {w.address for w in self._wants(view)}
        waiting = [
            w.address
            for w in self._asked(view)
            if w.address in due or (not self._fresh(w.address, view).ok and failed.above(w.address))
        ]
        self.outcome.blocked = [address for address in waiting if address not in failed.cells]
        if self.outcome.failed:
            self.outcome.state = "failed"


def versions_of(
    method: Method, task: Task, inputs: Inputs, ctx: Context, result: Result
) -> Callable[[State, int], Sequence[Decision | Version]]:
    """Builds the versions to add at the moment of the commit; where an input changed meanwhile they
    are alternatives to the one in use."""

    def build(state: State, _next: int) -> list[Decision | Version]:
        now = meanings_now(state, task.reads(state, inputs.address), parents=True)
        late = LATE if now != inputs.everything else ""
        return [
            Version(
                actor="coi",
                address=made.address,
                content=dict(made.content),
                meanings=meanings_of(made.content),
                origin=made.origin,
                parents=made.parents,
                inputs=inputs.hashes,
                sources=inputs.sources,
                recipe={
                    "step": task.name,
                    **made.recipe,
                    **({"changes": list(dict.fromkeys(ctx.changed))} if ctx.changed else {}),
                },
                calls=made.calls or tuple(dict.fromkeys(ctx.used)),
                cost_usd=made.cost_usd if made.calls else ctx.cost_usd,
                alternative_because=late
                or made.alternative_because
                or _by_rule(method, made, state),
            )
            for made in result.made
        ]

    return build


def _by_rule(method: Method, made: NewVersion, state: State) -> str:
    """Why a worksheet is no more than an alternative: somebody wrote the text in use. Candidates must
    be judged by somebody, so their verdicts are taken."""
    used = state.in_use(made.address)
    of_list = not method.kind(made.address).has_row
    written = used is not None and used.origin not in ("drafter", "source")
    return BY_RULE if made.origin == "drafter" and written and not of_list else ""


def failure_of(
    error: BaseException, address: str, task: str, ctx: Context, job: int, time: str
) -> Failure:
    """The record of a failed task: its cause in a sentence. A reply that could not be read is not
    taken again on a retry."""
    kind, keys = "unexpected", ()  # type: tuple[str, tuple[str, ...]]
    if isinstance(error, CoiError):
        cause = str(error)
        kind = error.kind if isinstance(error, ServiceError) else type(error).__name__
    else:
        log.error("task %s at %s failed unexpectedly", task, address, exc_info=error)
        cause = (
            f"The task stopped with an unexpected {type(error).__name__}; the log has the details."
        )
    if isinstance(error, ReplyError):
        kind, keys = "reply", tuple(dict.fromkeys(ctx.keys))
    response = error.response if isinstance(error, ServiceError) else ""
    return Failure(
        address=address,
        step=task,
        cause=cause,
        response=response,
        kind=kind,
        keys=keys,
        time=time,
        job=job,
    )
