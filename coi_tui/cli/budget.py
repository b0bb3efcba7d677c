"""``--budget``: dollars or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.model.money import Limit


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
