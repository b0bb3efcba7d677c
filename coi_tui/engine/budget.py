"""The hard cap: checked before each paid call with that call's upper estimate."""

from __future__ import annotations

from coi_tui.model.errors import BudgetStop


class Budget:
    """What may be spent in one job. ``usd`` None means no cap in money; ``calls`` None none in number.

    Where no price is known a call counts only as a call.
    """

    def __init__(self, usd: float | None = None, calls: int | None = None) -> None:
        self.usd = usd
        self.calls = calls
        self.spent_usd = 0.0
        self.spent_calls = 0
        self._held_usd = 0.0
        self._held_calls = 0

    def hold(self, upper_usd: float | None) -> None:
        """Reserve a call's upper estimate. Raises BudgetStop, and reserves nothing, when it would pass the cap."""
        upper = upper_usd or 0.0
        if self.usd is not None and self.spent_usd + self._held_usd + upper > self.usd + 1e-9:
            raise BudgetStop(
                f"The budget of {_usd(self.usd)} would be passed by the next call"
                f" (spent {_usd(self.spent_usd)}, next up to {_usd(upper)}).",
                "Raise it with --budget; what is finished is kept.",
            )
        if self.calls is not None and self.spent_calls + self._held_calls + 1 > self.calls:
            raise BudgetStop(
                f"The plan's limit of {self.calls} model calls is reached.", "Approve a new plan to go on; what is finished is kept."
            )
        self._held_usd += upper
        self._held_calls += 1

    def settle(self, upper_usd: float | None, cost_usd: float | None, *, happened: bool) -> None:
        """Turn a reservation into what was really spent."""
        self._held_usd -= upper_usd or 0.0
        self._held_calls -= 1
        if happened:
            self.spent_usd += cost_usd or 0.0
            self.spent_calls += 1


def _usd(amount: float) -> str:
    """Cents as a person writes them; below one cent, as far as it takes to see something."""
    return f"${amount:.2f}" if amount >= 0.01 or amount == 0 else f"${amount:.4f}"
