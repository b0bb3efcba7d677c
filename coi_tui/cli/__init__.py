"""The command line: arguments in, a session call, text out. Nothing heavy is imported until a
command needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import click

from coi_tui import __version__
from coi_tui.cli.output import fail, flag, open_app, tell
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import sentence
from coi_tui.paths import paths

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def _arena() -> ModuleType:
    from coi_tui.cli import arena

    return arena


def _decide() -> ModuleType:
    from coi_tui.cli import decide

    return decide


def _mcp() -> ModuleType:
    from coi_tui.cli import mcp

    return mcp


def _papers() -> ModuleType:
    from coi_tui.cli import paper_commands

    return paper_commands


def _readers() -> ModuleType:
    from coi_tui.cli import reader_commands

    return reader_commands


def _run() -> ModuleType:
    from coi_tui.cli import run

    return run


def _sessions() -> ModuleType:
    from coi_tui.cli import session_commands

    return session_commands


def _show() -> ModuleType:
    from coi_tui.cli import show

    return show


SECTIONS: dict[str, dict[str, tuple[Callable[[], ModuleType], str]]] = {
    "Begin and go on": {
        "demo": (
            _run,
            "Open a session with recorded answers of a language model; with --headless, make it.",
        ),
        "new": (
            _run,
            "Start a session on TOPIC and run nothing; `coi resume` or the app goes on.",
        ),
        "run": (
            _run,
            "Start a session on TOPIC and run it, after showing the plan and its cost range and asking.",
        ),
        "resume": (
            _run,
            "Continue a session where it stopped; finished calls are not charged again.",
        ),
        "ls": (_sessions, "List the sessions, most recently used first."),
        "import": (
            _sessions,
            "Import a session FILE (.coi.db) that someone sent; it is checked and copied, and the file itself stays as it is.",
        ),
    },
    "Look": {
        "show": (_show, "Show a session's tree, a line for each row, or one cell in words."),
        "why": (
            _show,
            "Explain where a cell comes from, what it depends on and what depends on it.",
        ),
        "history": (
            _show,
            "List the versions of a cell, newest first: who made each, when, from which, and which is in use.",
        ),
        "diff": (
            _show,
            "Show what differs between two versions of a text, word by word: [-left out-] and {+added+}.",
        ),
        "log": (
            _show,
            "List the decisions and the tasks that failed, oldest first; what was undone is marked.",
        ),
    },
    "Decide": {
        "decide": (
            _decide,
            "Decide about a cell: accept, reject, keep (it still holds), pin ID, use RANK-or-ID or VERSION, set-aside (its branch), and more.",
        ),
        "edit": (_decide, "Save a text of your own in a cell; nothing replaces it afterwards."),
        "import-comments": (
            _decide,
            'Take in a colleague\'s comments as notes: FILE has one a line, such as "1/idea ¶3: too broad".',
        ),
        "undo": (_decide, "Undo the last decision; results that were paid for stay as versions."),
        "redo": (_decide, "Redo the decision that was undone last."),
        "attach": (
            _decide,
            "Attach your own PDF (FILE) to the paper at ADDRESS; its card becomes stale.",
        ),
    },
    "Make again or check": {
        "ask": (
            _run,
            'Say in words how the text at ADDRESS should be, such as "make it more about accessibility"; the model rewrites it.',
        ),
        "refresh": (
            _run,
            "Bring stale cells up to date, oldest first; stops early where nothing changed.",
        ),
        "ideas": (
            _run,
            "Check ideas against papers and against each other; review and refine their plans.",
        ),
    },
    "Compare methods": {
        "arena": (_arena, "Compare methods and settings over many topics, as SUITE.toml says."),
    },
    "A second reader": {
        "review-pack": (
            _readers,
            "Write a file in which a second reader decides and votes, blind to your decisions: papers and texts in use, no notes, no decisions, no ratings.",
        ),
        "merge": (
            _readers,
            "Join what a second reader decided in FILE, beside your own decisions; say how often you agree, and where not.",
        ),
    },
    "Take with you": {
        "export": (
            _sessions,
            "Export the proposal (md, tex: LaTeX, docx: Word, html: a web page with its appendix), its references (bib: BibTeX) or everything (json).",
        ),
        "copy": (_sessions, "Copy a session; the copy is a session of its own."),
        "rename": (_sessions, "Give a session another name."),
        "archive": (_sessions, "Archive a session, or with --back bring it back to the list."),
        "verify": (
            _sessions,
            "Check a session file: replay its log, compare its hashes, and report any problem.",
        ),
        "forget": (_sessions, "Delete a session and its copies permanently."),
    },
    "Papers": {
        "new-papers": (
            _papers,
            "Look for papers that are new since you looked, in session NAME or in all of them: those that cite papers of its chains, and what its questions and novelty reports search for.",
        ),
        "papers": (_papers, "Your own papers and PDFs, and the library that sessions share."),
    },
    "Other programs": {
        "mcp": (_mcp, "Let another program read sessions and propose; only you decide."),
    },
    "Set up": {
        "config": (_sessions, "Show and change settings."),
        "methods": (
            _sessions,
            "List the methods, built in and from installed packages, with the letters of their instances.",
        ),
        "vectors": (_sessions, "Compare papers by meaning as well as by words."),
        "doctor": (_sessions, "Check keys, services and storage; keys are never shown."),
        "where": (_sessions, "Show where sessions, library, settings and log are."),
    },
}
"""The commands as ``coi --help`` groups them: what imports the module of each, and the first
sentence of its help."""
COMMANDS = {name: row for section in SECTIONS.values() for name, row in section.items()}


class _Sections(click.Group):
    """Lists its commands under headings; a command is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        load, _ = COMMANDS[cmd_name]
        found = (one for one in vars(load()).values() if isinstance(one, click.Command))
        return next(one for one in found if one.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in COMMANDS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        hint = did_you_mean(args[0], COMMANDS, "`coi --help` lists them.")
        if (paths().sessions / f"{args[0]}.coi.db").exists():
            hint = f"Did you mean `coi --session {args[0]}`?"
        raise click.UsageError(f"There is no command {args[0]!r}. {hint}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        limit = formatter.width - 6 - width
        for heading, section in SECTIONS.items():
            lines = [
                (name.ljust(width), click.Command(name, help=about).get_short_help_str(limit))
                for name, (_, about) in section.items()
            ]
            with formatter.section(heading):
                formatter.write_dl(lines)


@click.group(
    cls=_Sections,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="coi")
@click.option("--session", "session_name", metavar="NAME", help="Open the app on this session.")
@flag("--last", help="Open the app on the session used last.")
@click.option(
    "--at",
    metavar="ADDRESS",
    default="",
    help="Start at this address, such as 1/idea; needs --session or --last.",
)
@click.pass_context
def cli(ctx: click.Context, session_name: str | None, last: bool, at: str) -> int:
    """Develop a research idea step by step; every step is stored.

    Without a command, the app opens. Everything works offline; set OPENAI_API_KEY or
    OPENAI_BASE_URL for a language model, and SEMANTIC_SCHOLAR_API_KEY for searches beyond the
    starter library.
    """
    if ctx.invoked_subcommand is None:
        first = _first(session_name, last)
        if at and not first:
            raise click.UsageError("--at needs a session: add --last or --session NAME.")
        return open_app(session=first, at=at)
    return DONE


def _first(name: str | None, last: bool) -> str | None:
    """The session to open the app on: the one that is named or was used last, else the only one of
    this folder. Raises UsageError for one that is not there."""
    from coi_tui.session.files import last_session, session_path

    if name:
        return str(session_path(paths(), name, existing=True))
    here = list(Path.cwd().glob("*.coi.db"))
    found = last_session(paths()) if last else here[0] if len(here) == 1 else None
    return str(found) if found else None


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. No traceback reaches the person; the log file
    has it."""
    try:
        result = cli.main(args=list(arguments), standalone_mode=False, prog_name="coi")
        return result if isinstance(result, int) else DONE
    except click.UsageError as error:
        message = sentence(error.format_message())
        if error.ctx and not message.endswith("?"):
            message += f" `{error.ctx.command_path} --help` shows how it is used."
        tell(message)
        return USAGE
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        tell("Interrupted; finished work is saved.")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  the last net: a sentence instead of a traceback
        return fail(error)


__all__ = ["cli", "main"]
