"""Plans on the command line: shown, approved, run with progress, and closed with a summary and an
exit code."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import (
    OutputTarget,
    as_json,
    ask,
    json_option,
    on_terminal,
    options,
    tell,
    write_text,
    yes_option,
)
from coi_tui.model.money import Limit, dollars
from coi_tui.model.text import count
from coi_tui.session.wording import by_commands

if TYPE_CHECKING:
    from coi_tui.engine.recorder import Event
    from coi_tui.engine.scheduler import Outcome
    from coi_tui.present.snapshot import ProposalOptions
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


EXIT_CODES = {"done": 0, "failed": 1, "waiting": 3, "stopped": 130}
WAIT_SHOWN_S = 10.0
"""A note on a wait that comes again and again, with other numbers, is shown this often at most."""


def limit_of(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Limit | None:
    return Limit.read(text) if text is not None else None


job_options = options(
    yes_option,
    click.option(
        "--budget",
        callback=limit_of,
        metavar="USD|TOKENS",
        help="Stop before a call that could exceed dollars (5) or tokens (200k-tokens).",
    ),
    json_option,
)
"""How a plan is run; commands hand them to ``start``."""


@contextlib.contextmanager
def for_a_plan(session: Session) -> Iterator[contextlib.ExitStack]:
    """What is decided within is there for a plan: it is taken back where that is not approved."""

    def take_back() -> None:
        while len(session.journal.undo_stacks[0]) > known:
            session.undo()

    known = len(session.journal.undo_stacks[0])
    with contextlib.ExitStack() as refused:
        refused.callback(take_back)
        yield refused


def start(
    session: Session,
    plan: Plan,
    until: str = "",
    *,
    yes: bool = False,
    budget: Limit | None = None,
    json_out: bool = False,
    out: OutputTarget | None = None,
    refused: contextlib.ExitStack | None = None,
) -> int:
    """Show the plan, ask, run it and say how it ended; one without anything to run only says so.
    ``until``: the stage that was asked for; ``yes``: it is approved already; ``refused`` takes back
    what was done for this plan, and is emptied once it is approved. The exit code."""
    import asyncio

    from coi_tui.engine.scheduler import Outcome

    if plan.empty:
        tell(f"{plan.title}: there is nothing to do.")
        for line in plan.lines:
            tell(f"Left out: {line.what}: {line.off}.")
    else:
        print_plan(plan)
        if plan.asks and not yes:
            if on_terminal(sys.stdin):
                _tell_of_server(session)
            nobody = "The plan needs approval, and this is not a terminal."
            ask("Run it?", nobody, "Nothing was run.", "The same command shows the plan again.")
    if refused:
        refused.pop_all()
    outcome = Outcome() if plan.empty else asyncio.run(_run(session, plan, budget or Limit()))
    code = _closing(session, outcome, until, plan.goal.scope.instance, json_out, ran=not plan.empty)
    if out:
        write_proposal(session, out)
    return code


def _tell_of_server(session: Session) -> None:
    """Say where the server does not have a model of the plan, or cannot be reached. Its list of
    models is asked for, and nothing is sent."""
    import asyncio

    from coi_tui.session.doctor import models

    if session.uses_model:
        for found in asyncio.run(models(session.settings, session.keys)):
            if found.state == "FAILED":
                tell(f"{found.what.capitalize()}: {found.detail}")


def print_plan(plan: Plan) -> None:
    """Tasks, why, calls, cost range, and what leaves the machine."""
    tell(f"Plan: {plan.title}")
    for line in plan.lines:
        left_out = f"   LEFT OUT: {line.off}" if line.off else ""
        tell(f"  {line.what:32} {line.takes:34}  {line.why}{left_out}")
    tell(f"Total: {plan.in_full}. Models: {plan.models}. Papers: {plan.source}.")
    if plan.note:
        tell(plan.note)
    if plan.no_cache:
        tell("Stored answers are ignored; the services are asked again.")
    sent = "; ".join(plan.sends)
    nothing = sent.startswith("nothing leaves")
    tell(f"{sent.capitalize()}." if nothing else f"Leaves this machine: {sent}.")


async def _run(session: Session, plan: Plan, limit: Limit) -> Outcome:
    with stop_on_interrupt(session.runs.stop):
        return await session.runs.run(plan, limit, listen=Progress(session, plan))


@contextlib.contextmanager
def stop_on_interrupt(stop: Callable[[bool], object]) -> Iterator[None]:
    """Within a running event loop: the first interrupt stops after the running calls, the second
    at once."""
    import asyncio
    import signal

    loop, pressed = asyncio.get_running_loop(), 0

    def interrupt() -> None:
        nonlocal pressed
        pressed += 1
        stop(pressed > 1)
        soon = "Stopping when the running calls have finished; interrupt again to stop now."
        tell(soon if pressed == 1 else "Stopping now.")

    # Windows has none on the loop: an interrupt raises KeyboardInterrupt there
    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, lambda: stop(True))
    yield


class Progress:
    """Shows a job's events, a finished line each with its time; no line moves or changes
    afterwards. With a session it names what a task does, and counts the calls of the plan."""

    def __init__(self, session: Session | None = None, plan: Plan | None = None) -> None:
        self._session, self._plan = session, plan
        self._calls, self._waits = 0, dict[str, float]()
        self._began = time.monotonic()

    def __call__(self, event: Event) -> None:
        at, step = f"{event.address:12} ", event.task
        if self._session and event.kind.startswith("task"):
            step = self._session.doing(event.address, step)
        match event.kind:
            case "task done":
                cost = f"  {dollars(event.cost_usd)}" if event.cost_usd else ""
                word, text, seconds = "done", f"{at}{step}{cost}", time.monotonic() - self._began
                if self._plan and (counted := self._plan.counted(self._calls, seconds)):
                    text += f"  ({counted})"
            case "task failed":
                word, text = "FAILED", f"{at}{step}: {event.text}"
            case "decided":
                word, text = step, f"{at}{event.text}"
            case "note" if event.address:
                word, text = "note", f"{at}{event.text}"
            case "note":
                word, text = "wait", event.text
                same, now = re.sub(r"\d+", "", text), time.monotonic()
                if now - self._waits.get(same, -WAIT_SHOWN_S) < WAIT_SHOWN_S:
                    return
                self._waits[same] = now
            case _:
                self._calls += event.asked_model
                return
        tell(f"  {time.strftime('%H:%M:%S')}  {word:8} {text}".rstrip())


def _tell_failures(session: Session, outcome: Outcome, short: str) -> None:
    """Say what failed, and why a run came to less than was asked for."""
    steps = {failure.address: failure.step for failure in session.journal.failures}
    for address, cause in sorted(outcome.failed.items()):
        tell(f"Failed at {address}, in the task {steps[address]}: {cause}")
    unused, short = session.unused_results(outcome.made), short or session.short_chains()
    for reason in filter(None, (unused, outcome.stop, short)):
        tell(str(reason))


def _closing(
    session: Session, outcome: Outcome, until: str, instance: str, json_out: bool, *, ran: bool
) -> int:
    """Say what was reached, what failed and what needs the person; the exit code follows from
    it."""
    ended = until and outcome.state in ("done", "failed")
    short = session.shortfall(until, instance) if ended else ""
    step, stage = session.next_step(), session.stage_reached(instance)
    stage = until if outcome.state == "done" and not short and until else stage
    spent = session.spent()
    if json_out:
        as_json(
            {
                "session": session.name,
                "state": outcome.state,
                "made": outcome.made,
                "failed": outcome.failed,
                "stage": stage,
                "shortfall": short,
                "spent_usd": spent.money.total,
                "calls": spent.calls,
                "calls_without_price": spent.money.unpriced,
                "tokens": spent.tokens,
                "stopped_because": str(outcome.stop or ""),
                "next": step,
            }
        )
    _tell_failures(session, outcome, short)
    code, word = EXIT_CODES[outcome.state], outcome.state.capitalize() if ran else "Nothing was run"
    if short and outcome.state == "done":
        code, word = 1, "Stopped early"
    goes_on = "tries what failed again" if outcome.failed else "goes on"
    rest = f" `coi resume {session.name}` {goes_on}." if code else ""
    cost = f"{count(spent.calls, 'model call')}, {spent.tokens} tokens, {spent.money}"
    tell(f"{word}: {f'stage {stage}, ' if until else ''}{cost}.{rest}")
    tell(by_commands(step, session.name))
    return code


def write_proposal(session: Session, out: OutputTarget) -> None:
    """Write the proposal where it is wanted, or say that there is none."""
    if session.state.ideas():
        write_export(session, "md", out)
    else:
        tell(
            "No proposal was written, because there is no idea yet; `coi export` writes what exists so far."
        )


def write_export(
    session: Session, kind: str, out: OutputTarget | None, options: ProposalOptions | None = None
) -> None:
    """Write an export to a file, or print it."""
    printed = out is None or out.path == "-"
    made = session.exports.text if printed else session.exports.content
    write_text(made(kind, options), out)
