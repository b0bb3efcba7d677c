"""Money as it is told: dollars where every price is known, and *cost unknown* where one is not. Unknown is never nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coi_tui.model.calls import Call  # it takes pydantic along, for which the first frame does not wait

UNKNOWN = "cost unknown"
ASKING = ("chat", "embed")
"""Kinds of calls that models answer, and that may cost money."""


@dataclass(frozen=True)
class Money:
    """What calls have cost: ``usd`` of those with a known price, and how many had none."""

    usd: float = 0.0
    unpriced: int = 0

    @classmethod
    def of(cls, calls: Iterable[Call]) -> Money:
        """The cost of calls of models; others have no price by their nature."""
        asked = [call.cost_usd for call in calls if call.kind in ASKING]
        return cls(sum(usd for usd in asked if usd is not None), sum(usd is None for usd in asked))

    @classmethod
    def of_summary(cls, summary: Mapping[str, Any]) -> Money:
        """What a session has cost by its summary; that of an older version does not tell of calls without a price."""
        known = summary.get("known_usd", summary.get("spent_usd"))
        return cls(float(known or 0.0), int(summary.get("calls_without_price") or 0))

    @property
    def total(self) -> float | None:
        """Dollars of all of them; None where a price is not known."""
        return None if self.unpriced else self.usd

    def __add__(self, other: Money) -> Money:
        return Money(self.usd + other.usd, self.unpriced + other.unpriced)

    def __str__(self) -> str:
        if not self.unpriced:
            return dollars(self.usd)
        return f"at least {dollars(self.usd)}" if self.usd > 0 else UNKNOWN


NOTHING = Money()

SPREAD = 1.7
"""An estimate's range is from the expected cost divided by this to that times this: within a factor of three. ``benchmarks.estimates``
measures how many runs end inside it."""


@dataclass(frozen=True)
class Estimate:
    """What work is expected to cost, and the most that its steps may take before a job stops, in dollars."""

    expected: float = 0.0
    most: float = 0.0

    @property
    def range(self) -> tuple[float, float]:
        """Where nine of ten runs should end."""
        return (self.expected / SPREAD, min(self.most, self.expected * SPREAD))

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(self.expected + other.expected, self.most + other.most)

    @property
    def middle(self) -> str:
        """``about $0.42``, or ``free``."""
        return f"about {dollars(self.expected)}" if self.most > 0 else "free"

    def __str__(self) -> str:
        """``about $0.42 ($0.25-0.71)``; without a range below a cent, where nobody decides by it."""
        low, high = self.range
        return f"{self.middle} (${low:.2f}-{high:.2f})" if high >= 0.01 else self.middle


FREE = Estimate()


def dollars(usd: float) -> str:
    """``$0.00`` for nothing, four digits below a cent."""
    return f"${usd:.4f}" if 0 < usd < 0.01 else f"${usd:.2f}"
