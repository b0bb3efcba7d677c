"""Money in words: dollars where every price is known, and *cost unknown* where one is not.
Unknown is never nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.model.errors import UsageError

if TYPE_CHECKING:
    from coi_tui.model.entries import (
        Call,
    )  # it takes pydantic along, for which the first frame does not wait

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

Range = tuple[float, float]
"""Dollars that work may cost, from the least to the most."""
FREE: Range = (0.0, 0.0)


def in_words(usd: Range | None) -> str:
    """``$0.25-0.71``, ``free``, or ``cost unknown``."""
    if usd is None:
        return UNKNOWN
    low, high = usd
    if not high:
        return "free"
    return dollars(high) if amount(low) == amount(high) else f"{dollars(low)}-{amount(high)}"


def amount(usd: float) -> str:
    """``0.42``; below a cent the first two digits that are not zero, so that only nothing is
    ``0.00``."""
    return (
        f"{usd:.{1 - math.floor(math.log10(usd))}f}".rstrip("0") if 0 < usd < 0.01 else f"{usd:.2f}"
    )


def dollars(usd: float) -> str:
    """``$0.42``, ``$0.001``; ``$0.00`` for nothing."""
    return f"${amount(usd)}"


_TOKENS = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)[\s-]*tok(?:ens?)?", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True)
class Limit:
    """The most that may be spent, in dollars or in tokens of prompts and replies; None for no limit
    of that kind."""

    usd: float | None = None
    tokens: int | None = None

    @classmethod
    def read(cls, text: str) -> Limit:
        """``5``, ``$0.50``, ``200k tokens``, ``1.5M-tokens``; no limit from an empty text. Raises
        UsageError for anything else."""
        given = text.strip()
        if not given:
            return cls()
        if found := _TOKENS.fullmatch(given):
            return cls(tokens=round(float(found[1]) * _FACTORS[found[2].lower()]))
        try:
            usd = float(given.removeprefix("$"))
        except ValueError:
            usd = math.nan
        if not (math.isfinite(usd) and usd >= 0):
            near = (
                f"{given}-tokens" if _TOKENS.fullmatch(f"{given}tok") else given.replace(",", ".")
            )
            typed = re.fullmatch(r"\$?\d+(\.\d\d?)?|\d.*-tokens", near)
            known = "Give dollars such as 5 or 0.50, or tokens such as 200k-tokens."
            raise UsageError(
                f"{given[:20]!r} is no budget.", f"Did you mean {near}?" if typed else known
            )
        return cls(usd=usd)

    def within(self, other: Limit) -> Limit:
        """The stricter of two limits, kind by kind."""
        usd = [n for n in (self.usd, other.usd) if n is not None]
        tokens = [n for n in (self.tokens, other.tokens) if n is not None]
        return Limit(min(usd, default=None), min(tokens, default=None))

    def less(self, usd: float, tokens: int) -> Limit:
        """What is left of it after so much was spent; never less than nothing."""
        return Limit(
            None if self.usd is None else max(0.0, self.usd - usd),
            None if self.tokens is None else max(0, self.tokens - tokens),
        )

    @property
    def typed(self) -> str:
        """As a person would type it; empty for no limit."""
        return (
            f"{self.tokens} tokens"
            if self.tokens is not None
            else f"{self.usd:g}"
            if self.usd is not None
            else ""
        )

    def __bool__(self) -> bool:
        return self.usd is not None or self.tokens is not None

    def __str__(self) -> str:
        """``$5.00``, ``200,000 tokens``, ``no limit``."""
        limits = [
            *([dollars(self.usd)] if self.usd is not None else []),
            *([f"{self.tokens:,} tokens"] if self.tokens is not None else []),
        ]
        return " and ".join(limits) or "no limit"
