"""``--budget``: dollars or tokens, and the question where a budget in dollars cannot be kept."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session

_TOKENS = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)[\s-]*tok(?:ens?)?", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True)
class Limit:
    """The most that a job may spend, in dollars or in tokens of prompts and replies; None for no limit of that kind."""

    usd: float | None = None
    tokens: int | None = None


class LimitType(click.ParamType[Limit]):
    """``5``, ``$0.50``, ``200k-tokens``, ``1.5M-tokens``."""

    name = "budget"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Limit:
        if isinstance(value, Limit):
            return value
        said = str(value).strip()
        if found := _TOKENS.fullmatch(said):
            return Limit(tokens=round(float(found[1]) * _FACTORS[found[2].lower()]))
        try:
            usd = float(said.removeprefix("$"))
        except ValueError:
            usd = math.nan
        if not (math.isfinite(usd) and usd >= 0):
            self.fail(f"{said[:20]!r} is no budget: give dollars such as 5 or 0.50, or tokens such as 200k-tokens.", param, ctx)
        return Limit(usd=usd)


def without_dollars(session: Session, plan: Plan, limit: Limit) -> bool:
    """Whether to run without a limit in dollars: a person said so, or gave one in tokens. False where that question does not come up.

    Raises ConsentNeeded where the cost is unknown, a budget in dollars is set, and nobody is there to ask, or the answer is no.
    """
    from coi_tui.model.errors import ConsentNeeded

    why = session.planner.unkept_cap(plan, limit.usd)
    if not why or limit.tokens is not None:
        return bool(why)
    if not sys.stdin.isatty():
        raise ConsentNeeded(why, "Give the budget in tokens, such as --budget 200k-tokens, or set the model's price (llm.prices).")
    if not click.confirm(f"{why} Run it without a limit in dollars?", default=False, err=True):
        raise ConsentNeeded("Nothing was run.", "`coi resume` shows the plan again; --budget 200k-tokens limits it in tokens.")
    return True
