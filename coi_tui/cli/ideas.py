"""Ideas against papers and against each other: ``coi ideas``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coi_tui.cli.jobs import JobOptions, job_options, start
from coi_tui.cli.output import address_argument, as_json, json_option, opened, say, session_argument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from coi_tui.model.address import Branch
    from coi_tui.session.session import Session


@click.group()
def ideas() -> None:
    """Check ideas against papers and against each other; review and refine their plans."""


CHECKS = {
    "novelty": (
        "verify",
        "Check the novelty of the idea of the branch of ADDRESS; where it was checked before, search again.",
    ),
    "against": (
        "against",
        "Search for the strongest prior work against the idea of the branch of ADDRESS; the novelty report goes on with what is found.",
    ),
    "review": (
        "review",
        "Review the experiment plan of the branch of ADDRESS. `coi decide NAME 1/review tick N` ticks a point, `coi ideas refine` answers it.",
    ),
}
"""The verb behind each command, and its help."""


def _add_check(command: str, action: str, about: str) -> None:
    @ideas.command(command, help=about)
    @session_argument
    @address_argument()
    @job_options()
    def check(name: str, address: str, options: JobOptions) -> int:

        with opened(name) as session:
            plan = session.planner.to_check(action, session.queries.resolve(address))
            return start(session, plan, "", options)


for command, (action, about) in CHECKS.items():
    _add_check(command, action, about)


@ideas.command()
@session_argument
@address_argument()
@click.option(
    "--query",
    metavar="WORDS",
    help="Search for these words before; empty searches for nothing. Without it the model chooses.",
)
@job_options()
def refine(name: str, address: str, query: str | None, options: JobOptions) -> int:
    """Make the next version of an experiment plan from the ticked points of its review. It is not
    in use until you say so."""
    with opened(name) as session:
        plan = session.planner.to_refine(session.queries.resolve(address), query)
        return start(session, plan, "", options)


def _match(one: str, other: str) -> list[str]:
    """The match of two ideas; empty for other cells."""
    from coi_tui.model.address import match_of, parse_address

    first, second = parse_address(one), parse_address(other)
    of_ideas = first.part == second.part == "idea" and first.branch != second.branch
    return [match_of(first.branch, second.branch)] if of_ideas else []


@ideas.command()
@session_argument
@address_argument("first")
@address_argument("second")
@click.argument("winner")
@click.option(
    "--criterion",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Only on this criterion; may be repeated (default: all five).",
)
@click.option("--reason", default="", help="Why; recorded in the log.")
@json_option
def vote(
    name: str,
    first: str,
    second: str,
    winner: str,
    wanted: tuple[str, ...],
    reason: str,
    json_out: bool,
) -> None:
    """Vote between two ideas: coi ideas vote NAME 1/idea 2/idea 1/idea. WINNER is one of the two, tie, or
    none, which takes the vote back."""
    from coi_tui.arena.matches import CRITERIA
    from coi_tui.model.address import parse_address
    from coi_tui.model.errors import UsageError

    with opened(name) as session:
        one, other = session.queries.resolve(first), session.queries.resolve(second)
        found, criteria = _match(one, other), wanted or CRITERIA
        if not found:
            raise UsageError(
                f"{one} and {other} are no two ideas.", "Name two, such as 1/idea and 2/idea."
            )
        ideas = {at: parse_address(at).branch for at in (one, other)}
        chosen = _winner(winner, ideas, session)
        session.decide("vote", found[0], {"criteria": criteria, "winner": chosen}, reason=reason)
        if json_out:
            as_json(
                {
                    "match": found[0],
                    "criteria": list(criteria),
                    "winner": chosen,
                    "undo": session.undo_stack.labels()[0],
                }
            )
            return
        said = (
            "Vote taken back"
            if chosen is None
            else "Voted: a tie"
            if chosen == 0
            else f"Voted: {chosen}/idea is better"
        )
        say(f"{said} in {found[0]} ({', '.join(criteria)}).")


def _winner(said: str, ideas: Mapping[str, Branch], session: Session) -> Branch | None:
    """The branch of the better idea, 0 for a tie, None for no vote. Raises UsageError for what is
    neither of the two."""
    from coi_tui.model.errors import UsageError

    word = said.strip().casefold()
    if word in ("tie", "none"):
        return 0 if word == "tie" else None
    at = session.queries.resolve(said)
    if at not in ideas:
        raise UsageError(f"{at} is not in this match.", f"Write {', '.join(ideas)}, tie or none.")
    return ideas[at]
