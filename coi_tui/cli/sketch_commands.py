"""The wall of sketches on the command line: ``coi ideas sketches``, ``sketch``, ``more``,
``work-out``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.jobs import for_a_plan, job_options, start
from coi_tui.cli.output import (
    address_if_given,
    as_json,
    flag,
    json_option,
    say,
    session_to_change,
    session_to_read,
)
from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.session.session import Session

MARKS = {"open": " ", "picked": "+", "rejected": "x", "fell": "!"}


@click.command()
@session_to_read
@flag("--order", help="Show the judge's order before you picked one.")
@json_option
def sketches(session: Session, order: bool, json_out: bool) -> None:
    """List the sketches: + picked, x rejected, ! did not hold when it was worked out.

    coi decide NAME W1/free2 pick (or reject --reason "...") decides about one, coi edit NAME
    W1/own1 --file - writes one of your own.
    """
    wall = session.sketch_wall(reveal=order)
    if json_out:
        as_json({"ranked": wall.ranked, "shown": wall.shown, "sketches": wall.rows})
        return
    if not wall.rows:
        raise UsageError(
            f"{session.name} has no sketches yet.",
            f"`coi resume {session.name} --until sketches` makes them.",
        )
    group = ""
    for row in wall.rows:
        if row.group != group:
            group = row.group
            say(group)
        place = f"{row.place}. " if row.place else ""
        say(f"{MARKS[row.standing]} {row.address:14} {place}{row.sketch.title}")
        say(f"{'':17}{row.sketch.sentence}")
        if row.reason:
            say(f"{'':17}{row.standing}: {row.reason}")
        if row.votes:
            say(f"{'':17}your votes: {row.votes} points")
        if row.made:
            say(f"{'':17}worked out: {row.idea}")
    if wall.ranked and not wall.shown:
        say("The judge's order is hidden until you pick one; --order shows it.")


@click.command()
@session_to_change
@address_if_given
@job_options
def more(session: Session, address: str | None, **how: Any) -> int:
    """Make four more sketches: like the one at ADDRESS, or other ones than there are. What you
    picked and rejected, and why, is taken into account."""
    return start(session, session.planner.to_sketch(address or ""), **how)


@click.command()
@session_to_change
@job_options
def rank(session: Session, **how: Any) -> int:
    """Have a judge order the sketches, in groups of eight; what was judged before is not asked
    again."""
    return start(session, session.planner.to_rank(), **how)


@click.command("work-out")
@session_to_change
@click.argument("addresses", nargs=-1, metavar="[SKETCH ...]")
@job_options
def work_out(session: Session, addresses: tuple[str, ...], **how: Any) -> int:
    """Work sketches out as ideas: those named, which are picked by it, or all that are picked. Each
    is attacked first; one that does not hold gives way to the next of its kind."""
    with for_a_plan(session) as refused:
        plan = session.work_out([session.resolve(one) for one in addresses])
        return start(session, plan, refused=refused, **how)
