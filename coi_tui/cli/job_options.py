"""The options of every command that runs a plan; the command is given them as one ``options``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from coi_tui.cli.budget import LimitType
from coi_tui.cli.output import Target, json_option, out_option

if TYPE_CHECKING:
    from coi_tui.model.money import Limit

Command = TypeVar("Command", bound=Callable[..., Any])

_YES = click.option("--yes", "yes", is_flag=True, help="Approve the plan without asking.")
_BUDGET = click.option(
    "--budget",
    type=LimitType(),
    metavar="USD|TOKENS",
    help="Stop before a call that could exceed dollars (5) or tokens (200k-tokens).",
)


@dataclass(frozen=True)
class JobOptions:
    """How a plan is to be run. ``yes``: it is approved already."""

    yes: bool = False
    budget: Limit | None = None
    out: Target | None = None
    json_out: bool = False


def job_options(*, out: bool = False) -> Callable[[Command], Command]:
    """``--yes``, ``--budget`` and ``--json`` for a command, where wanted also ``--out``; it gets
    them as ``options``."""
    shown = [_YES, _BUDGET, *([out_option] if out else []), json_option]

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_options(
            *,
            yes: bool,
            budget: Limit | None,
            json_out: bool,
            out: Target | None = None,
            **said: Any,
        ) -> Any:
            return command(options=JobOptions(yes, budget, out, json_out), **said)

        decorated: Any = with_options
        for option in reversed(shown):
            decorated = option(decorated)
        return cast(Command, decorated)

    return decorate
