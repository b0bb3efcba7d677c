"""What the command line prints and where: texts on stdout, progress on stderr, errors in one
sentence, files by ``--out``."""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import logging
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, is_dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from coi_tui.model.errors import (
    FREE_SPACE,
    FULL,
    BudgetStop,
    CoiError,
    ConsentNeeded,
    UnknownAddress,
    UsageError,
    in_full,
    why_not_written,
)
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import PLAIN
from coi_tui.paths import make_file, make_folder, paths, write_files
from coi_tui.process import LogFormatter, log_threads_and_collector

if TYPE_CHECKING:
    from coi_tui.session.environment import Environment
    from coi_tui.session.session import Session


Command = TypeVar("Command", bound=Callable[..., Any])


def options(*several: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options, arguments or sets of them in one."""

    def decorate(command: Command) -> Command:
        for option in reversed(several):
            command = option(command)
        return command

    return decorate


flag = partial(click.option, is_flag=True)
"""An option that takes no value."""
a_path = click.Path(path_type=Path)


def prepare_streams() -> None:
    """Let stdout and stderr show a plain sign where their encoding lacks one."""
    codecs.register_error("plain", _plain_signs)
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, io.TextIOWrapper):  # None where it was closed
            out.reconfigure(errors="plain")


def _plain_signs(error: Any) -> tuple[str, int]:
    """A sign for the first that is lacking, so that nothing shifts on the screen."""
    plain = unicodedata.normalize("NFKD", error.object[error.start].translate(PLAIN))
    return plain.encode("ascii", "ignore").decode()[:1] or "?", error.start + 1


def say(text: str = "") -> None:
    """Print a text on stdout. Ends the program where its reader went away, which is its right.
    Raises CoiError where it cannot be written."""
    try:
        print(text, flush=True)  # noqa: T201  click would write UTF-8 where ASCII is asked for
    except OSError as error:
        _to_nowhere(sys.stdout)
        if isinstance(error, BrokenPipeError):
            sys.exit()
        why, hint = why_not_written(error)
        raise CoiError(f"The standard output cannot be written: {why}.", hint) from None


def say_part(heading: str, text: str) -> None:
    """Print a part of a document, after an empty line."""
    say(f"\n{heading}\n{text}" if heading else f"\n{text}")


def tell(text: str) -> None:
    """Print progress and remarks on stderr, so that a pipe gets only the text. Work goes on where
    nobody can read them."""
    try:
        print(text, file=sys.stderr, flush=True)  # noqa: T201
    except OSError:
        _to_nowhere(sys.stderr)


def _to_nowhere(stream: TextIO) -> None:
    """What is left of a stream that cannot be written, and all that comes, goes nowhere: Python
    writes it at its end, and would exit with an error of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def on_terminal(*streams: TextIO | None) -> bool:
    """Whether all of these standard streams are a terminal; one that was closed is None."""
    return all(stream and stream.isatty() for stream in streams)


def ask(question: str, nobody: str, no: str, hint: str = "") -> None:
    """Ask whether to do it. Raises ConsentNeeded, with the sentence ``nobody`` where nobody can be
    asked, and ``no`` where the answer is no."""
    if not on_terminal(sys.stdin):
        raise ConsentNeeded(nobody, "Pass --yes, or run it in a terminal.")
    if not answer(click.confirm, question, False, default=False, err=True):
        raise ConsentNeeded(no, hint)


def answer(prompt: Callable[..., Any], question: str, otherwise: Any, **how: Any) -> Any:
    """What a person types at a ``prompt`` of click; ``otherwise`` where they press ^c or ^d."""
    try:
        return prompt(question, **how)
    except click.Abort:
        tell("")  # the answer did not end its line
        return otherwise


def as_json(value: Any) -> None:
    """Print a value as JSON; dataclasses and models by their fields."""
    say(json.dumps(value, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def fail(error: BaseException) -> int:
    """Say what went wrong and return the exit code that fits."""
    if isinstance(error, OSError) and error.errno in FULL:  # such as click's help
        _to_nowhere(sys.stdout)
        error = CoiError("The output cannot be written: the disk is full.", FREE_SPACE)
    if isinstance(error, CoiError):
        tell(in_full(error))
        if isinstance(error, UsageError):
            return 2
        if isinstance(error, ConsentNeeded | BudgetStop):
            return 3
        return 1
    where = log_to_file()
    logging.getLogger("coi_tui").error("unexpected error", exc_info=error)
    tell(
        f"Unexpected error ({type(error).__name__}). Finished work is saved; details are in {where}."
    )
    return 1


def log_to_file() -> str:
    """Send the program's log to its file; returns the file's name, or says that there is none."""
    file = paths().log
    logger = logging.getLogger("coi_tui")
    if any(isinstance(h, logging.FileHandler) for h in logger.handlers):
        return str(file)
    try:
        make_folder(file.parent)
        make_file(file)
        handler = logging.FileHandler(file, encoding="utf-8")
    except OSError:
        logger.addHandler(logging.NullHandler())
        return "no file (the cache folder is not writable)"
    handler.setFormatter(LogFormatter())
    logger.addHandler(handler)
    logging.raiseExceptions = False  # on a full disk each line would take sixty on the screen
    logger.propagate = False
    return str(file)


def open_app(**how: Any) -> int:
    """Run the screens, with the log open; the exit code. Arguments as of ``run_app``. Raises
    UsageError where there is no terminal."""
    if not on_terminal(sys.stdin, sys.stderr):
        raise UsageError(
            "The app needs a terminal.", "Run it in one, or see `coi --help` for commands without."
        )
    from coi_tui.app import run_app

    log_to_file()
    log_threads_and_collector()
    return run_app(**how)


def environment() -> Environment:
    """Folders, settings and keys as they are set here."""
    from coi_tui.session.environment import Environment
    from coi_tui.session.settings import load_keys, load_settings

    found = paths()
    return Environment(found, load_settings(found.config_file), load_keys())


@contextlib.contextmanager
def opened(name: str, *, read_only: bool = False) -> Iterator[Session]:
    """An existing session, closed at the end. A read-only one says why."""
    from coi_tui.session.session import Session

    log_to_file()
    with Session.open(name, environment(), read_only=read_only) as session:
        if session.read_only_reason and not read_only:
            tell(f"Read-only: {session.read_only_reason}.")
        for notice in session.notices:
            tell(notice)
        yield session


@dataclass(frozen=True)
class OutputTarget:
    """Where a text goes: a path, or ``-`` for stdout. ``overwrite``: an existing file may be
    replaced."""

    path: str
    overwrite: bool = False


def _target(ctx: click.Context, _param: click.Parameter, path: str | None) -> OutputTarget | None:
    """The checked value of ``--out``, before anything is done: its folder must be there, and an
    existing file needs ``--overwrite``."""
    overwrite = bool(ctx.params.pop("overwrite", False))
    if path is None or path == "-":
        return OutputTarget(path) if path else None
    file = os.path.expanduser(path)
    folder = os.path.dirname(file) or "."
    if not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        raise UsageError(
            f"Files cannot be written to {folder}. Nothing was written.",
            "Create the folder, or choose another place.",
        )
    if os.path.isfile(file) and not overwrite:
        raise UsageError(
            f"{path} already exists. Nothing was written.",
            "Choose another name, or add --overwrite.",
        )
    return OutputTarget(path, overwrite)


out_option = options(
    click.option(
        "-o",
        "--out",
        type=click.Path(dir_okay=False),
        callback=_target,
        metavar="F",
        help="Write to this file (- for stdout).",
    ),
    flag("--overwrite", is_eager=True, help="Replace the file if it exists."),
)
"""``-o F``, ``--out F`` with ``--overwrite``; the command is given ``out``, an OutputTarget or None."""


def write_text(text: str | bytes, out: OutputTarget | None) -> None:
    """Write a text, or any content, to a file, or print it. Raises UsageError."""
    if out is None or out.path == "-":
        say(str(text).removesuffix("\n"))
        return
    path = Path(out.path).expanduser()
    write_files({path: text}, out.overwrite)
    tell(f"Written to {path.absolute()}")


def row_width() -> int:
    """Cells that a row of a list may take: those of the terminal; as many as it needs where there
    is none."""
    return shutil.get_terminal_size().columns if on_terminal(sys.stdout) else sys.maxsize


json_option = flag("--json", "json_out", help="Print JSON for programs.")


session_argument = click.argument("name")
"""The name of a session, or the path of its file."""


def check_order(name: str, address: str | None) -> None:
    """Raises UsageError where the address of a command stands before its session."""
    first, second = (paths().sessions / f"{one}.coi.db" for one in (name, address))
    if second.exists() and not first.exists():
        command = click.get_current_context().command_path
        raise UsageError(
            "The session comes before the address.",
            f"Did you mean `{command} {address} {name}`?",
        )


def resolved(session: Session, typed: str) -> str:
    """The address that a person typed. Raises UsageError and UnknownAddress with the one that was
    meant."""
    try:
        return session.resolve(typed)
    except (UsageError, UnknownAddress) as error:
        numbers = re.sub(r"\D", "", typed)  # of a place or branch that is not there none is meant
        rows = (row.address for row in session.rows())
        near = (one for one in rows if numbers in ("", re.sub(r"\D", "", one)))
        raise type(error)(error.message, did_you_mean(typed, near, error.hint)) from None


class Word(click.Choice[str]):
    """One of some words; of a wrong one that which was meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        hint = did_you_mean(str(value), self.choices, self.get_missing_message(value, ctx))
        return f"There is no {str(value)!r} here. {hint}"

    def get_missing_message(self, param: Any, ctx: click.Context | None) -> str:
        return f"It is one of {', '.join(self.choices)}."


def _with_session(read_only: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @session_argument
        @wraps(command)
        def run(name: str, **how: Any) -> Any:
            check_order(name, how.get("address"))
            with opened(name, read_only=read_only) as session:
                if how.get("address") is not None:
                    how["address"] = resolved(session, how["address"])
                return command(session, **how)

        return run

    return decorate


session_to_read, session_to_change = _with_session(True), _with_session(False)
"""``session_argument`` for a command that is given the session, open, and its address resolved."""

address_argument = click.argument("address")
"""An address of the session, such as ``1/idea``."""
address_if_given = click.argument("address", required=False)
yes_option = flag("--yes", help="Approve without asking.")
reason_option = click.option("--reason", default="", help="Why; recorded in the log.")
