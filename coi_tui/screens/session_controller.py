"""An open session with its job, for the screens that show it. It belongs to the app, so leaving a
screen ends nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from coi_tui.model.errors import CoiError
from coi_tui.model.money import NOTHING, Money, dollars
from coi_tui.model.text import count

if TYPE_CHECKING:
    from coi_tui.session.opening import Event, Outcome
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session

T = TypeVar("T")
SHOWN = 2
BUSY = "a job is already running; S stops it"


@dataclass
class Job:
    """What a running job has told so far. ``take`` only notes; screens look when it suits them."""

    plan: Plan
    started: float = field(default_factory=time.monotonic)
    running: dict[tuple[str, str], float] = field(default_factory=dict)
    done: int = 0
    calls: int = 0
    cost: Money = NOTHING
    failed: dict[str, str] = field(default_factory=dict)
    last: str = ""
    stopping: str = ""
    seconds: float = 0.0
    outcome: Outcome | None = None
    error: CoiError | None = None
    ended: bool = False
    missed: str = ""
    """Why the stage of the plan was not reached, in a sentence; empty where it was."""
    version: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    """Answers that are coming in now, by address: to be seen, not to be used."""

    def take(self, event: Event) -> None:
        """Note an event; the one listener of the job."""
        if event.kind == "text":
            self.texts[event.address] = event.text
            return  # rows do not change by it; who shows this row looks for itself
        self.version += 1
        if event.kind == "step started":
            self.running[event.address, event.step] = time.monotonic()
        elif event.kind in ("step done", "step failed"):
            self._step_ended(event)
        elif event.kind == "call":
            self.calls += 1
            self.cost += Money(
                event.cost_usd or 0.0,
                int(event.cost_usd is None and event.text not in ("http", "text")),
            )
        elif event.text:
            self.last = f"{event.kind} {event.address} {event.text}"

    def _step_ended(self, event: Event) -> None:
        self.texts.pop(event.address, None)
        self.running.pop((event.address, event.step), None)
        if event.kind == "step failed":
            self.failed[event.address] = event.text
            self.last = f"failed {event.address} {event.step}: {event.text}"
        else:
            self.done += 1
            self.last = f"done {event.address} {event.step}{f' {dollars(event.cost_usd)}' if event.cost_usd else ''}"

    def end(self, outcome: Outcome | None, error: CoiError | None = None) -> None:
        self.outcome, self.error, self.ended = outcome, error, True
        self.seconds = time.monotonic() - self.started
        self.version += 1

    @property
    def short(self) -> str:
        """For the header."""
        return "STOPPING" if self.stopping else f"RUNNING {self.done} done"

    def lines(self, *, short: bool = False) -> list[str]:
        """The strip while the job runs: always as many lines, so that nothing above it jumps."""
        now = time.monotonic()
        parts = (
            self.progress(),
            f"{now - self.started:.0f} s",
            f"so far {self.cost}",
            self.plan.title,
        )
        head = f"* {'   '.join(part for part in parts if part)}"
        slow = sorted(self.running.items(), key=lambda item: item[1])
        steps = [
            f"    running {address} {step}   {now - since:.0f} s"
            for (address, step), since in slow[:SHOWN]
        ]
        if len(slow) > SHOWN:
            steps[-1] += f"   and {len(slow) - SHOWN} more"
        steps += [""] * (SHOWN - len(steps))
        keys = {
            "": "S stop after this call   S S stop now   you can keep working",
            "after": "stopping after the calls that run; S stop now (a call may still be billed)",
            "now": "stopping now; a call may still be billed",
        }
        if short:  # the footer names the key as well
            return [head, keys[self.stopping]]
        return [head, *steps, f"    {self.last}", keys[self.stopping]]

    def progress(self) -> str:
        """``step 3 of 7``; of a run, whose steps are not known
        beforehand, how many are over."""
        over, steps = self.done + len(self.failed), len(self.plan.on)
        if self.plan.goal.kind == "run":
            return f"{count(over, 'step')} done"
        return f"step {min(over + 1, steps)} of {steps}"

    def closing(self) -> str:
        """The last word of the job, in a sentence or two."""
        if self.error is not None:
            return f"Stopped: {self.error}"
        outcome = self.outcome
        if outcome is None:
            return "Stopped now. What was finished is kept."
        items = (
            f"added {count(len(outcome.made), 'item')} ({count(self.calls, 'call')}), {self.cost}"
        )
        if (stop := outcome.stop) is not None:  # what to do comes first: a narrow line is cut
            remedy = "" if stop.option else f"{stop.hint} "
            key = "g goes on" if self.plan.goal.kind == "run" else "The same key goes on"
            return f"Paused: {items}. {remedy}{key}. {stop.message}"
        word = {"done": "Done", "failed": "Ended with failures", "stopped": "Stopped as you asked"}[
            outcome.state
        ]
        if self.missed and outcome.state == "done":
            word = "Stopped early"
        return f"{word}: {items}, {self.seconds:.0f} s."

    def failures(self) -> list[str]:
        """One line for each failed step and what waits for it."""
        if self.outcome is None:
            return []
        lines = [f"! {address}: {cause}" for address, cause in self.outcome.failed.items()]
        if self.outcome.blocked:
            lines.append(f"  waiting for that: {', '.join(self.outcome.blocked[:6])}")
        return lines


class SessionController:
    """A session with its job. ``shown`` counts the screens that show it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.job: Job | None = None
        self.shown = 0

    @property
    def busy(self) -> bool:
        return self.job is not None and not self.job.ended

    # -- why not

    def not_writable(self) -> str:
        """Why nothing can be changed; empty where it can."""
        reason = self.session.read_only_reason
        return f"this session is read-only ({reason})" if reason else ""

    def not_idle(self) -> str:
        """Why no job can be started; empty where one can."""
        return self.not_writable() or (BUSY if self.busy else "")

    def not_undoable(self) -> str:
        """Why no decision can be undone; empty where one can."""
        return self.not_writable() or (
            "" if self.session.undo_stack.labels()[0] else "there is nothing to undo"
        )

    def refusals(self, address: str) -> Mapping[str, str]:
        """Why each verb is not allowed at a row now; empty for what is allowed."""
        return self.session.refusals(address, busy=self.busy)

    # -- running and deciding

    def incoming(self, address: str) -> str:
        """The answer that is coming in for a cell, so far; empty where none is."""
        return self.job.texts.get(address, "") if self.job is not None and self.busy else ""

    async def work(self, plan: Plan, job: Job) -> None:
        """Run an approved plan to its end; how it ended stands in the job."""
        outcome, error = None, None
        try:
            outcome = await self.session.runs.run(plan, listen=job.take, stream=True)
        except CoiError as trouble:
            error = trouble
        finally:
            if outcome is not None and plan.goal.until and not job.stopping:
                job.missed = self.session.queries.shortfall(
                    plan.goal.until, plan.goal.scope.instance
                )
            job.end(outcome, error)

    async def decide(self, change: Callable[[], T]) -> T:
        """Make a change of the person's, at a moment when no result of the job is on its way to the
        file. Raises CoiError."""
        async with self.session.core.journal.committing:
            return change()

    def stop(self) -> str:
        """Stop after the calls that run; the second time now. Says which."""
        if self.job is None or not self.busy:
            return "Nothing runs."
        now = self.job.stopping != ""
        self.session.runs.stop(now=now)
        self.job.stopping = "now" if now else "after"
        self.job.version += 1
        if now:
            return "Stopping now; a call may still be billed."
        return "Stopping after the calls that run; finished steps stay. S again stops now."
