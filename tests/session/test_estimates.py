"""What a plan says that it will cost: calls times price, from the least to the most."""

from __future__ import annotations

from pathlib import Path

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.model.money import dollars, in_words
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
