"""The command line: arguments in, a session call, text out. Nothing heavy is imported until a command needs it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from coi_tui import __version__
from coi_tui.cli.bundle import bug_bundle
from coi_tui.cli.config import config
from coi_tui.cli.criteria import criteria
from coi_tui.cli.decide import attach, decide, edit, redo, undo
from coi_tui.cli.keys import keys
from coi_tui.cli.library import forget, library
from coi_tui.cli.look import log, ls, show, verify, why
from coi_tui.cli.output import fail
from coi_tui.cli.queue import queue
from coi_tui.cli.run import demo, refresh, resume
from coi_tui.cli.run import run as run_command
from coi_tui.cli.sources import sources
from coi_tui.cli.system import doctor, export, where

DONE, FAILED, USAGE, CONSENT, INTERRUPTED = 0, 1, 2, 3, 130


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="coi")
@click.option("--session", "session_name", metavar="NAME", help="Open the app on this session.")
@click.option("--last", is_flag=True, help="Open the app on the session used last.")
@click.option("--at", "at", metavar="ADDRESS", default="", help="Begin at this address, such as 1/idea; with --session or --last.")
@click.pass_context
def cli(ctx: click.Context, session_name: str | None, last: bool, at: str) -> int:
    """Steer the making of a research idea, step by step, and keep every step.

    Without a command the app opens. Everything works offline; set OPENAI_API_KEY or OPENAI_BASE_URL for a language model, and
    SEMANTIC_SCHOLAR_API_KEY for the literature at large.
    """
    if ctx.invoked_subcommand is None:
        from coi_tui.app import run_app

        if at and not (last or session_name):
            raise click.UsageError("--at needs a session: give --last or --session NAME with it.")
        return run_app(session=_last() if last else session_name, at=at)
    return DONE


def _last() -> str | None:
    from coi_tui.paths import paths
    from coi_tui.store.summary import list_sessions

    found = list_sessions(paths().sessions)
    return found[0].name if found else None


for command in (
    demo,
    run_command,
    resume,
    ls,
    show,
    why,
    log,
    decide,
    edit,
    attach,
    criteria,
    sources,
    undo,
    redo,
    refresh,
    queue,
    verify,
    export,
    doctor,
    where,
    library,
    forget,
    config,
    keys,
    bug_bundle,
):
    cli.add_command(command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code. No traceback reaches the person; the log file has it."""
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
        click.echo("Interrupted; what is finished is kept.", err=True)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away, which is its right
        return DONE
    except Exception as error:  # noqa: BLE001  the last net: a sentence instead of a traceback
        return fail(error)


__all__ = ["cli", "run"]
