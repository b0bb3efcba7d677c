"""Commands about the program and its files: export, doctor, where."""

from __future__ import annotations

import click

from coi_tui.cli.output import Target, as_json, json_option, opened, out_option, say, settings, tell


@click.command()
@click.argument("name")
@click.option("--format", "kind", type=click.Choice(["md", "json", "bib", "svg"]), default="md", show_default=True)
@out_option
def export(name: str, kind: str, out: Target | None) -> None:
    """Write the proposal (Markdown), everything (JSON), the references (BibTeX) or the timeline (SVG)."""
    with opened(name, read_only=True) as session:
        text = session.exports.text(kind)
        if out is None or out.path == "-":
            say(text)
        else:
            tell(f"Written to {session.exports.write(text, out.path, overwrite=out.overwrite)}")


@click.command()
@click.option("--ask", is_flag=True, help="Ask each model one small question too (about 100 tokens): which reply formats it takes.")
@json_option
def doctor(ask: bool, json_out: bool) -> int:
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
    return 1 if any(c.state == "FAILED" for c in checks) else 0


@click.command()
@json_option
def where(json_out: bool) -> None:
    """Say where sessions, library, settings and log are."""
    from coi_tui.paths import paths

    p = paths()
    places = {
        "sessions": p.sessions,
        "backups": p.backups,
        "library": p.library,
        "my papers": p.imported_papers,
        "my texts": p.imported_texts,
        "settings": p.config_file,
        "prompts": p.prompts,
        "log": p.log,
    }
    if json_out:
        as_json({name: str(path) for name, path in places.items()})
        return
    for name, path in places.items():
        say(f"{name:10} {path}{'' if path.exists() else '   (not there yet)'}")
