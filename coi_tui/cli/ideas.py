"""Ideas against papers and against each other: ``coi ideas``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coi_tui.cli.jobs import JobOptions, job_options, start
from coi_tui.cli.output import address_argument, opened, say, session_argument

if TYPE_CHECKING:
    from coi_tui.model.address import Branch


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
def vote(
    name: str, first: str, second: str, winner: str, wanted: tuple[str, ...], reason: str
) -> None:
    """Vote between two ideas: coi ideas vote NAME 1/idea 2/idea 1/idea. WINNER is one of the two, tie, or
    none, which takes the vote back."""
    from coi_tui.arena import CRITERIA
    from coi_tui.model.address import match_of, parse_address
    from coi_tui.model.errors import UsageError

    with opened(name) as session:
        named = [session.queries.resolve(text) for text in (first, second)]
        found = {at: parse_address(at) for at in named}
        if [at.part for at in found.values()] != ["idea", "idea"]:
            raise UsageError(
                f"{' and '.join(named)} are not two ideas.", "Name two, such as 1/idea and 2/idea."
            )
        chosen: Branch | None = None
        word = winner.strip().casefold()
        if word == "tie":
            chosen = 0
        elif word != "none":
            better = session.queries.resolve(winner)
            if better not in found:
                raise UsageError(
                    f"{better} is not in this match.", f"Write {', '.join(found)}, tie or none."
                )
            chosen = found[better].branch
        match, criteria = match_of(*(at.branch for at in found.values())), wanted or CRITERIA
        session.decide("vote", match, {"criteria": criteria, "winner": chosen}, reason=reason)
        said = "Voted: a tie" if chosen == 0 else f"Voted: {chosen}/idea is better"
        say(f"{'Vote taken back' if chosen is None else said} in {match} ({', '.join(criteria)}).")
