"""Names of sessions, addresses and keys of settings as arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def session_argument(command: Command) -> Command:
    """The name of a session, or a beginning of it that fits no other."""
    return click.argument("name")(command)


def address_argument(
    name: str = "address", *, required: bool = True
) -> Callable[[Command], Command]:
    """An address of the session, such as ``1/idea``."""
    return click.argument(name, required=required)
