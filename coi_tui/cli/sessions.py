"""Sessions as files: ``coi ls``, ``import``, ``verify``, ``export`` and ``forget``."""

from __future__ import annotations

from dataclasses import asdict

import click

from coi_tui.cli.output import (
    Target,
    as_json,
    json_option,
    opened,
    out_option,
    row_width,
    say,
    session_argument,
    tell,
)
from coi_tui.model.text import count
from coi_tui.present import formats


@click.command()
@json_option
def ls(json_out: bool) -> None:
    """List the sessions, most recently used first."""
    from coi_tui.paths import paths
    from coi_tui.session.wording import by_commands, counts
    from coi_tui.store.summary import list_sessions
    from coi_tui.widgets.panes import column, cut, fit

    found = list_sessions(paths().sessions)
    if json_out:
        as_json(
            [
                {
                    "name": p.name,
                    "topic": p.topic,
                    "method": p.method,
                    "opened": p.opened,
                    "state": p.state,
                    "reason": p.reason,
                    "file": str(p.path),
                    "summary": asdict(p.summary),
                }
                for p in found
            ]
        )
        return
    if not found:
        say(
            "No sessions yet. `coi run TOPIC` starts one; `coi demo --headless` runs the whole method offline."
        )
    waiting = [", ".join(counts(p.summary.needs)) or "-" for p in found]
    names, waits, width = (
        column((p.name for p in found), 8, 32),
        column(waiting, 8, 28),
        row_width(),
    )
    for p, waits_for in zip(found, waiting, strict=True):
        head = f"{fit(p.name, names)} {fit(p.summary.step or '-', 11)} {fit(waits_for, waits)}"
        say(cut(f"{head} {p.summary.cost}  {p.topic}", width))
        if p.state != "ok":
            say(f"    {p.reason}" if p.state == "open elsewhere" else f"    {p.state}: {p.reason}")
        elif p.summary.next is not None:
            say(f"    {by_commands(p.summary.next, p.name)}")


@click.command("import")
@click.argument("file", type=click.Path())
def import_(file: str) -> None:
    """Take in a session FILE (.coi.db) that someone sent; it is checked and copied, and the file
    itself stays as it is."""
    from coi_tui.paths import paths
    from coi_tui.session.admin.session_files import import_session
    from coi_tui.session.names import ENDING

    made = import_session(paths(), file)
    name = made.name.removesuffix(ENDING)
    say(name)
    tell(f"Imported as {name}: {made}. `coi verify {name}` checks its log and hashes.")


@click.command()
@session_argument
@json_option
def verify(name: str, json_out: bool) -> int:
    """Check a session file: replay its log, compare its hashes, and report any problem."""
    with opened(name, read_only=True) as session:
        findings = session.verify()
        entries, calls = session.core.journal.entries, session.core.file.calls()
        versions = count(len(session.state.versions), "version")
        counts = f"{count(len(entries), 'log entry', 'log entries')}, {versions}, {count(len(calls), 'call')}"
    if json_out:
        as_json({"sound": not findings, "findings": findings})
    elif findings:
        say("\n".join(findings))
    else:
        say(
            f"OK: {counts}; replaying gives the same state, and the hashes and the file are intact."
        )
    return 1 if findings else 0


@click.command()
@session_argument
@click.option(
    "--format",
    "kind",
    type=click.Choice(formats.names()),
    default="md",
    show_default=True,
)
@click.option(
    "--appendix",
    is_flag=True,
    help="After the proposal what it rests on: evidence, plan, review, other ideas, how it was made.",
)
@click.option("--notes", is_flag=True, help="The appendix with your own notes, which are private.")
@click.option(
    "--all-ideas",
    is_flag=True,
    help="The appendix with every idea in full, not only your own choice or the one that leads.",
)
@out_option
def export(
    name: str, kind: str, appendix: bool, notes: bool, all_ideas: bool, out: Target | None
) -> None:
    """Export the proposal (md, tex: LaTeX, html: a web page with its appendix), its references
    (bib: BibTeX) or everything (json).

    Without --out it is printed. The proposal has at most three pages: in short, idea, difference,
    experiment, risks, references. Its appendix has warnings and topic, then idea, chain, novelty,
    experiment, review, other ideas, reading list, what was rejected and how it was made.
    """
    from coi_tui.model.errors import UsageError
    from coi_tui.present.snapshot import ProposalOptions

    given = {"--appendix": appendix, "--notes": notes, "--all-ideas": all_ideas}
    if any(given.values()) and not formats.load(kind).options:
        option = next(name for name, there in given.items() if there)
        raise UsageError(f"{option} has no effect on --format {kind}.")
    with opened(name, read_only=True) as session:
        options = ProposalOptions(any(given.values()), all_ideas, notes)
        text = session.exports.text(kind, options)
        for found in session.exports.damage():
            tell(f"Warning: the session file is not as it was written. {found}")
        if out is None or out.path == "-":
            say(text.removesuffix("\n"))
        else:
            path = session.exports.write(text, out.path, overwrite=out.overwrite)
            tell(f"Written to {path}")


@click.command()
@session_argument
@click.option("--yes", is_flag=True, help="Do not ask for the name again.")
def forget(name: str, yes: bool) -> int:
    """Delete a session and its copies permanently. This cannot be undone."""
    from coi_tui.paths import paths
    from coi_tui.session.admin.session_files import forget_session, session_files

    files = session_files(paths(), name)
    for file in files:
        tell(f"  {file}")
    many = "this file" if len(files) == 1 else f"these {len(files)} files"
    if (
        not yes
        and click.prompt(
            f"Type {name} to delete {many} permanently", default="", show_default=False
        )
        != name
    ):
        tell("Nothing was deleted.")
        return 3
    gone = len(forget_session(paths(), name))
    say(f"Deleted {gone} {'file' if gone == 1 else 'files'} of {name}.")
    return 0
