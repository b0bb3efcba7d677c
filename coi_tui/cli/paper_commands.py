"""``coi papers``: the researcher's own papers, which papers a session may propose, and what it
found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.decide import confirm_impact
from coi_tui.cli.jobs import start
from coi_tui.cli.output import (
    Word,
    a_path,
    as_json,
    ask,
    environment,
    fail,
    flag,
    json_option,
    opened,
    options,
    out_option,
    reason_option,
    say,
    say_part,
    session_argument,
    session_to_read,
    tell,
    write_text,
    yes_option,
)
from coi_tui.model.errors import CoiError
from coi_tui.paths import paths

if TYPE_CHECKING:
    from coi_tui.cli.output import OutputTarget
    from coi_tui.session.session import Session


@click.group()
def papers() -> None:
    """Your own papers and PDFs, and the library that sessions share."""


@papers.command("add")
@click.argument("files", nargs=-1, required=True, type=a_path)
@flag("--offline", help="Ask no source.")
def add(files: tuple[Path, ...], offline: bool) -> int:
    """Import papers from lists (BibTeX, RIS, CSL-JSON, and what PubMed and Web of Science save),
    PDFs, or folders of PDFs.

    Searches look at your papers first. The PDFs that a list names are read where they are. Another
    PDF is taken if its metadata or first page name a DOI or arXiv id and that page shows the title
    of the paper that bears it; the id is looked up here, then at the sources (nothing else is sent;
    --offline asks nobody). The others are listed: attach them in a session with `coi attach`. The
    text of a PDF stays on this machine, in a file that only you can read; it is sent to a language
    model only in the prompt that reads that paper, and a plan
    says so first.
    """
    from coi_tui.session.papers.own_papers import add_named_pdf, import_papers, pdfs_in

    pdfs, code = list[Path](), 0
    for file in files:
        if file.is_dir():
            if not (found := list(pdfs_in(file))):
                tell(f"{file} holds no PDF. Give a folder of PDFs, or a .bib file.")
                code = 1
            pdfs += found
        elif file.suffix.lower() == ".pdf":
            pdfs.append(file)
        else:
            result = import_papers(paths(), file)
            say(
                f"{file}: {len(result.new)} new, {result.known} already known, {len(result.left_out)} left out"
            )
            if result.encoding:
                tell(f"  {result.encoding}")
            for why in result.left_out:
                tell(f"  left out: {why}")
            for pdf, paper in result.pdfs:
                say(asyncio.run(add_named_pdf(paths(), paper, pdf)).line)
            code = code if result.new or result.known else 1
    return (pdfs and asyncio.run(_add_pdfs(list(dict.fromkeys(pdfs)), offline))) or code


async def _add_pdfs(pdfs: list[Path], offline: bool) -> int:
    """Add PDFs, after saying who gets their ids; 1 where some were left out."""
    from coi_tui.session.lookup import id_lookup, lookup_disclosure
    from coi_tui.session.papers.own_papers import add_pdfs

    env = environment()
    tell(lookup_disclosure(env.settings, env.keys, offline))
    added = 0
    async with id_lookup(env, offline=offline) as find:
        async for pdf in add_pdfs(env.paths, pdfs, find):
            say(pdf.line)
            added += pdf.paper is not None
    say(f"{added} of {len(pdfs)} PDFs added.")
    return 0 if added == len(pdfs) else 1


@papers.command("zotero")
@click.argument("collection", required=False)
def zotero(collection: str | None) -> None:
    """List the libraries and collections of Zotero with their items, or take a COLLECTION (its name
    or key; the name of a library takes all of it).

    Zotero must run on this machine and let other programs read (Settings, Advanced). Titles,
    authors, abstracts, tags and citation keys become papers of yours; PDFs are read where they are,
    and what you marked in one goes with its text, which a plan says before it is sent. Taken
    again, only what changed is asked for; what Zotero has no more is marked, not removed.
    """
    asyncio.run(_zotero(collection))


@papers.command("sync")
def sync() -> None:
    """Take what changed in Zotero in the libraries and collections that you took."""
    asyncio.run(_zotero(None, again=True))


async def _zotero(typed: str | None, again: bool = False) -> None:
    from coi_tui.session.papers import zotero_import as z

    found = z.taken(paths()) if again else await z.offered()
    wanted = [z.chosen(found, typed)] if typed else found if again else []
    await _each_line(z.take(paths(), wanted))
    for shelf in found if not (typed or again) else ():
        name = f"  {shelf.name}   [{shelf.key}]" if shelf.collection else shelf.name
        say(f"{shelf.size:>7,}  {name}")
    if again and not wanted:
        say("Nothing was taken from Zotero yet: `coi papers zotero COLLECTION` takes a collection.")


@papers.command("links")
@flag("--offline", help="Ask no source.")
@flag("--refresh", help="Ask anew for papers that were asked for before.")
@yes_option
def links(offline: bool, refresh: bool, yes: bool) -> None:
    """Find out what your papers cite and are cited by, so that chains can begin and grow there.

    The sources are asked by id, after you were told what is sent to whom and what it costs; they
    also fill in abstracts, and tell of retractions. What they answer is stored in the library. The
    reference lists of your PDFs give links without asking anybody. Papers without a link are listed.
    """
    from coi_tui.session.lookup import ask_links, links_disclosure
    from coi_tui.session.papers.own_links import NEITHER, OwnLinks
    from coi_tui.session.papers.own_papers import own_papers
    from coi_tui.session.settings import setup_of

    env = environment()
    own = own_papers(env.paths)
    wanted = OwnLinks(env.paths, own).to_ask(again=refresh)
    if wanted and setup_of(env.settings, env.keys, offline).online_source:
        tell(links_disclosure(env, wanted))
        if not yes:
            ask("Ask?", "Nobody was asked for links.", "Nobody was asked for links.")
        asyncio.run(_each_line(ask_links(env, wanted)))
    known = OwnLinks(env.paths, own)
    without = [paper for paper in own if not known.numbers[paper.id]]
    say(f"Links are known of {len(own) - len(without)} of your {len(own)} papers.")
    for paper in without:
        say(f"  {NEITHER}: {paper.cited}")


async def _each_line(lines: AsyncIterator[str]) -> None:
    async for line in lines:
        say(line)


@papers.command("list")
@flag("--details", help="Say where each is from, its known links, and who uses it.")
@click.argument("words", nargs=-1)
def list_own(details: bool, words: tuple[str, ...]) -> None:
    """List your own papers with their ids: those with all of some WORDS in title, year, authors,
    tags or the names of its lists and collections, or all of them."""
    from coi_tui.session.papers.overview import overview
    from coi_tui.session.papers.zotero_import import taken
    from coi_tui.session.wording import ago

    shelves = taken(paths())
    own = overview(paths(), shelves, whole=details)
    for one in own:
        p = one.paper
        if not one.fits(" ".join(words)):
            continue
        pdf = f"   (your PDF {one.pdf['file']})" if one.pdf else ""
        bare = "" if p.abstract else "   (no abstract)"
        gone = "   ! retracted" if p.retracted else ""
        say(f"{p.id:32} {p.year or '????'}  {p.title}{gone}{bare}{pdf}")
        for name, text in one.facts() if details else ():
            say(f"    {name:6} {text}")
    for shelf in shelves:
        known = f"{len(shelf.papers)} from Zotero, {len(shelf.removed)} removed there since"
        say(f"{shelf.name}: {known}, read {ago(shelf.read)}")
    if not own:
        say(
            "You have imported no papers yet. `coi papers add` takes a file such as FILE.bib, or a folder of PDFs."
        )


@papers.command()
@click.option(
    "--format", "form", type=Word(("bib", "ris", "csl")), default="bib", show_default=True
)
@out_option
def export(form: str, out: OutputTarget | None) -> None:
    """Export your own papers (bib: BibTeX, ris: RIS, csl: CSL-JSON), for reference managers and
    pandoc. Without --out they are printed."""
    from coi_tui.present.own_lists import own_list
    from coi_tui.session.papers.own_papers import own_papers

    write_text(own_list(own_papers(paths()), form), out)


@papers.command("remove")
@click.argument("paper")
def remove(paper: str) -> None:
    """Remove one of your papers permanently, by its id, with the text of its PDF."""
    from coi_tui.session.papers.own_papers import forget_paper

    say(f"Removed: {forget_paper(paths(), paper).title}")


@click.command("new-papers")
@click.argument("name", required=False)
@flag("--seen", help="You have seen the last look: the next one begins there.")
@yes_option
def new_papers(name: str | None, seen: bool, yes: bool) -> int:
    """Look for papers that are new since you looked, in session NAME or in all of them: those that
    cite papers of its chains, and what its questions and novelty reports search for. At most ten,
    each with what it has to do with what you have.

    A look by itself moves nothing: until --seen, which looks for nothing, the next one shows the same
    again. `coi show NAME news` shows the last one.
    """
    from coi_tui.store.summary import list_sessions

    code = 0
    every = [str(p.path) for p in list_sessions(paths().sessions) if not p.archived]
    for one in [name] if name else every:
        try:
            with opened(one) as session:
                if seen:
                    session.decide("seen", "news")
                elif start(session, session.planner.to_look(), yes=yes):
                    why = session.failed.get("news", "")
                    raise CoiError(f"Could not look in {session.name}.", why)
                say(session.name)
                for part in session.detail("news").parts:
                    say_part(*part)
        except CoiError as error:
            code = fail(error)
    return code


# -- what a session searches


_words = partial(click.option, multiple=True, metavar="WORD")


_rules = options(
    click.option(
        "--no-surveys/--surveys",
        default=None,
        help="Leave out surveys, reviews and tutorials, or allow them again.",
    ),
    click.option(
        "--years", metavar="FROM-TO", help="2018-2026, 2018- or -2026; empty removes the range."
    ),
    _words("--venue", "venues", help="The venue must contain one of these; may be repeated."),
    _words("--without-venue", "without_venues", help="The venue must contain none of these."),
    _words(
        "--word",
        "words",
        help="Title or abstract must contain one of these; gra* matches any ending.",
    ),
    _words(
        "--without-word", "without_words", help="Title and abstract must contain none of these."
    ),
    click.option(
        "--citations", type=int, metavar="N", help="Minimum number of citations; 0 removes it."
    ),
)


@papers.command()
@session_argument
@click.argument("what", type=Word(("show", "clear")), default="show")
@_rules
@reason_option
@yes_option
def criteria(name: str, what: str, reason: str, yes: bool, **rules: Any) -> None:
    """Show, set or clear the criteria for which papers may be proposed.

    A rule replaces the one of its kind, and an empty word removes it; the other rules stay. Papers
    that are left out stay in the lists with the reason, and can still be chosen by hand.
    """
    from coi_tui.model.criteria import ADDRESS
    from coi_tui.session.decisions.criteria_change import changed, criteria_of, effect

    given = {key: value for key, value in rules.items() if value not in (None, ())}
    given |= {"citations": None} if given.get("citations") == 0 else {}
    set_anew = what == "clear"
    with opened(name, read_only=not (set_anew or given)) as session:
        if set_anew or given:
            asked = changed(None if set_anew else criteria_of(session.state), given)
            confirm_impact(
                session.impact(ADDRESS, lambda trial: trial.decide("criteria", "criteria", asked)),
                yes,
            )
            session.decide("criteria", "criteria", asked, reason=reason)
        say(effect(session))


@papers.command()
@session_to_read
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="Show the first N papers.",
)
@json_option
def reading(session: Session, top: int, json_out: bool) -> None:
    """Show the reading list: everything a session found, best first.

    Ranked by the words of the topic and by the citations among the papers found. With --json the
    whole list.
    """
    found = session.reading_list()
    if json_out:
        as_json(found)
        return
    for line in filter(None, (*found.searched, found.note)):
        say(line)
    if not found.entries:
        say("No paper was found yet. `coi run` or `coi resume` finds some.")
    for entry in found.entries[:top]:
        paper = entry.paper
        say(f"{entry.rank:>4}  {paper.year or '????'}  {paper.title}  [{paper.id}]")
        say(f"            {entry.reasons()}")
    if len(found.entries) > top:
        say(f"{len(found.entries) - top} more: --top {len(found.entries)} shows all.")
