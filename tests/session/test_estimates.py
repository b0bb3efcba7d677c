"""What a plan says that it will cost: calls times price, from the least to the most."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.engine.declarations import Cost, Span
from coi_tui.model.entries import Call
from coi_tui.model.money import dollars, in_words
from coi_tui.session.queries.history import cost_table
from coi_tui.session.runs.plans import PlanLine, takes, usual
from tests.support.desk import copy_of


def test_a_range_in_words() -> None:
    said = [in_words(usd) for usd in ((0.251, 0.71), (0.0, 0.008), (0.5, 0.501), (0.0, 0.0), None)]
    assert said == ["$0.25-0.71", "$0.00-0.008", "$0.50", "free", "cost unknown"]


def test_what_is_not_nothing_is_not_shown_as_nothing() -> None:
    told = {
        0.0: "$0.00",
        0.0000234: "$0.000023",
        0.001: "$0.001",
        0.00042: "$0.00042",
        0.009999: "$0.01",
        0.42: "$0.42",
        12.0: "$12.00",
    }
    assert {usd: dollars(usd) for usd in told} == told


def test_a_plan_costs_its_tokens_at_the_price_of_each_model(tmp_path: Path) -> None:
    """A price of the settings counts for a model of which no list knows one; without it the cost is
    unknown."""
    session = copy_of(tmp_path, "small").session
    roles = {"main": RoleSettings(model="my-main"), "reader": RoleSettings(model="my-reader")}
    session.keys = Keys(llm="sk-any")
    for prices, usd in (
        ({"my-main": Price(input=2.0, output=10.0)}, None),
        ({"my-reader": Price(input=1.0, output=5.0)}, "known"),
    ):
        llm = LlmSettings(base_url="https://models.example", prices=prices, **roles)
        session.settings = Settings(llm=llm)
        plan = session.planner.to_refresh(["1/0.card"], again=True)
        cost = plan.lines[0].cost
        expected = tuple(
            (sent + 5 * said) / 1e6
            for sent, said in zip(cost.prompt_tokens, cost.reply_tokens, strict=True)
        )
        assert plan.usd == (usd and expected)
        assert ("token" in plan.takes) == (usd is None)


SPANS = st.tuples(st.integers(0, 400), st.integers(0, 4000)).map(lambda two: (two[0], sum(two)))


@given(st.lists(st.tuples(SPANS, SPANS, SPANS), min_size=1, max_size=6))
def test_what_a_plan_usually_takes_is_between_the_least_and_the_most(
    spans: list[tuple[Span, Span, Span]],
) -> None:
    lines = [PlanLine("x", "", Cost("main", *three), None) for three in spans]
    whole = sum((line.cost for line in lines), Cost())
    words, most = usual(lines)
    if not whole.calls[1]:
        assert (words, most) == (takes(lines), "")
        return
    calls, tokens = (
        int(n.replace(",", "")) for n in re.findall(r"([\d,]+)k? (?:call|token)", words)
    )
    assert max(1, whole.calls[0]) <= calls <= max(1, whole.calls[1])
    low, high = (sum(ends) for ends in zip(whole.prompt_tokens, whole.reply_tokens, strict=True))
    assert low <= 1000 * tokens < high + 1000
    assert f"{whole.calls[1]:,} call" in most


def test_money_stands_where_a_price_is_known_and_nothing_where_nothing_is_paid() -> None:
    cost = Cost("main", (4, 40), (100, 1000), (100, 1000), (1, 2))
    paid, free = (PlanLine("x", "", cost, usd) for usd in ((0.1, 4.0), (0.0, 0.0)))
    assert all("$" in words and "token" not in words for words in usual([paid]))
    assert usual([free]) == (takes([free]), "")
    assert all("token" in words for words in usual([paid, replace(paid, usd=None)]))


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
