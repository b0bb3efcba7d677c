"""``coi bug-bundle``: what a bug report may need, without anything that was written, read or searched."""

from __future__ import annotations

from pathlib import Path

import click

from coi_tui.cli.output import say, tell


@click.command("bug-bundle")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--session", "name", metavar="NAME", default="", help="This session only; else the newest twenty.")
@click.option("--show", is_flag=True, help="Print the whole content, and write nothing.")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def bug_bundle(out: Path, name: str, show: bool, overwrite: bool, yes: bool) -> int:
    """Write a zip for a bug report: versions, kinds, counts and times.

    No text, title, query, name, path or key is in it. What is inside is listed before it is written; nothing is sent anywhere.
    """
    from coi_tui.config import load_keys
    from coi_tui.paths import paths
    from coi_tui.session.admin.bug_bundle.bundle import free_place, gather, write

    place = free_place(out, overwrite=overwrite)
    keys = load_keys()
    inside = gather(paths(), keys, name)
    if show:
        for file in inside:
            say(f"--- {file.name}\n{file.text}")
        return 0
    say(f"{place.name} would hold:")
    for file in inside:
        say(f"  {file.name:14} {len(file.text) / 1000:7.1f} kB  {file.what}")
    say("Left out: every text, title, query, note, reason, name, address of a server, path and key. --show prints it whole.")
    if not yes and not click.confirm("Write it?", default=False):
        tell("Nothing was written.")
        return 3
    write(inside, place, keys)
    say(f"Written to {place}. It was sent nowhere: attach it to your report yourself.")
    return 0
