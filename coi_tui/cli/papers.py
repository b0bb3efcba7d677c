"""``coi papers``: the researcher's own papers, and the answers that all sessions share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import as_json, json_option, say, settings, tell
from coi_tui.model.text import clean_line

if TYPE_CHECKING:
    from coi_tui.session.papers.lookup import FindId

offline_option = click.option("--offline", is_flag=True, help="Ask no source.")


@click.group()
def papers() -> None:
    """Your own papers and PDFs, and the library that sessions share."""


@papers.command("add")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@offline_option
def add(files: tuple[Path, ...], offline: bool) -> int:
    """Import papers from BibTeX (.bib) files, PDFs, or folders of PDFs.

    Searches look at your papers first. A PDF is taken if its metadata or first page name a DOI or
    arXiv id and that page shows the title of the paper that bears it; the id is looked up here,
    then at the sources (nothing else is sent; --offline asks nobody). The others are listed: add
    them with `coi papers attach`. The text of a PDF stays on this machine, in a file that only you
    can read; it is sent to a language model only in the prompt that reads that paper, and a plan
    says so first.
    """
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import import_papers

    pdfs = _all_pdfs(files)
    for file in (f for f in files if not _holds_pdfs(f)):
        result = import_papers(paths(), file)
        say(
            f"{file}: {len(result.new)} new, {result.known} already known, {len(result.left_out)} left out"
        )
        for why in result.left_out:
            tell(f"  left out: {why}")
    return asyncio.run(_add_pdfs(pdfs, offline)) if pdfs else 0


async def _add_pdfs(pdfs: list[Path], offline: bool) -> int:
    """Add PDFs; 1 where some were left out."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported_pdfs import add_pdfs

    added = 0
    async with _lookup(offline) as find:
        async for pdf in add_pdfs(paths(), pdfs, find):
            say(pdf.line)
            added += pdf.paper is not None
    say(f"{added} of {len(pdfs)} PDFs added.")
    return 0 if added == len(pdfs) else 1


@asynccontextmanager
async def _lookup(offline: bool) -> AsyncIterator[FindId]:
    """What looks ids up, after saying who gets them."""
    from coi_tui.session.papers.lookup import id_lookup
    from coi_tui.session.runs.disclosure import lookup_disclosure
    from coi_tui.session.session import utc_now

    found, config, keys = settings()
    tell(lookup_disclosure(config, keys, offline))
    async with id_lookup(found, config, keys, lambda: utc_now()[:10], offline=offline) as find:
        yield find


def _holds_pdfs(file: Path) -> bool:
    return file.is_dir() or file.suffix.lower() == ".pdf"


def _all_pdfs(files: tuple[Path, ...]) -> list[Path]:
    """Every PDF among the files and in the folders, once each; folders that cannot be opened are
    told."""
    from coi_tui.session.papers.imported_pdfs import pdfs_in

    def unread(error: OSError) -> None:
        tell(
            f"The folder {clean_line(error.filename)} cannot be opened ({error.strerror}), so it was not read."
        )

    return list(
        dict.fromkeys(
            p for f in files if _holds_pdfs(f) for p in (pdfs_in(f, unread) if f.is_dir() else [f])
        )
    )


@papers.command("attach")
@click.argument("file")
@click.argument("paper")
@click.option("--anyway", is_flag=True, help="Also if its first page does not show the title.")
@offline_option
def attach_pdf(file: str, paper: str, anyway: bool, offline: bool) -> None:
    """Add one PDF (FILE) to the paper with an id (PAPER): a DOI, an arXiv id, or one of `list`.

    To attach it in one session only, use `coi attach`.
    """
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported_pdfs import attach_to_own

    async def attach() -> str:
        async with _lookup(offline) as find:
            kept = await attach_to_own(paths(), file, paper, find, anyway=anyway)
        return f"Attached to {kept.title} ({kept.id})."

    say(asyncio.run(attach()))


@papers.command("list")
@json_option
def list_own(json_out: bool) -> None:
    """List your own papers with their ids."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import own_papers, stored_texts

    own, stored = own_papers(paths()), stored_texts(paths())
    if json_out:
        as_json(
            [
                {
                    **p.model_dump(mode="json", exclude_defaults=True),
                    **({"pdf": stored[p.id][0]} if p.id in stored else {}),
                }
                for p in own
            ]
        )
        return
    for p in own:
        pdf = f"   (your PDF {stored[p.id][0]})" if p.id in stored else ""
        say(
            f"{p.id:32} {p.year or '????'}  {p.title}{'' if p.abstract else '   (no abstract)'}{pdf}"
        )
    if not own:
        say(
            "You have imported no papers yet. `coi papers add` takes a file such as FILE.bib, or a folder of PDFs."
        )


@papers.command("remove")
@click.argument("paper")
def remove(paper: str) -> None:
    """Remove one of your papers permanently, by its id, with the text of its PDF."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.imported import forget_paper

    say(f"Removed: {forget_paper(paths(), paper).title}")
