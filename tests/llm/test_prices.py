"""Tokens before a call, and money."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.config import Price
from coi_tui.llm.prices import estimate_tokens, price_usd, upper_usd


@given(st.integers(0, 10**7))
def test_tokens_are_a_quarter_of_the_characters(chars: int) -> None:
    assert estimate_tokens(chars) == math.ceil(chars / 4)


def test_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"gpt-4o": Price(input=1.0, output=2.0), "local": Price(input=0.0, output=0.0)}
    assert price_usd("gpt-4o", 1_000_000, 500_000, own) == pytest.approx(2.0)
    assert price_usd("local", 9, 9, own) == 0.0
    assert price_usd("drafter", 9, 9, {}) == 0.0
    assert price_usd("no-such-model-at-all", 9, 9, {}) is None
    bundled = price_usd("gpt-4o", 1_000_000, 1_000_000, {})
    assert bundled is not None
    assert bundled > 0
    assert price_usd("gpt-4o", 1, 1, {}, base_url="http://localhost:11434/v1") is None
    assert price_usd("gpt-4o", 1_000_000, 1_000_000, {}, base_url="https://api.openai.com/v1") == bundled
    assert upper_usd("gpt-4o", 4_000_001, 0, own) == pytest.approx(1.000001)
    assert upper_usd("no-such-model-at-all", 1, 1, {}) is None


def test_cached_tokens_cost_what_their_price_says() -> None:
    full, cached = (price_usd("gpt-4o", 1_000_000, 0, {}, cached_tokens=n) for n in (0, 1_000_000))
    assert full is not None
    assert cached == pytest.approx(full / 2)
    own = {"mine": Price(input=4.0, output=2.0, cached=1.0), "flat": Price(input=4.0, output=0.0)}
    assert price_usd("mine", 1_000_000, 1_000_000, own, cached_tokens=500_000) == pytest.approx(2.0 + 0.5 + 2.0)
    assert price_usd("flat", 1_000_000, 0, own, cached_tokens=500_000) == pytest.approx(4.0)
