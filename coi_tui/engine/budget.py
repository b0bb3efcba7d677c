"""The hard cap: checked before each paid call with that call's upper estimate."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

from coi_tui.model.errors import BudgetStop
from coi_tui.model.money import Limit, dollars

NO_LIMIT = Limit()


@dataclass(frozen=True)
class CostCeiling:
    """What one call may take at most. ``usd`` None: no price is known."""

    usd: float | None = None
    tokens: int = 0


class Budget:
    """What may be spent in one job: dollars, tokens of prompt and reply, calls of models; None
    means no cap.

    A cap in dollars cannot be kept where no price is known. There no call is made, unless a cap in
    tokens holds as well. ``left``: what is left of the budgets of the session and of the settings, which hold beside
    those of the job.
    """

    def __init__(
        self,
        usd: float | None = None,
        calls: int | None = None,
        tokens: int | None = None,
        *,
        left: Limit = NO_LIMIT,
    ) -> None:
        limit = Limit(usd, tokens).within(left)
        self.usd, self.calls, self.tokens, self.left = limit.usd, calls, limit.tokens, left
        self.spent_usd = 0.0
        self.spent_calls = self.spent_tokens = 0
        self._held_usd = 0.0
        self._held_calls = self._held_tokens = 0
        self._settled = asyncio.Event()

    async def hold(self, upper: CostCeiling) -> None:
        """Reserve a call's upper estimate, if need be once other reservations have settled.

        Raises BudgetStop, and reserves nothing, when it would pass a cap whatever they come to.
        """
        while self._stop(upper, self._held_usd, self._held_tokens, self._held_calls) is not None:
            if (stop := self._stop(upper)) is not None:
                raise stop
            await self._settled.wait()
        self._held_usd += upper.usd or 0.0
        self._held_tokens += upper.tokens
        self._held_calls += 1

    def _stop(
        self, upper: CostCeiling, usd: float = 0.0, tokens: int = 0, calls: int = 0
    ) -> BudgetStop | None:
        """Why a call may not be made beside reservations of so much; None where it may."""
        if self.usd is not None and upper.usd is None and self.tokens is None:
            return BudgetStop(
                f"The cost of the next call is unknown, so the budget of {dollars(self.usd)} cannot be kept.",
                "Give the budget in tokens (--budget 200k-tokens), or set the model's price under llm.prices.",
            )
        needed_usd, needed_tokens = (
            self.spent_usd + usd + (upper.usd or 0.0),
            self.spent_tokens + tokens + upper.tokens,
        )
        if self.usd is not None and needed_usd > self.usd + 1e-9:
            spent = f"spent {dollars(self.spent_usd)}, next up to {dollars(upper.usd or 0.0)}"
            option = f"{math.ceil(needed_usd * 1000) / 1000:g}"
            return _passed(
                f"The budget of {dollars(self.usd)}",
                spent,
                "" if self.usd == self.left.usd else option,
            )
        if self.tokens is not None and needed_tokens > self.tokens:
            spent = f"used {self.spent_tokens:,}, next up to {upper.tokens:,}"
            option = f"{needed_tokens}-tokens"
            return _passed(
                f"The budget of {self.tokens:,} tokens",
                spent,
                "" if self.tokens == self.left.tokens else option,
            )
        if self.calls is not None and self.spent_calls + calls + 1 > self.calls:
            return BudgetStop(
                f"The plan's limit of {self.calls} model calls is reached.",
                "A new plan goes on; what is finished is kept.",
            )
        return None

    def settle(
        self, upper: CostCeiling, cost_usd: float | None, tokens: int, *, happened: bool
    ) -> None:
        """Turn a reservation into what was really spent."""
        self._held_usd -= upper.usd or 0.0
        self._held_tokens -= upper.tokens
        self._held_calls -= 1
        if happened:
            self.spent_usd += cost_usd or 0.0
            self.spent_tokens += tokens
            self.spent_calls += 1
        if not self._held_calls:
            self._held_usd = 0.0  # no rest of rounding that a call would wait for
        self._settled.set()
        self._settled = asyncio.Event()


def _passed(budget: str, spent: str, option: str) -> BudgetStop:
    """``option``: what ``--budget`` has to allow at least; empty where it is not what holds the job
    back."""
    of_session = "Raise the budget of the session (in the app: “cost” in the list of commands, then b) or budget_usd"
    raised = f"Allow at least --budget {option}" if option else of_session
    return BudgetStop(
        f"{budget} would be passed by the next call ({spent}).",
        f"{raised}; what is finished is kept.",
        option,
    )
