"""``coi arena``: methods, models and settings compared over many topics."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.jobs import Progress, stop_on_interrupt
from coi_tui.cli.output import (
    Word,
    a_path,
    answer,
    ask,
    environment,
    flag,
    log_to_file,
    on_terminal,
    open_app,
    options,
    say,
    tell,
    yes_option,
)
from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.arena.judgements import Outcome
    from coi_tui.session.runs.plans import PlanLine
    from coi_tui.session.suite.ballot import Ballot
    from coi_tui.session.suite.contest import Contest

suite_argument = options(
    click.argument("suite", metavar="[SUITE.toml]", required=False, type=a_path),
    flag(
        "--example",
        help="The bundled suite: scripted models and judge, a test of the machinery and not of quality.",
    ),
)


@click.group()
def arena() -> None:
    """Compare methods and settings over many topics, as SUITE.toml says."""


def _contest(suite: Path | None, example: bool, **options: Any) -> Contest:
    log_to_file()
    if example:
        from coi_tui.session.suite import example as bundled

        tell(bundled.NOTE)
        return bundled.example(environment())
    if suite is None:
        raise UsageError("Name the file of a suite, or pass --example.")
    from coi_tui.session.suite.contest import Contest

    return Contest(suite, environment(), **options)


def _approve(lines: Sequence[PlanLine], *notes: str, sends: str, yes: bool) -> None:
    """Show a plan and what it sends, and ask, unless that was answered."""
    for line in lines:
        tell(f"  {line.what:32} {line.takes:34}  {line.why}")
    for note in notes:
        tell(note)
    tell(f"Leaves this machine: {sends}." if sends else "Nothing leaves this machine.")
    if not yes:
        ask("Run it?", "The plan needs approval, and this is not a terminal.", "Nothing was run.")


@arena.command()
@suite_argument
@yes_option
@flag("--batch", help="Ask judges in batches: half the price, within a day.")
@click.option(
    "--dask", metavar="ADDRESS", help="Run the sessions on the workers of this scheduler."
)
def run(suite: Path | None, example: bool, yes: bool, batch: bool, dask: str | None) -> int:
    """Run the sessions of a suite and have their texts judged, after showing the plan and asking. What
    was made and judged before is not asked for again."""
    import asyncio

    from coi_tui.session.runs.plans import usual

    if example and (batch or dask):
        raise UsageError("The bundled suite takes no --batch or --dask.")
    contest = _contest(suite, example, batch=batch)
    lines = contest.plan()
    if not lines:
        named = suite or "--example"
        say(f"Nothing is left to do; `coi arena report {named}` shows what was found.")
        return 0
    leaves = "what the sessions ask for, and every text to each judge"
    total = f"Total: {'; '.join(filter(None, usual(lines)))}. Spent before: {contest.spent()}."
    _approve(lines, total, sends="" if example else leaves, yes=yes)

    asyncio.run(_contested(contest, dask))
    _report(contest)
    if contest.stop:
        tell(str(contest.stop))
    again = contest.failed or contest.stop or contest.interrupted
    tell(f"Spent: {contest.spent()}." + (" The same command goes on." if again else ""))
    return 130 if contest.interrupted else 3 if contest.stop else 1 if contest.failed else 0


async def _contested(contest: Contest, dask: str | None) -> None:
    """Run a contest to its end, or to an interrupt: the first lets calls in flight finish, the second
    does not wait for them."""
    import asyncio

    async def both() -> None:
        if dask:
            from coi_tui.session.suite.cluster import make_sessions

            await make_sessions(contest, dask, Progress())
        await contest.run(Progress())

    running = asyncio.ensure_future(both())

    def stop(now: bool) -> None:
        contest.end()
        if now:
            running.cancel()

    with stop_on_interrupt(stop), contextlib.suppress(asyncio.CancelledError):
        await running


@arena.command()
@suite_argument
@click.option(
    "--format",
    "kind",
    type=Word(["text", "md", "csv", "json", "svg"]),
    default="text",
    show_default=True,
)
def report(suite: Path | None, example: bool, kind: str) -> None:
    """Print what the judgements of a suite show so far: for a terminal (text), everything (md, json),
    or the ratings (csv; svg: a picture)."""
    _report(_contest(suite, example), kind)


def _report(contest: Contest, kind: str = "text") -> None:
    import shutil

    from coi_tui.session.suite.report import report
    from coi_tui.session.suite.views import FORMATS, as_text

    found, columns = report(contest), shutil.get_terminal_size().columns
    out = as_text(found, columns) if kind == "text" else FORMATS[kind](found)
    say(out.removesuffix("\n"))


@arena.command("from-papers")
@click.argument("folder", type=a_path)
@click.option("-o", "--out", required=True, metavar="SUITE.toml", type=a_path)
@yes_option
def from_papers(folder: Path, out: Path, yes: bool) -> int:
    """Make a suite from the papers of a folder (PDF, Markdown, text): the topic of each, and its idea
    and experiment as those of a contestant. It shows the plan and asks."""
    import asyncio

    from coi_tui.session.suite.from_papers import make_suite, papers_in, plan

    log_to_file()
    env, files = environment(), papers_in(folder, out)
    line = plan(files, env.settings)
    _approve([line], sends="the beginning of each paper, to the language model", yes=yes)
    failed = asyncio.run(make_suite(files, out, env))
    for name, cause in failed.items():
        tell(f"  failed   {name}: {cause}")
    if failed:
        tell("No suite was written. The same command asks only for the papers that failed.")
        return 1
    say(f"{out} has the topics of {line.what}; add contestants and judges to it.")
    return 0


ANSWERS: dict[str, Outcome] = {"a": "first", "b": "second", "t": "tie"}


@arena.command()
@suite_argument
@click.option("--rater", required=True, metavar="NAME", help="Who votes; each has a file.")
@flag("--plain", help="Ask in lines: a, b, t for a tie, q to end.")
def vote(suite: Path | None, example: bool, rater: str, plain: bool) -> int:
    """Vote on the texts of a suite, a pair at a time by each criterion, without being told who wrote
    them. Every vote is kept at once. It opens the app, or asks in lines where there is no terminal."""
    from coi_tui.session.suite.ballot import Ballot

    ballot, code = Ballot(_contest(suite, example), rater), 0
    if plain or not on_terminal(sys.stdin, sys.stdout):
        _ask_in_lines(ballot)
    else:
        from coi_tui.screens.ballot_screen import BallotScreen

        code = open_app(screen=lambda: BallotScreen(ballot))
    say(f"Votes: {ballot.given} of {len(ballot.asked)}, in {ballot.file}.")
    return code


def _ask_in_lines(ballot: Ballot) -> None:
    """Ask until every vote is given or the rater ends it."""
    choice, shown = click.Choice([*ANSWERS, "q"], case_sensitive=False), None
    while ballot.here:
        pair, criterion = ballot.here
        if pair is not shown:
            one, other = pair.first, pair.second
            say(f"\n{one.topic}\n\nA\n\n{one.text}\n\nB\n\n{other.text}\n")
            shown = pair
        question = f"Better by {criterion}: {ballot.meaning[criterion]}"
        typed = answer(click.prompt, question, "q", type=choice)
        if typed == "q":
            return
        ballot.vote(ANSWERS[typed])
