"""The program itself: ``coi doctor``, ``coi where`` and ``coi bug-bundle``."""

from __future__ import annotations

from pathlib import Path

import click

from coi_tui.cli.output import as_json, json_option, say, settings, tell


@click.command()
@click.option(
    "--ask",
    is_flag=True,
    help="Also ask each model one small question (about 100 tokens) to see which reply formats it takes.",
)
@click.option("--verbose", is_flag=True, help="Also show a service's own words where it failed.")
@json_option
def doctor(ask: bool, verbose: bool, json_out: bool) -> int:
    """Check keys, services and storage; keys are never shown."""
    import asyncio

    from coi_tui.session.admin.doctor import examine

    found, config, keys = settings()
    checks = asyncio.run(examine(found, config, keys, ask=ask))
    if json_out:
        as_json([vars(c) for c in checks])
    else:
        for c in checks:
            say(f"{c.state:8} {c.what:22} {c.says}")
            if verbose and c.said:
                say(f"{'':31} it said: {c.said}")
    return 1 if any(c.state == "FAILED" for c in checks) else 0


@click.command()
@json_option
def methods(json_out: bool) -> int:
    """List the methods, built in and from installed packages."""
    from coi_tui.methods.registry import broken_plugins, every_method

    found, broken = every_method().values(), broken_plugins()
    if json_out:
        as_json(
            [
                {"name": s.name, "letter": s.letter, "package": s.package, "about": s.about}
                for s in found
            ]
        )
    for spec in () if json_out else found:
        say(f"{spec.name:20} {spec.package or 'built in':20} {spec.about}".rstrip())
    for sentence in broken:
        tell(sentence)
    return 1 if broken else 0


@click.command()
@json_option
def where(json_out: bool) -> None:
    """Show where sessions, library, settings and log are."""
    from coi_tui.paths import paths

    p = paths()
    places = {
        "sessions": p.sessions,
        "backups": p.backups,
        "library": p.library,
        "my texts": p.imported_texts,
        "settings": p.config_file,
        "prompts": p.prompts,
        "log": p.log,
    }
    if json_out:
        as_json({name: str(path) for name, path in places.items()})
        return
    labels = {"my texts": "PDF texts"}
    for name, path in places.items():
        say(
            f"{labels.get(name, name):11} {path}{'' if path.exists() else '   (does not exist yet)'}"
        )


@click.command("bug-bundle")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--show", is_flag=True, help="Print the full contents, and write nothing.")
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@click.option("--yes", is_flag=True, help="Write without asking.")
def bug_bundle(out: Path, show: bool, overwrite: bool, yes: bool) -> int:
    """Write a zip file for a bug report: versions, settings and the program's log.

    It contains no key and no text of a session; the log may name files and services. Its contents
    are listed before it is written, and nothing is sent anywhere.
    """
    from coi_tui.config import load_keys
    from coi_tui.paths import paths
    from coi_tui.session.admin.bug_bundle import free_place, gather, write

    place = free_place(out, overwrite=overwrite)
    keys = load_keys()
    inside = gather(paths(), keys)
    if show:
        for file in inside:
            say(f"--- {file.name}\n{file.text}")
        return 0
    say(f"{place.name} will contain:")
    for file in inside:
        say(f"  {file.name:14} {len(file.text) / 1000:7.1f} kB  {file.what}")
    say(
        "Left out: sessions, server addresses, your mail address and keys. --show prints all of it."
    )
    if not yes and not click.confirm("Write it?", default=False):
        tell("Nothing was written.")
        return 3
    write(inside, place, keys)
    say(f"Written to {place}. Nothing was sent: attach it to your report yourself.")
    return 0
