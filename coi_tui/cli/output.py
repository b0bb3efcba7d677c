"""How the command line speaks: texts on stdout, progress on stderr, errors in one sentence."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.paths import Paths
    from coi_tui.session.session import Session


def say(text: str = "") -> None:
    click.echo(text)


def tell(text: str) -> None:
    """Progress and remarks: on stderr, so that a pipe gets the text alone."""
    click.echo(text, err=True)


def as_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def fail(error: BaseException) -> int:
    """Say what went wrong and return the exit code that fits."""
    from coi_tui.model.errors import BudgetStop, CoiError, ConsentNeeded, UsageError

    if isinstance(error, CoiError):
        tell(str(error))
        if isinstance(error, UsageError):
            return 2
        if isinstance(error, ConsentNeeded | BudgetStop):
            return 3
        return 1
    where = log_to_file()
    logging.getLogger("coi_tui").error("unexpected error", exc_info=error)
    tell(f"Something unexpected went wrong ({type(error).__name__}). Nothing finished is lost; details are in {where}.")
    return 1


def log_to_file() -> str:
    """Send the program's log to its file; returns the file's name, or says that there is none."""
    from coi_tui.paths import paths

    file = paths().log
    logger = logging.getLogger("coi_tui")
    if any(isinstance(h, logging.FileHandler) for h in logger.handlers):
        return str(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(file, encoding="utf-8")
    except OSError:
        logger.addHandler(logging.NullHandler())
        return "no file (the cache folder cannot be written)"
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger.addHandler(handler)
    logger.propagate = False
    return str(file)


def settings() -> tuple[Paths, Settings, Keys]:
    """Paths, settings and keys of this environment."""
    from coi_tui.config import load_keys, load_settings
    from coi_tui.paths import paths

    found = paths()
    return found, load_settings(found.config_file), load_keys()


@contextlib.contextmanager
def opened(name: str, *, read_only: bool = False) -> Iterator[Session]:
    """An existing session, closed at the end. A read-only one says why."""
    from coi_tui.session.session import Session

    log_to_file()
    found, config, keys = settings()
    with Session.open(name, paths=found, settings=config, keys=keys, read_only=read_only) as session:
        if session.read_only_reason and not read_only:
            tell(f"Read-only: {session.read_only_reason}.")
        yield session


json_option = click.option("--json", "json_out", is_flag=True, help="Print JSON for programs.")
