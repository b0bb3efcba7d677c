"""Plans on the command line: shown, approved, run with progress, and closed with a summary and an
exit code."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from coi_tui.cli.output import Target, as_json, ask, json_option, out_option, say, tell

if TYPE_CHECKING:
    from coi_tui.engine.recorder import Event
    from coi_tui.engine.scheduler import Outcome
    from coi_tui.model.money import Limit
    from coi_tui.present.snapshot import ProposalOptions
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session
    from coi_tui.store.summary import NextStep


EXIT_CODES = {"done": 0, "failed": 1, "waiting": 3, "stopped": 130}


def start(session: Session, plan: Plan, until: str, options: JobOptions) -> int:
    """Show the plan, ask, run it and say how it ended. ``until``: the stage that was asked for. The
    exit code."""
    import asyncio

    from coi_tui.model.errors import ConsentNeeded
    from coi_tui.model.money import Limit

    print_plan(plan)
    if plan.asks and not options.yes:
        nobody = ConsentNeeded(
            "The plan needs approval, and this is not a terminal.",
            "Pass --yes, or run it in a terminal.",
        )
        no = ConsentNeeded("Nothing was run.", "The same command shows the plan again.")
        ask("Run it?", nobody=nobody, no=no)
    outcome = asyncio.run(_run(session, plan, options.budget or Limit()))
    code = _closing(session, outcome, until, plan.goal.scope.instance, options.json_out)
    if options.out is not None:
        write_proposal(session, options.out)
    return code


def print_plan(plan: Plan) -> None:
    """Steps, why, calls, cost range, and what leaves the machine."""
    tell(f"Plan: {plan.title}")
    for line in plan.lines:
        left_out = f"   LEFT OUT: {line.off}" if line.off else ""
        tell(f"  {line.what:32} {line.takes:34}  {line.why}{left_out}")
    tell(f"Total: {plan.takes}. Models: {plan.models}. Papers: {plan.source}.")
    if plan.note:
        tell(plan.note)
    if plan.anew:
        tell("Stored answers are ignored; the services are asked again.")
    sent = "; ".join(plan.sends)
    tell(
        f"{sent.capitalize()}."
        if sent.startswith("nothing leaves")
        else f"Leaves this machine: {sent}."
    )


async def _run(session: Session, plan: Plan, limit: Limit) -> Outcome:
    """Run with the keyboard at hand: the first interrupt stops after the running calls, the second
    at once."""
    import asyncio
    import signal

    loop, pressed = asyncio.get_running_loop(), 0

    def interrupt() -> None:
        nonlocal pressed
        pressed += 1
        session.runs.stop(now=pressed > 1)
        tell(
            "Stopping when the running calls have finished; interrupt again to stop now."
            if pressed == 1
            else "Stopping now."
        )

    for sig, handler in (
        (signal.SIGINT, interrupt),
        (signal.SIGTERM, lambda: session.runs.stop(now=True)),
    ):
        try:
            loop.add_signal_handler(sig, handler)
        # Windows has no signal handlers on the loop: an interrupt raises KeyboardInterrupt there
        except NotImplementedError:
            break
    return await session.runs.run(plan, limit, listen=Progress())


WAIT_SHOWN_S = 10.0
"""A note on a wait that comes again and again, with other numbers, is shown this often at most."""


class Progress:
    """Shows a job's events, a finished line each; no line moves or changes afterwards."""

    def __init__(self) -> None:
        self._waits: dict[str, float] = {}

    def __call__(self, event: Event) -> None:
        import time

        from coi_tui.model.money import dollars

        at = f"{event.address:12} "
        if event.kind == "step done":
            cost = f"  {dollars(event.cost_usd)}" if event.cost_usd else ""
            tell(f"  done     {at}{event.step}{cost}")
        elif event.kind == "step failed":
            tell(f"  FAILED   {at}{event.step}: {event.text}")
        elif event.kind == "decided":
            tell(f"  {event.step:8} {at}{event.text}".rstrip())
        elif event.kind == "note" and event.address:
            tell(f"  note     {at}{event.text}")
        elif event.kind == "note":
            same, now = re.sub(r"\d+", "", event.text), time.monotonic()
            if now - self._waits.get(same, -WAIT_SHOWN_S) >= WAIT_SHOWN_S:
                self._waits[same] = now
                tell(f"  wait     {event.text}")


