"""The hard cap: checked before each paid call with that call's upper estimate."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.model.errors import BudgetStop
from coi_tui.model.money import dollars


@dataclass(frozen=True)
class Upper:
    """What one call may take at most. ``usd`` None: no price is known."""

    usd: float | None = None
    tokens: int = 0


class Budget:
    """What may be spent in one job: dollars, tokens of prompt and reply, calls of models; None means no cap.

    A cap in dollars cannot be kept where no price is known. There no call is made, unless a person said so: ``unpriced``.
    """

    def __init__(
        self, usd: float | None = None, calls: int | None = None, tokens: int | None = None, *, unpriced: bool = False
    ) -> None:  # fmt: skip
        self.usd, self.calls, self.tokens, self.unpriced = usd, calls, tokens, unpriced
        self.spent_usd = 0.0
        self.spent_calls = self.spent_tokens = 0
        self._held_usd = 0.0
        self._held_calls = self._held_tokens = 0

    def hold(self, upper: Upper) -> None:
        """Reserve a call's upper estimate. Raises BudgetStop, and reserves nothing, when it would pass a cap."""
        self._check_usd(upper.usd)
        if self.tokens is not None and self.spent_tokens + self._held_tokens + upper.tokens > self.tokens:
            raise BudgetStop(
                f"The budget of {self.tokens:,} tokens would be passed by the next call"
                f" (used {self.spent_tokens:,}, next up to {upper.tokens:,}).",
                "Raise it (--budget, or the cap of the session or of the settings); what is finished is kept.",
            )
        if self.calls is not None and self.spent_calls + self._held_calls + 1 > self.calls:
            raise BudgetStop(
                f"The plan's limit of {self.calls} model calls is reached.", "Approve a new plan to go on; what is finished is kept."
            )
        self._held_usd += upper.usd or 0.0
        self._held_tokens += upper.tokens
        self._held_calls += 1

    def _check_usd(self, usd: float | None) -> None:
        if self.usd is None:
            return
        if usd is None and not self.unpriced:
            raise BudgetStop(
                f"The cost of the next call is unknown, so the budget of {dollars(self.usd)} cannot be kept.",
                "Give the budget in tokens (--budget 200k-tokens), or set the model's price under llm.prices.",
            )
        upper = usd or 0.0
        if self.spent_usd + self._held_usd + upper > self.usd + 1e-9:
            raise BudgetStop(
                f"The budget of {dollars(self.usd)} would be passed by the next call"
                f" (spent {dollars(self.spent_usd)}, next up to {dollars(upper)}).",
                "Raise it (--budget, or the cap of the session or of the settings); what is finished is kept.",
            )

    def settle(self, upper: Upper, cost_usd: float | None, tokens: int, *, happened: bool) -> None:
        """Turn a reservation into what was really spent."""
        self._held_usd -= upper.usd or 0.0
        self._held_tokens -= upper.tokens
        self._held_calls -= 1
        if happened:
            self.spent_usd += cost_usd or 0.0
            self.spent_tokens += tokens
            self.spent_calls += 1
