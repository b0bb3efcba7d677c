"""Commands about what is kept beside the sessions: the researcher's own papers, the shared library, and forgetting."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from coi_tui.cli.output import as_json, json_option, say, tell


@click.group()
def library() -> None:
    """Your own papers, and the library that sessions share."""


@library.command("add")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def add(files: tuple[Path, ...]) -> int:
    """Take papers in from BibTeX (.bib), CSL-JSON (.json) or RIS (.ris) files; searches look at them first."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.own import bring_in

    for file in files:
        brought = bring_in(paths(), file)
        say(f"{file}: {len(brought.new)} new, {brought.known} known before, {len(brought.left_out)} left out")
        for why in brought.left_out:
            tell(f"  left out {why}")
    return 0


@library.command("list")
@json_option
def list_own(json_out: bool) -> None:
    """Your own papers with their ids."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.own import own_papers

    papers = own_papers(paths())
    if json_out:
        as_json([p.model_dump(mode="json", exclude_defaults=True) for p in papers])
        return
    for p in papers:
        say(f"{p.id:32} {p.year or '????'}  {p.title}{'' if p.abstract else '   (no abstract)'}")
    if not papers:
        say("You have brought in no papers yet: coi library add FILE.bib")


@library.command("remove")
@click.argument("paper")
def remove(paper: str) -> None:
    """Take one of your own papers out for good, by its id."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.own import forget_paper

    say(f"Removed: {forget_paper(paths(), paper).title}")


@library.command("size")
@json_option
def size(json_out: bool) -> None:
    """How much the shared library holds, and where it is."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.library import library_sizes

    place = paths().library
    rows = library_sizes(paths())
    kilobytes = place.stat().st_size // 1000 if place.exists() else 0
    if json_out:
        as_json({"file": str(place), "kilobytes": kilobytes, "rows": rows})
        return
    say(f"{place}: {kilobytes:,} kB; {', '.join(f'{n:,} {name}' for name, n in rows.items()) or 'empty'}")


@library.command("prune")
@click.option("--older-than", "days", type=click.IntRange(0), default=90, show_default=True, metavar="DAYS", help="Age of what goes.")
def prune(days: int) -> None:
    """Throw away answers of services and fetched texts older than some days. Sessions keep their own copies; papers and links stay."""
    from coi_tui.paths import paths
    from coi_tui.session.papers.library import prune_library

    before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds").replace("+00:00", "Z")
    gone = prune_library(paths(), before)
    say(f"{gone} {'answer or text' if gone == 1 else 'answers and texts'} thrown away; sessions keep their own copies.")


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for the name again.")
def forget(name: str, yes: bool) -> int:
    """Delete a session and its copies for good. This cannot be undone."""
    from coi_tui.paths import paths
    from coi_tui.session.out.forgetting import forget_session, session_files

    files = session_files(paths(), name)
    for file in files:
        tell(f"  {file}")
    if not yes and click.prompt(f"Type {name} to delete these {len(files)} files for good", default="", show_default=False) != name:
        tell("Nothing was deleted.")
        return 3
    say(f"Deleted {len(forget_session(paths(), name))} files of {name}.")
    return 0