def _closing(session: Session, outcome: Outcome, until: str, instance: str, json_out: bool) -> int:
    """Say what was reached, what failed and what needs the person; the exit code follows from
    it."""
    from coi_tui.model.text import count
    from coi_tui.session.wording import by_commands

    short = (
        session.queries.shortfall(until, instance)
        if until and outcome.state in ("done", "failed")
        else ""
    )
    step = session.queries.next_step()
    if json_out:
        as_json(_as_data(session, outcome, short, step))
    if outcome.stop is not None:
        tell(str(outcome.stop))
    for address, cause in sorted(outcome.failed.items()):
        tell(f"Failed at {address}: {cause}")
    if said := short or session.queries.short_chains():
        tell(said)
    spent = session.core.spent()
    told = f"{count(spent.calls, 'model call')}, {spent.tokens} tokens, {spent.money}"
    code, word = EXIT_CODES[outcome.state], outcome.state.capitalize()
    if short and outcome.state == "done":
        code, word = 1, "Stopped early"
    goes_on = "tries what failed again" if outcome.failed else "goes on"
    rest = f" `coi resume {session.name}` {goes_on}." if code else ""
    tell(f"{word}: stage {session.queries.stage_reached(instance)}, {told}.{rest}")
    tell(by_commands(step, session.name))
    return code


def _as_data(session: Session, outcome: Outcome, short: str, step: NextStep) -> dict[str, Any]:
    from coi_tui.session.queries.next_step import as_data as step_data

    spent = session.core.spent()
    return {
        "session": session.name,
        "state": outcome.state,
        "made": outcome.made,
        "failed": outcome.failed,
        "blocked": outcome.blocked,
        "stage": session.queries.stage_reached(),
        "shortfall": short,
        "short_chains": session.queries.short_chains(),
        "spent_usd": spent.money.total,
        "known_usd": spent.money.usd,
        "calls_without_price": spent.money.unpriced,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "stopped_because": str(outcome.stop) if outcome.stop else "",
        "next": step_data(step),
    }


def write_proposal(session: Session, out: Target, options: ProposalOptions | None = None) -> None:
    if not session.state.ideas():
        tell(
            "No proposal was written, because there is no idea yet; `coi export` writes what exists so far."
        )
        return
    text = session.exports.text("md", options)
    if out.path == "-":
        say(text)
        return
    path = session.exports.write(text, out.path, overwrite=out.overwrite)
    tell(f"Proposal written to {path}")


Command = TypeVar("Command", bound=Callable[..., Any])


def _limit(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Limit | None:
    from coi_tui.model.money import Limit  # not for the help

    if text is not None and not text.strip():
        raise click.BadParameter("give dollars such as 5 or 0.50, or tokens such as 200k-tokens.")
    return Limit.read(text) if text else None


_YES = click.option("--yes", "yes", is_flag=True, help="Approve the plan without asking.")
_BUDGET = click.option(
    "--budget",
    callback=_limit,
    metavar="USD|TOKENS",
    help="Stop before a call that could exceed dollars (5) or tokens (200k-tokens).",
)


@dataclass(frozen=True)
class JobOptions:
    """How a plan is to be run. ``yes``: it is approved already."""

    yes: bool = False
    budget: Limit | None = None
    out: Target | None = None
    json_out: bool = False


def job_options(*, out: bool = False) -> Callable[[Command], Command]:
    """``--yes``, ``--budget`` and ``--json`` for a command, where wanted also ``--out``; it gets
    them as ``options``."""
    shown = [_YES, _BUDGET, *([out_option] if out else []), json_option]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_options(
            *,
            yes: bool,
            budget: Limit | None,
            json_out: bool,
            out: Target | None = None,
            **said: Any,
        ) -> Any:
            return command(options=JobOptions(yes, budget, out, json_out), **said)

        decorated: Any = with_options
        for option in reversed(shown):
            decorated = option(decorated)
        return cast(Command, decorated)

    return decorate
