"""``coi arena``: methods, models and settings compared over many topics."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.jobs import Progress, stop_on_interrupt
from coi_tui.cli.output import (
    ask,
    log_to_file,
    options,
    say,
    settings,
    tell,
    yes_option,
)
from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.session.suite import Contest

suite_argument = options(
    click.argument(
        "suite", metavar="[SUITE.toml]", required=False, type=click.Path(path_type=Path)
    ),
    click.option(
        "--example",
        is_flag=True,
        help="The bundled suite: scripted models and judge, a test of the machinery and not of quality.",
    ),
)


@click.group()
def arena() -> None:
    """Compare methods and settings over many topics, as SUITE.toml says."""


def _contest(suite: Path | None, example: bool, **options: Any) -> Contest:
    from coi_tui.session import suite as suites

    log_to_file()
    if example:
        tell(suites.NOTE)
        return suites.example(*settings())
    if suite is None:
        raise UsageError("Name the file of a suite, or pass --example.")
    return suites.Contest(suite, *settings(), **options)


def _shard(_ctx: click.Context, _param: click.Parameter, text: str) -> tuple[int, int]:
    """``i/n``, i from 1 to n. Raises BadParameter."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found and 1 <= int(found[1]) <= int(found[2]):
        return int(found[1]), int(found[2])
    raise click.BadParameter("write it like 2/5: the second of five")


@arena.command()
@suite_argument
@yes_option
@click.option("--batch", is_flag=True, help="Ask judges in batches: half the price, within a day.")
@click.option(
    "--shard",
    callback=_shard,
    default="1/1",
    metavar="I/N",
    help="Only the I-th of N shares of the topics.",
)
@click.option(
    "--dask", metavar="ADDRESS", help="Run the sessions on the workers of this scheduler."
)
def run(
    suite: Path | None,
    example: bool,
    yes: bool,
    batch: bool,
    shard: tuple[int, int],
    dask: str | None,
) -> int:
    """Run the sessions of a suite and have their texts judged, after showing the plan and asking. What
    was made and judged before is not asked for again."""
    import asyncio

    from coi_tui.session.runs.plans import takes

    if example and (batch or dask or shard[1] > 1):
        raise UsageError("The bundled suite takes no --batch, --shard or --dask.")
    contest = _contest(suite, example, batch=batch, shard=shard)
    lines = contest.plan()
    if not lines:
        say("Nothing is left to do; `coi arena report` shows what was found.")
        return 0
    for line in lines:
        tell(f"  {line.what:32} {line.takes:34}  {line.why}")
    tell(f"Total: {takes(lines)}. Spent before: {contest.spent()}.")
    tell(
        "Nothing leaves this machine."
        if example
        else "Leaves this machine: what the sessions ask for, and every text to each judge."
    )
    if not yes:
        ask("Run it?", "The plan needs approval, and this is not a terminal.", "Nothing was run.")

    async def both() -> None:
        if dask:
            from coi_tui.session.suite.cluster import make_sessions

            await make_sessions(contest, dask, Progress())
        await contest.run(Progress())

    async def contested() -> None:
        running = asyncio.ensure_future(both())

        def stop(now: bool) -> None:
            contest.end()
            if now:
                running.cancel()

        with stop_on_interrupt(stop), contextlib.suppress(asyncio.CancelledError):
            await running

    asyncio.run(contested())
    if contest.stop is not None:
        tell(str(contest.stop))
    again = contest.failed or contest.stop or contest.interrupted
    tell(f"Spent: {contest.spent()}." + (" The same command goes on." if again else ""))
    return 130 if contest.interrupted else 3 if contest.stop else 1 if contest.failed else 0


@arena.command()
@suite_argument
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "md", "csv", "json", "svg"]),
    default="text",
    show_default=True,
)
def report(suite: Path | None, example: bool, kind: str) -> None:
    """Print what the judgements of a suite show so far: for a terminal (text), everything (md, json),
    or the ratings (csv; svg: a picture)."""
    import shutil

    from coi_tui.session import suite as suites

    found, columns = suites.report(_contest(suite, example)), shutil.get_terminal_size().columns
    out = suites.as_text(found, columns) if kind == "text" else suites.FORMATS[kind](found)
    say(out.removesuffix("\n"))


ANSWERS = {"a": "first", "b": "second", "t": "tie"}


@arena.command()
@suite_argument
@click.option("--rater", required=True, metavar="NAME", help="Who votes; each has a file.")
def vote(suite: Path | None, example: bool, rater: str) -> None:
    """Vote on the texts of a suite, a pair at a time, without being told who wrote them: a, b, or t for
    a tie by each criterion. q ends; every vote is kept at once."""
    contest, pairs = _contest(suite, example), 0
    with contextlib.suppress(_Enough):
        for question, left in contest.ballots(rater):
            one, other = question.first, question.second
            say(f"\n{one.topic}\n\nA\n\n{one.text}\n\nB\n\n{other.text}\n")
            for criterion in left:
                contest.vote(rater, question, criterion, ANSWERS[_answer(criterion)])
            pairs += 1
    say(f"Pairs voted on: {pairs}. Votes are in {contest.votes(rater)}.")


class _Enough(Exception):
    """The rater ended it."""


def _answer(criterion: str) -> str:
    """What the rater typed. Raises _Enough for q."""
    choice = click.Choice([*ANSWERS, "q"], case_sensitive=False)
    typed = str(click.prompt(f"Better by {criterion}", type=choice))
    if typed == "q":
        raise _Enough
    return typed
