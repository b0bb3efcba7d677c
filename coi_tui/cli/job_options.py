"""The options of every command that runs a plan; the command is given them as one ``options``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from coi_tui.cli.output import Target, json_option, out_option
from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.model.money import Limit

Command = TypeVar("Command", bound=Callable[..., Any])


class LimitType(click.ParamType["Limit"]):
    """``5``, ``$0.50``, ``200k-tokens``, ``1.5M-tokens``."""

    name = "budget"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Limit:
        from coi_tui.model.money import Limit  # not for the help

        if isinstance(value, Limit):
            return value
        try:
            limit = Limit.read(str(value))
        except UsageError as error:
            self.fail(str(error), param, ctx)
        if not limit:
            self.fail(
                "A budget is missing: give dollars such as 5 or 0.50, or tokens such as 200k-tokens.",
                param,
                ctx,
            )
        return limit


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
