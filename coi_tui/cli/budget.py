"""``--budget``: dollars or tokens, and the question where a budget in dollars cannot be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from coi_tui.cli.output import ask
from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.model.money import Limit
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


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


def no_limit() -> Limit:
    """No limit of any kind."""
    from coi_tui.model.money import Limit

    return Limit()


def without_dollars(session: Session, plan: Plan, limit: Limit) -> bool:
    """Whether to run without a limit in dollars: a person said so, or there is one in tokens. False where that question does not come up.

    Raises ConsentNeeded where the cost is unknown, a budget in dollars is set, and nobody is there to ask, or the answer is no.
    """
    from coi_tui.model.errors import ConsentNeeded

    why = session.planner.unkept_cap(plan, limit.usd)
    if not why or limit.within(session.core.cap()).tokens is not None:
        return bool(why)
    nobody = ConsentNeeded(
        why,
        "Give the budget in tokens, such as --budget 200k-tokens, or set the model's price (llm.prices).",
    )
    no = ConsentNeeded(
        "Nothing was run.",
        "`coi resume` shows the plan again; --budget 200k-tokens limits it in tokens.",
    )
    ask(f"{why} Run it without a limit in dollars?", nobody=nobody, no=no)
    return True
