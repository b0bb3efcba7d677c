"""What a plan says that it will cost: calls times price, from the least to the most."""

from __future__ import annotations

import asyncio
from pathlib import Path

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.engine.steps import Cost
from coi_tui.model.money import Money, dollars, in_words
from coi_tui.store.session_file import Spent
from tests.support.desk import Desk, copy_of


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


def test_what_a_session_has_spent_is_told_in_tokens_where_no_price_is_known() -> None:
    assert str(Spent()) == "nothing has been spent yet"
    assert str(Spent(Money(), 90, 5_000)) == "nothing has been spent yet", "by the drafter"
    assert str(Spent(Money(0.001), 2, 5_000)) == "$0.001 spent so far"
    assert str(Spent(Money(0.0, 90), 90, 123_456)) == "123,456 tokens so far, cost unknown"
    assert str(Spent(Money(0.5, 1), 90, 123_456)) == "123,456 tokens so far, at least $0.50"


def test_a_plan_says_what_its_session_has_spent(tmp_path: Path) -> None:
    session = copy_of(tmp_path).session
    call = next(c for c in session.core.file.calls() if c.kind == "chat")
    session.core.file.commit(calls=[call.model_copy(update={"key": "another", "cost_usd": None})])
    assert "tokens so far, cost unknown" in session.planner.to_stage().spent


def test_costs_add_up_and_multiply() -> None:
    one = Cost("main", (1, 2), (100, 300), (10, 20), (0, 1))
    assert one.times(2, 3) + Cost("reader", (1, 1), (5, 5), (5, 5)) == Cost(
        "main", (3, 7), (205, 905), (25, 65), (0, 3)
    )


def test_a_plan_costs_its_tokens_at_the_price_of_each_model(tmp_path: Path) -> None:
    """A price of the settings counts for a model of which no list knows one; without it the cost is
    unknown."""
    session = copy_of(tmp_path, "small").session
    roles = {"main": RoleSettings(model="my-main"), "reader": RoleSettings(model="my-reader")}
    session.core.keys = Keys(llm="sk-any")
    for prices, usd in (
        ({"my-main": Price(input=2.0, output=10.0)}, None),
        ({"my-reader": Price(input=1.0, output=5.0)}, "known"),
    ):
        llm = LlmSettings(base_url="https://models.example", prices=prices, **roles)
        session.settings = Settings(llm=llm)
        plan = session.planner.to_refresh(["1/0.card"], again=True)
        cost = plan.lines[0].cost
        expected = tuple(
            (given + 5 * said) / 1e6
            for given, said in zip(cost.prompt_tokens, cost.reply_tokens, strict=True)
        )
        assert plan.usd == (usd and expected)
        assert "cost unknown" in plan.takes or usd


def test_a_finished_session_has_nothing_to_run(tmp_path: Path) -> None:
    """Chains of which both sides have ended grow no further, though they might hold more papers."""
    desk = copy_of(tmp_path)
    desk.run("proposal")
    plan = desk.session.planner.to_stage()
    assert (plan.calls, plan.empty, plan.takes) == ((0, 0), True, "free")


def test_a_run_takes_as_many_calls_as_its_plan_says(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    plan = desk.session.planner.to_stage()
    low, high = plan.calls
    asyncio.run(desk.go(plan))
    assert low <= sum(c.kind == "chat" for c in desk.session.core.calls.values()) <= high
