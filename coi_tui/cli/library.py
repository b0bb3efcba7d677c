"""``coi library``: the researcher's own papers, and the library that all sessions share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from coi_tui.cli.output import as_json, json_option, say, tell
from coi_tui.model.text import clean_line


@click.group()
def library() -> None:
    """Your own papers, and the library that sessions share."""


@library.command("add")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--as",
    "said",
    metavar="ID",
    default="",
    help="Which paper the PDF is: a DOI, an arXiv id or its title.",
)
@click.option(
    "--yes",
    is_flag=True,
    help="Let the sources be asked about ids and titles found in PDFs, without asking you.",
)
@click.option(
    "--accept-titles",
    "titles",
    is_flag=True,
    help="Take PDFs whose title and authors tell the paper without asking you.",
)
@click.option("--offline", is_flag=True, help="Ask no source.")
def add(files: tuple[Path, ...], said: str, yes: bool, titles: bool, offline: bool) -> int:
    """Import papers from BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) files, PDFs, or folders of PDFs.

    Searches look at your papers first. Which paper a PDF is: its DOI, arXiv id or title is looked for here, then, if you agree, asked of
    the sources (these ids and titles are all that is sent). What an id and the title confirm is imported; in a terminal a table lets you
    take what is sure by one key and decide on the rest one by one. The text of a PDF stays on this machine, in a file that only you can
    read; it is sent to a language model only in the prompt that reads that paper, and a plan says so first.
    """
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import bring_in

    pdfs, others = _all_pdfs(files), [f for f in files if not _holds_pdfs(f)]
    if said and others:
        raise click.UsageError("--as says which paper a PDF is; give it with a single PDF.")
    for file in others:
        brought = bring_in(paths(), file)
        say(
            f"{file}: {len(brought.new)} new, {brought.known} already known, {len(brought.left_out)} left out"
        )
        for why in brought.left_out:
            tell(f"  left out: {why}")
    if len(others) == len(files):
        return 0
    from coi_tui.cli.pdf_table import Answers, add_pdfs

    return add_pdfs(pdfs, Answers(said, yes, titles, offline))


def _holds_pdfs(file: Path) -> bool:
    return file.is_dir() or file.suffix.lower() == ".pdf"


def _all_pdfs(files: tuple[Path, ...]) -> list[Path]:
    """Every PDF among the files and in the folders, once each; folders that cannot be opened are told."""
    from coi_tui.session.papers.imported_pdfs import pdfs_in

    def unread(error: OSError) -> None:
        tell(
            f"not read   the folder {clean_line(error.filename)} cannot be opened ({error.strerror})."
        )

    return list(
        dict.fromkeys(
            p for f in files if _holds_pdfs(f) for p in (pdfs_in(f, unread) if f.is_dir() else [f])
        )
    )


@library.command("list")
@json_option
def list_own(json_out: bool) -> None:
    """List your own papers with their ids."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import own_papers, texts_held

    papers, held = own_papers(paths()), texts_held(paths())
    if json_out:
        as_json(
            [
                {
                    **p.model_dump(mode="json", exclude_defaults=True),
                    **({"pdf": held[p.id][0]} if p.id in held else {}),
                }
                for p in papers
            ]
        )
        return
    for p in papers:
        pdf = f"   (your PDF {held[p.id][0]})" if p.id in held else ""
        say(
            f"{p.id:32} {p.year or '????'}  {p.title}{'' if p.abstract else '   (no abstract)'}{pdf}"
        )
    if not papers:
        say(
            "You have imported no papers yet. `coi library add` takes a file such as FILE.bib, or a folder of PDFs."
        )


@library.command("remove")
@click.argument("paper")
def remove(paper: str) -> None:
    """Remove one of your papers permanently, by its id, with the text of its PDF."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import forget_paper

    say(f"Removed: {forget_paper(paths(), paper).title}")


@library.command("size")
@json_option
def size(json_out: bool) -> None:
    """Show how much the shared library holds, and where it is."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.library import library_sizes

    place = paths().library
    rows = library_sizes(paths())
    kilobytes = place.stat().st_size // 1000 if place.exists() else 0
    if json_out:
        as_json({"file": str(place), "kilobytes": kilobytes, "rows": rows})
        return
    say(
        f"{place}: {kilobytes:,} kB; {', '.join(f'{n:,} {name}' for name, n in rows.items()) or 'empty'}"
    )


@library.command("prune")
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(0),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="How old (in days).",
)
def prune(days: int) -> None:
    """Delete stored answers of services and fetched texts after a number of days.

    Sessions keep their own copies; papers and links stay.
    """
    from coi_tui.paths import paths
    from coi_tui.session.papers.library import prune_library

    before = (
        (datetime.now(UTC) - timedelta(days=days))
        .isoformat(timespec="seconds")
        .replace("+00:00", "Z")
    )
    gone = prune_library(paths(), before)
    say(
        f"{gone} {'stored answer or text' if gone == 1 else 'stored answers and texts'} deleted; sessions keep their own copies."
    )
