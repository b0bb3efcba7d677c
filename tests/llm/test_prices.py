"""Tokens before a call, and money."""

from __future__ import annotations

import pytest

from coi_tui.config import LlmSettings, Price
from coi_tui.services.llm.chat import offered, price_usd, reasons_itself
from coi_tui.services.llm.servers import OPENAI_URL


def test_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"gpt-4o": Price(input=1.0, output=2.0), "local": Price(input=0.0, output=0.0)}
    assert price_usd("gpt-4o", 1_000_000, 500_000, own) == pytest.approx(2.0)
    assert price_usd("local", 9, 9, own) == 0.0
    assert price_usd("no-such-model-at-all", 9, 9, {}) is None
    bundled = price_usd("gpt-4o", 1_000_000, 1_000_000, {})
    assert bundled is not None
    assert bundled > 0
    assert price_usd("gpt-4o", 1, 1, {}, base_url="http://localhost:11434/v1") is None
    assert (
        price_usd("gpt-4o", 1_000_000, 1_000_000, {}, base_url="https://api.openai.com/v1")
        == bundled
    )


def test_cached_tokens_cost_what_their_price_says() -> None:
    full, cached = (price_usd("gpt-4o", 1_000_000, 0, {}, cached_tokens=n) for n in (0, 1_000_000))
    assert full is not None
    assert cached == pytest.approx(full / 2)
    own = {"mine": Price(input=4.0, output=2.0, cached=1.0), "flat": Price(input=4.0, output=0.0)}
    assert price_usd("mine", 1_000_000, 1_000_000, own, cached_tokens=500_000) == pytest.approx(
        2.0 + 0.5 + 2.0
    )
    assert price_usd("flat", 1_000_000, 0, own, cached_tokens=500_000) == pytest.approx(4.0)


def test_the_default_models_are_a_pair_of_the_newest_generation_with_known_prices() -> None:
    """Whoever brings in a price table with a newer pair decides whether to move: see
    ``coi_tui.config.WRITER``."""
    llm = LlmSettings()
    writer, reader = (
        price_usd(role.model, 1_000, 1_000, {}, base_url=OPENAI_URL)
        for role in (llm.main, llm.reader)
    )
    assert writer is not None
    assert reader is not None
    assert reader < writer / 4
    assert all(reasons_itself(role.model) for role in (llm.main, llm.reader))


def test_models_that_write_no_text_are_not_offered() -> None:
    llm = LlmSettings(base_url=OPENAI_URL)
    assert "whisper" not in offered(llm, ["gpt-4o", "whisper-1", "text-embedding-3-small"])
    assert offered(llm, ["gpt-4o", "gpt-4o-mini"]).endswith("coi config models gpt-4o gpt-4o-mini.")
    assert offered(llm, []) == ""
