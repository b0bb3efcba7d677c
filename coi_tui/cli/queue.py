"""Commands about plans that wait for the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.output import Target, as_json, json_option, opened, out_option, say, tell
from coi_tui.cli.run import budget_option, carry_out, yes_option

if TYPE_CHECKING:
    from coi_tui.session.session import Session


@click.group()
def queue() -> None:
    """Plans that wait for the network. None runs by itself."""


@queue.command("list")
@click.argument("name")
@json_option
def list_queue(name: str, json_out: bool) -> None:
    """The plans of a session that wait, with what each would take today."""
    with opened(name, read_only=True) as session:
        rows = [_row(session, place, q.seq) for place, q in enumerate(session.state.queue, start=1)]
    if json_out:
        as_json(rows)
        return
    for row in rows:
        say(f"{row['place']}. {row['title']}, put off {row['since'][:10]}: {row['today']}")
    if not rows:
        say("No plan waits for the network: `--queue` with run, resume or refresh puts one off.")


def _row(session: Session, place: int, number: int) -> dict[str, Any]:
    from coi_tui.model.errors import UsageError
    from coi_tui.session.runs.plans import money

    waits = next(q for q in session.state.queue if q.seq == number)
    try:
        plan = session.queue.plan(number)
        low, high = plan.calls
        today = "nothing of it is left to make" if plan.empty else f"{low}-{high} model calls, {money(plan.usd)}"
    except UsageError as error:
        today = error.message
    return {"place": place, "title": waits.title, "since": waits.time, "goal": dict(waits.goal), "today": today}


@queue.command("run")
@click.argument("name")
@click.argument("place", type=click.IntRange(1), default=1)
@yes_option
@budget_option
@out_option
@json_option
def run_queued(name: str, place: int, yes: bool, budget: float | None, out: Target | None, json_out: bool) -> int:
    """Run the plan at PLACE (default the first), planned anew with the prices of today."""
    with opened(name) as session:
        plan = session.queue.plan(session.queue.at(place).seq)
        if plan.empty:
            tell("Nothing of this plan is left to make; `coi queue remove` takes it out.")
            return 0
        return carry_out(session, plan, plan.goal.until, yes, budget, out, json_out)


@queue.command("remove")
@click.argument("name")
@click.argument("place", type=click.IntRange(1))
def remove(name: str, place: int) -> None:
    """Take the plan at PLACE out; nothing is run."""
    with opened(name) as session:
        waits = session.queue.at(place)
        session.queue.remove(waits.seq)
        say(f"Taken out: {waits.title}. {', '.join(session.queries.waiting()) or 'Nothing waits for you'}.")
