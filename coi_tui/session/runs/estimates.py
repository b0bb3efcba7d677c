"""What steps will cost: the tokens that they declare, at the prices of now."""

from __future__ import annotations

from coi_tui.engine.steps import Cost
from coi_tui.llm.types import model_name
from coi_tui.model.money import FREE, Range
from coi_tui.session.core import SessionCore


def price(core: SessionCore, cost: Cost) -> Range | None:
    """Dollars from the least to the most; None where no price is known."""
    if not (cost.calls[1] and core.uses_model):
        return FREE
    low, high = (
        _usd(core, model_name(core.settings.llm, cost.role), *tokens)
        for tokens in zip(cost.prompt_tokens, cost.reply_tokens, strict=True)
    )
    return None if low is None or high is None else (low, high)


def _usd(core: SessionCore, model: str, prompt: int, reply: int) -> float | None:
    from coi_tui.llm.prices import price_usd

    llm = core.settings.llm
    return price_usd(model, prompt, reply, llm.prices, base_url=llm.base_url)
