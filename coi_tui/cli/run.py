"""Commands that work: demo, run, resume, refresh."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from coi_tui import DEMO_TOPIC
from coi_tui.cli.output import Target, as_json, json_option, log_to_file, opened, out_option, say, settings, tell

if TYPE_CHECKING:
    from coi_tui.engine.events import Event
    from coi_tui.engine.scheduler import Outcome
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session

yes_option = click.option("--yes", "yes", is_flag=True, help="Approve the plan without asking.")
until_option = click.option("--until", metavar="STAGE", help="Stop after this stage (questions, anchors, ... review).")
budget_option = click.option("--budget", type=click.FloatRange(min=0), metavar="USD", help="Stop before a call that could pass this.")
anew_option = click.option("--refresh", "anew", is_flag=True, help="Ask the services again, also where the library holds an answer.")
queue_option = click.option("--queue", "later", is_flag=True, help="Run nothing: let the plan wait for the network (coi queue).")


@click.command()
@click.option("--headless", is_flag=True, help="No app: run the whole method and write the proposal.")
@click.option("--topic", default=DEMO_TOPIC, show_default=True, help="What the idea should be about.")
@out_option
@click.pass_context
def demo(ctx: click.Context, headless: bool, topic: str, out: Target | None) -> int:
    """The whole method offline on the starter library: no key, no network, nothing is charged."""
    if not headless:
        from coi_tui.app import run_app

        return run_app(demo=True)
    return _new(topic, f"demo {topic}", {}, offline=True, until=None, yes=True, budget=None, out=out or Target("-"), json_out=False)


@click.command()
@click.argument("topic")
@click.option("--name", help="The session's name; made from the topic otherwise.")
@click.option("--branches", type=click.IntRange(1, 5), metavar="K", help="How many chains (default 3).")
@click.option("--length", type=click.IntRange(1, 12), metavar="L", help="Most papers in a chain (default 5).")
@click.option("--forward", type=click.IntRange(0, 11), metavar="F", help="Places for successors (default 2).")
@click.option("--backward", type=click.IntRange(0, 11), metavar="B", help="Places for predecessors (default 2).")
@until_option
@click.option("--known-until", metavar="DATE", default="", help="Know no paper published after this day (YYYY, YYYY-MM or YYYY-MM-DD).")
@click.option("--offline", is_flag=True, help="Starter library and drafter only; nothing leaves this machine.")
@anew_option
@queue_option
@yes_option
@budget_option
@out_option
@json_option
def run(
    topic: str, name: str | None, branches: int | None, length: int | None, forward: int | None, backward: int | None,
    until: str | None, known_until: str, offline: bool, anew: bool, later: bool, yes: bool, budget: float | None, out: Target | None,
    json_out: bool,
) -> int:  # fmt: skip
    """Start a session on TOPIC and run it; prints the plan and its cost range first, and asks."""
    bounds = {"branches": branches, "length": length, "forward": forward, "backward": backward}
    given = {key: value for key, value in bounds.items() if value is not None}
    return _new(
        topic, name or topic, given, offline=offline, until=until, yes=yes, budget=budget, out=out, json_out=json_out, named=bool(name),
        known_until=known_until, anew=anew, later=later,
    )  # fmt: skip


def _new(
    topic: str, name: str, given: dict[str, int], *, offline: bool, until: str | None, yes: bool, budget: float | None, out: Target | None,
    json_out: bool, named: bool = False, known_until: str = "", anew: bool = False, later: bool = False,
) -> int:  # fmt: skip
    from coi_tui.literature.time_cut import checked_cut
    from coi_tui.session.names import free_name
    from coi_tui.session.new_session import with_shares
    from coi_tui.session.runs.planner import check_stage
    from coi_tui.session.session import Session
    from coi_tui.session.watch import stages

    log_to_file()
    if until:
        check_stage(until, stages())  # before a session is made for nothing
    found, config, keys = settings()
    bounds = with_shares(config.coi, given).model_copy(update={"known_until": checked_cut(known_until or config.coi.known_until)})
    session_name = name if named else free_name(found, name)
    session = Session.create(session_name, topic, paths=found, settings=config, keys=keys, bounds=bounds, offline=offline)
    with session:
        tell(f"Session {session.name}: {session.core.file.path}")
        plan = replace(session.planner.to_stage(until or "review"), anew=anew)
        return put_off(session, plan) if later else carry_out(session, plan, until or "review", yes, budget, out, json_out)


@click.command()
@click.argument("name")
@until_option
@click.option("--offline/--online", "offline", default=None, help="From now on this session works offline, or online.")
@anew_option
@queue_option
@yes_option
@budget_option
@out_option
@json_option
def resume(
    name: str, until: str | None, offline: bool | None, anew: bool, later: bool, yes: bool, budget: float | None, out: Target | None,
    json_out: bool,
) -> int:  # fmt: skip
    """Go on where a session stopped; finished calls are not paid again."""
    with opened(name) as session:
        if offline is not None and offline != session.core.offline:
            session.decisions.work_offline(offline)
        plan = replace(session.planner.to_resume(until), anew=anew)
        if later:
            return put_off(session, plan)
        return carry_out(session, plan, plan.goal.until or "", yes, budget, out, json_out)


@click.command()
@click.argument("name")
@click.argument("address", required=False)
@click.option("--again", is_flag=True, help="Ask anew even where the cell is fresh.")
@queue_option
@yes_option
@budget_option
@json_option
def refresh(name: str, address: str | None, again: bool, later: bool, yes: bool, budget: float | None, json_out: bool) -> int:
    """Bring stale cells up to date, oldest first; stops early where nothing changed."""
    with opened(name) as session:
        plan = session.planner.to_refresh([session.queries.resolve(address)] if address else None, again=again)
        if plan.empty:
            for line in plan.lines:
                tell(f"Left out: {line.what}: {line.off}.")
            say("Nothing to refresh: everything is fresh." if not plan.lines else "Nothing can be refreshed as it stands.")
            return 0
        return put_off(session, plan) if later else carry_out(session, plan, "", yes, budget, None, json_out)


def print_plan(plan: Plan) -> None:
    """Steps, why, calls, cost range, and what leaves the machine."""
    from coi_tui.session.runs.plans import money

    tell(f"Plan: {plan.title}")
    for line in plan.lines:
        low, high = line.cost.calls
        calls = f"{low}-{high}" if low != high else str(low)
        off = f"   LEFT OUT: {line.off}" if line.off else ""
        tell(f"  {line.what:32} {calls:>7} calls  {money(line.usd):>14}  {line.why}{off}")
    low, high = plan.calls
    price = "; ".join(said for said in (money(plan.usd), plan.time) if said)
    tell(f"In all {low}-{high} model calls, {price}. Models: {plan.models}. Papers: {plan.source}.")
    if plan.anew:
        tell("Kept answers of the services are not used: they are asked again.")
    tell(f"Leaves this machine: {'; '.join(plan.sends)}.")


def _consent(yes: bool) -> None:
    from coi_tui.model.errors import ConsentNeeded

    if yes:
        return
    if not sys.stdin.isatty():
        raise ConsentNeeded("The plan needs a yes, and there is nobody to ask here.", "Say --yes, or run it in a terminal.")
    if not click.confirm("Run it?", default=False, err=True):
        raise ConsentNeeded("Nothing was run.", "`coi resume` takes it up again.")


def put_off(session: Session, plan: Plan) -> int:
    """Let a plan wait for the network; nothing is run."""
    print_plan(plan)
    session.queue.add(plan)
    place = len(session.state.queue)
    say(f"{plan.title} waits for the network. `coi queue run {session.name} {place}` runs it, at the prices of then.")
    return 0


def carry_out(session: Session, plan: Plan, until: str, yes: bool, budget: float | None, out: Target | None, json_out: bool) -> int:
    """Show the plan, ask, run it and say how it ended; the exit code."""
    import asyncio

    print_plan(plan)
    _consent(yes)
    outcome = asyncio.run(_run(session, plan, budget))
    code = _closing(session, outcome, until, json_out)
    if out is not None:
        _write(session, out)
    return code


async def _run(session: Session, plan: Plan, budget: float | None) -> Outcome:
    """Run with the keyboard at hand: the first interrupt stops after the running calls, the second at once."""
    import asyncio
    import signal

    loop, pressed = asyncio.get_running_loop(), 0

    def interrupt() -> None:
        nonlocal pressed
        pressed += 1
        session.runs.stop(now=pressed > 1)
        tell("Stopping after the running calls; once more stops now." if pressed == 1 else "Stopping now.")

    for sig, handler in ((signal.SIGINT, interrupt), (signal.SIGTERM, lambda: session.runs.stop(now=True))):
        try:
            loop.add_signal_handler(sig, handler)
        except NotImplementedError:  # Windows has no signal handlers on the loop: an interrupt raises KeyboardInterrupt there
            break
    return await session.runs.run(plan, budget_usd=budget, listen=_progress)


def _progress(event: Event) -> None:
    """One finished line a step; no line moves or changes afterwards."""
    if event.kind == "step done":
        cost = f"  ${event.cost_usd:.4f}" if event.cost_usd else ""
        tell(f"  done     {event.address:12} {event.step}{cost}")
    elif event.kind == "step failed":
        tell(f"  FAILED   {event.address:12} {event.step}: {event.text}")
    elif event.kind == "note" and event.address:
        tell(f"  note     {event.address:12} {event.text}")
    elif event.kind == "decided":
        tell(f"  {event.step:8} {event.address:12} {event.text}".rstrip())


def _closing(session: Session, outcome: Outcome, until: str, json_out: bool) -> int:
    """The closing line names what failed and what went on; the exit code follows from it."""
    usd, calls, tokens = session.core.spent()
    short = session.queries.shortfall(until) if until and outcome.state in ("done", "failed") else ""
    code = {"done": 1 if short else 0, "failed": 1, "waiting": 3, "stopped": 130}[outcome.state]
    if json_out:
        data: dict[str, Any] = {
            "session": session.name, "state": outcome.state, "made": outcome.made, "failed": outcome.failed, "blocked": outcome.blocked,
            "stage": session.queries.stage_reached(), "shortfall": short, "spent_usd": usd, "calls": calls, "tokens": tokens,
            "stopped_because": str(outcome.stop) if outcome.stop else "",
        }  # fmt: skip
        as_json(data)
    if outcome.stop is not None:
        tell(str(outcome.stop))
    for address, cause in sorted(outcome.failed.items()):
        tell(f"Failed at {address}: {cause}")
    if outcome.failed:
        done = [str(b) for b in session.state.branches if session.state.in_use(f"{b}/idea") is not None]
        tell(f"Other branches went on: {', '.join(done) or 'none'} reached an idea.")
    if session.runs.network_failure(outcome):
        tell(f"A service was away; `coi resume {session.name} --queue` lets what is left wait for the network.")
    if short:
        tell(short)
    tell(f"{outcome.state.capitalize()}: stage {session.queries.stage_reached()}, {calls} model calls, {tokens} tokens, ${usd:.4f}."
         f" {', '.join(session.queries.waiting()) or 'Nothing waits for you'}.")  # fmt: skip
    return code


def _write(session: Session, out: Target) -> None:
    if not any(session.state.in_use(f"{b}/idea") is not None for b in session.state.branches):
        tell("No proposal was written, because there is no idea yet; `coi export` writes what there is.")
        return
    text = session.exports.text("md")
    if out.path == "-":
        say(text)
        return
    path = session.exports.write(text, out.path, overwrite=out.overwrite)
    tell(f"Proposal written to {path}")
