"""PDFs from the command line: what asking the sources sends, the table, and in a terminal a decision on each row."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import in_a_terminal, say, settings, tell

if TYPE_CHECKING:
    from coi_tui.session.papers.pdf_folder import PdfFolder, PdfRow

NAME_CELLS = 30


@dataclass(frozen=True)
class Answers:
    """What was said beforehand: ``named``: which paper the only PDF is; ``yes``: the sources may be asked; ``titles``: what is told by its
    title and authors is taken; ``offline``: nobody is asked.
    """

    named: str = ""
    yes: bool = False
    titles: bool = False
    offline: bool = False


def add_pdfs(pdfs: Sequence[Path], answers: Answers) -> int:
    """Import PDFs; 3 where a question is open, 1 where one could not be read."""
    import asyncio

    from coi_tui.session.papers.pdf_folder import PdfFolder, summary

    if answers.named and len(pdfs) != 1:
        raise click.UsageError(f"--as says which paper one PDF is, and these are {len(pdfs)}.")
    folder = PdfFolder(settings()[0])
    asyncio.run(folder.look(pdfs, partial(_progress, "read"), again=bool(answers.named)))
    if answers.named:
        if folder.rows[0].read is not None:
            folder.name(0, answers.named)
    else:
        asyncio.run(_confirm(folder, answers))
        _show(folder)
        if in_a_terminal():
            _decide(folder, answers.titles)
    folder.keep(titles=answers.titles)
    for row in folder.rows:
        _report(row)
    say(summary(folder.rows))
    _hints(folder)
    states = {row.state for row in folder.rows}
    return 3 if states & {"ask", "title"} else 1 if "unread" in states else 0


async def _confirm(folder: PdfFolder, answers: Answers) -> None:
    """Ask the sources about what is not confirmed, after saying what is sent."""
    from coi_tui.session.papers.pdf_confirmation import confirm_online
    from coi_tui.session.runs.disclosure import pdfs_disclosure

    found, config, keys = settings()
    sends = pdfs_disclosure(config, keys, answers.offline, folder.wanted())
    if not sends:
        return
    tell(f"To confirm ids and titles: {sends}")
    if not answers.yes and not (in_a_terminal() and click.confirm("Ask?", default=True, err=True)):
        tell("Nobody was asked." if in_a_terminal() else "Nobody was asked; --yes allows it.")
        return
    if trouble := await confirm_online(
        folder, found, config, keys, partial(_progress, "confirmed")
    ):
        tell(f"{trouble} What was not confirmed stays a question; run the command again later.")


def _progress(word: str, done: int, of: int) -> None:
    """A line on stderr, written over in a terminal; elsewhere every twentieth."""
    if of == 1:
        return
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {of} PDFs {word}", err=True, nl=done == of)
    elif done % 20 == 0 and done != of:
        tell(f"{done} of {of} PDFs {word}")


# The table


def _show(folder: PdfFolder) -> None:
    """The rows with what each would be taken as; only where somebody decides on them."""
    from coi_tui.session.papers.pdf_folder import WORDS

    if not in_a_terminal():
        return
    for n, row in enumerate(folder.rows, start=1):
        name = row.name if len(row.name) <= NAME_CELLS else f"{row.name[: NAME_CELLS - 1]}…"
        said = _as_said(row) if row.paper is not None and row.state != "twin" else row.why
        say(f"{n:>4}  {WORDS[row.state]:9}  {name:{NAME_CELLS}}  {said}")


def _as_said(row: PdfRow) -> str:
    assert row.paper is not None
    return f"{row.paper.cited}{f', {row.how}' if row.how else ''}"


def _decide(folder: PdfFolder, titles: bool) -> None:
    """All sure ones by one key, then the rest one by one; each answer is kept at once, so that an interrupt loses none."""
    sure = folder.of("sure", "title")
    if sure and not (
        titles
        or click.confirm(
            f"Take the {len(sure)} that are sure, as the table says?", default=True, err=True
        )
    ):
        for n in sure:
            folder.ask_again(n)
    for n in folder.of("title"):
        folder.take_as_told(n)
    folder.keep(titles=False)
    for n in folder.of("ask"):
        if not _asked_one(folder, n):
            return
        folder.keep(titles=False)


def _asked_one(folder: PdfFolder, n: int) -> bool:
    """One question until there is an answer; False ends the questions."""
    from coi_tui.model.errors import UsageError

    _question(folder.rows[n])
    while True:
        said = click.prompt("Which paper?", default="", show_default=False, err=True).strip()
        if said == "q":
            return False
        try:
            if not said:
                folder.leave_out(n)
            elif said == "=":
                folder.as_it_is(n)
            elif said.isdecimal() and len(said) == 1:
                folder.take(n, int(said) - 1)
            else:
                folder.name(n, said)
        except UsageError as error:
            tell(str(error))
            continue
        return True


def _question(row: PdfRow) -> None:
    say(f"{row.name}: {row.why}." if row.why else f"{row.name}:")
    _say_title(row)
    for k, offer in enumerate(row.offers, start=1):
        say(f"  {k}  {offer}")
    number = "a number takes that paper; " if row.near else ""
    say(
        f"  {number}type a DOI, an arXiv id or a title; = takes it as it is; Enter leaves it out; q leaves the rest open"
    )


def _say_title(row: PdfRow) -> None:
    if row.title:
        say(f"  its title may be: {row.title}")


# What became of them


def _report(row: PdfRow) -> None:
    from coi_tui.session.papers.pdf_folder import WORDS

    if row.state == "unread":
        tell(f"not read   {row.why}")
    elif row.state == "twin":
        say(f"{WORDS['twin']:10} {row.why}")
    elif row.state == "out":
        say(f"{WORDS['out']:10} {row.name}")
    elif row.state == "title":
        say(f"by title   {row.name}: {_as_said(row)}")
    elif row.state == "ask":
        say(f"which paper is this?   {row.name}: {row.why}.")
        _say_title(row)
        for offer in row.offers:
            say(f"  {offer}")
        say(f"  answer with: coi library add {shlex.quote(str(row.path))} --as DOI")
    else:
        assert row.paper is not None
        say(
            f"{WORDS[row.state]:10} {row.name}: {row.paper.title} ({row.paper.id}){f', {row.how}' if row.how else ''}"
        )


def _hints(folder: PdfFolder) -> None:
    if by_title := len(folder.of("title")):
        say(
            f"Told by title and authors alone, so not imported yet: {by_title}. --accept-titles takes them."
        )
    if bare := sum(
        row.state in ("new", "known", "before") and row.paper is not None and not row.paper.abstract
        for row in folder.rows
    ):
        say(
            f"Without an abstract: {bare}. Offline searches do not propose these; pin them by id or title."
        )
