"""Tokens and money before and after a call.

The person's own price table wins; then the price data bundled with genai-prices, whose updater
(network) is never started. An unknown model has no price: None, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from coi_tui.config import LlmSettings, Price
from coi_tui.services.http.addresses import on_this_machine
from coi_tui.services.llm.drafter import DRAFTER_MODEL

CHARS_PER_TOKEN = 4


def estimate_tokens(chars: int) -> int:
    """Characters / 4, rounded up: the estimate before a call, and after one whose server sends no
    usage."""
    return -(-max(0, chars) // CHARS_PER_TOKEN)


def price_usd(
    model: str,
    prompt_tokens: int,
    completion_tokens: int,
    prices: Mapping[str, Price],
    *,
    base_url: str = "",
    cached_tokens: int = 0,
) -> float | None:
    """US dollars of one call, or None where the price is not known.

    ``base_url``, when given, says whose prices hold: the same model name on a local server has no
    price. ``cached_tokens``: how many of the prompt's tokens the server had kept; they cost less
    where their price is known.
    """
    if model == DRAFTER_MODEL:
        return 0.0
    own = prices.get(model)
    if own is not None:
        cached = own.input if own.cached is None else own.cached
        spent = (
            (prompt_tokens - cached_tokens) * own.input
            + cached_tokens * cached
            + completion_tokens * own.output
        )
        return spent / 1_000_000
    return _bundled(model, prompt_tokens, completion_tokens, cached_tokens, base_url)


def _bundled(
    model: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int, base_url: str
) -> float | None:
    if base_url and on_this_machine(
        base_url
    ):  # no list has prices for it, and the import would cost the start of every run
        return None
    from genai_prices import Usage, calc_price  # 50-120 ms, so only when a price is asked for

    usage = Usage(
        input_tokens=prompt_tokens, output_tokens=completion_tokens, cache_read_tokens=cached_tokens
    )
    try:
        if base_url:
            return float(calc_price(usage, model, provider_api_url=base_url).total_price)
        return float(calc_price(usage, model).total_price)
    except LookupError:
        return None


_NO_TEXT = re.compile(
    r"embed|whisper|transcri|tts|audio|realtime|live|image|dall-e|sora|moderation|rerank"
)
"""What the names of models that do not answer in text contain."""
MOST_OFFERED = 5


def offered(llm: LlmSettings, listed: Sequence[str]) -> str:
    """The models of a server whose names are nearest to those that are set, and the command that
    sets two of them; empty where none is listed."""
    from rapidfuzz import process

    texts = [name for name in listed if not _NO_TEXT.search(name.lower())]
    if not texts:
        return ""
    main, reader = (
        [found[0] for found in process.extract(name, texts, limit=MOST_OFFERED)]
        for name in (llm.main.model, llm.reader.model or llm.main.model)
    )
    apart = next((name for name in reader if name != main[0]), main[0])
    names = ", ".join(list(dict.fromkeys([main[0], apart, *main]))[:MOST_OFFERED])
    choice = f"coi config models {main[0]} {apart}"
    return f"It offers {names}. Take two of them for writing and reading, such as: {choice}."
