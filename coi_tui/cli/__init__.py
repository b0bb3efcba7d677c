"""The command line: arguments in, a session call, text out. Nothing heavy is imported until a
command needs it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from coi_tui import __version__
from coi_tui.cli.arena import arena
from coi_tui.cli.decide import attach, decide, edit, redo, undo, vote
from coi_tui.cli.output import fail, open_app
from coi_tui.cli.papers import papers
from coi_tui.cli.run import ask, demo, ideas, new, refresh, resume
from coi_tui.cli.run import run as run_command
from coi_tui.cli.sessions import (
    config,
    doctor,
    export,
    forget,
    import_,
    ls,
    methods,
    vectors,
    verify,
    where,
)
from coi_tui.cli.show import diff, history, log, show, why
from coi_tui.cli.sketches import more, rank, sketches, work_out
from coi_tui.paths import paths
from coi_tui.store.summary import list_sessions

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


SECTIONS = {
    "Begin and go on": (demo, new, run_command, resume, ls, import_),
    "Look": (show, why, history, diff, log),
    "Decide": (decide, edit, undo, redo, attach),
    "Make again or check": (ask, refresh, ideas),
    "Compare methods": (arena,),
    "Take with you": (export, verify, forget),
    "Papers": (papers,),
    "Set up": (config, methods, vectors, doctor, where),
}
"""The commands as ``coi --help`` groups them."""


class _Sections(click.Group):
    """Lists its commands under headings."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(str(command.name)) for section in SECTIONS.values() for command in section)
        for heading, section in SECTIONS.items():
            with formatter.section(heading):
                limit = formatter.width - 6 - width
                formatter.write_dl(
                    [
                        (str(command.name).ljust(width), command.get_short_help_str(limit))
                        for command in section
                    ]
                )


@click.group(
    cls=_Sections,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="coi")
@click.option("--session", "session_name", metavar="NAME", help="Open the app on this session.")
@click.option("--last", is_flag=True, help="Open the app on the session used last.")
@click.option(
    "--at",
    "at",
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
        if at and not (last or session_name):
            raise click.UsageError("--at needs a session: add --last or --session NAME.")
        return open_app(session=_last() if last else session_name, at=at)
    return DONE


def _last() -> str | None:
    found = list_sessions(paths().sessions)
    return found[0].name if found else None


for section in SECTIONS.values():
    for command in section:
        cli.add_command(command)
for command in (vote, sketches, more, rank, work_out):
    ideas.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. No traceback reaches the person; the log file
    has it."""
    try:
        result = cli.main(args=list(arguments), standalone_mode=False, prog_name="coi")
        return result if isinstance(result, int) else DONE
    except click.UsageError as error:
        error.show()
        return USAGE
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted; finished work is saved.", err=True)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away, which is its right
        return DONE
    except Exception as error:  # noqa: BLE001  the last net: a sentence instead of a traceback
        return fail(error)


__all__ = ["cli", "run"]
