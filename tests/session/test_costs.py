"""What was spent, by task and model."""

from __future__ import annotations

from typing import Any

from coi_tui.model.entries import Call
from coi_tui.session.queries.history import cost_table


def call(number: int, step: str, usd: float | None = 0.01, **more: Any) -> Call:
    values = {"kind": "chat", "prompt_tokens": 1000, "completion_tokens": 100, "model_asked": "m"}
    return Call(id=number, key=f"k{number}", step=step, cost_usd=usd, **{**values, **more})


def test_steps_stand_in_the_order_of_their_calls_and_searches_cost_nothing() -> None:
    calls = [
        call(1, "idea"),
        call(2, "card"),
        call(3, "card", None),
        call(4, "card", 0.02, model_asked="n"),
        call(5, "candidates", kind="http"),
    ]
    assert cost_table(calls) == [
        ("idea", "m", "1", "1,000", "100", "$0.01"),
        ("card", "m", "2", "2,000", "200", "at least $0.01"),
        ("card", "n", "1", "1,000", "100", "$0.02"),
        ("total", "", "4", "4,000", "400", "at least $0.04"),
    ]
    assert cost_table([calls[-1]]) == []
