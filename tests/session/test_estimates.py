"""What a plan says that it will cost: an expected value with a range that a person can decide by."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.estimates import one
from benchmarks.standins import make_corpus
from coi_tui.engine.steps import Cost, Expected
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.money import Estimate, Money, dollars
from coi_tui.session.runs.plans import middle, money, total
from coi_tui.store.session_file import Spent
from tests.support.desk import Desk, copy_of

tokens = st.integers(0, 100_000)
sums = st.integers(0, 40)


@given(st.floats(0, 1_000), st.floats(1, 1_000))
def test_the_range_lies_within_a_factor_of_three_around_the_expected_value(
    expected: float, more: float
) -> None:
    low, high = Estimate(expected, expected * more).range
    assert low <= expected <= high
    assert high <= 3 * low + 1e-9


def test_an_estimate_in_words() -> None:
    assert [
        money(e)
        for e in (Estimate(0.42, 2.5), Estimate(0.42, 0.5), Estimate(0.002, 0.01), Estimate(), None)
    ] == [
        "about $0.42 ($0.25-0.71)",
        "about $0.42 ($0.25-0.50)",
        "about $0.002",
        "free",
        "cost unknown",
    ]
    assert [middle(e) for e in (Estimate(0.42, 2.5), Estimate(), None)] == [
        "about $0.42",
        "free",
        "cost unknown",
    ]
    assert money(Estimate(0.008, 0.5)) == "about $0.008 ($0.0047-0.01)"


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


@given(
    st.tuples(tokens, tokens).map(sorted),
    st.tuples(tokens, tokens).map(sorted),
    st.tuples(sums, sums).map(sorted),
    sums,
)
def test_what_is_expected_lies_between_the_least_and_the_most(
    prompt: list[int], reply: list[int], n: list[int], of_two: int
) -> None:
    cost = Cost("main", (1, 2), (prompt[0], 2 * prompt[1]), (reply[0], 2 * reply[1])).times(
        n[0], n[1]
    )
    both = cost + Cost("main", (1, 1), (5, 5), (5, 5), expected=Expected(1, 5, 5)).times(
        0, of_two, of_two
    )
    for found in (cost, both):
        assert found.calls[0] <= found.likely.calls <= found.calls[1]
        for likely, (least, most) in (
            (found.likely.prompt_tokens, found.prompt_tokens),
            (found.likely.reply_tokens, found.reply_tokens),
        ):
            assert least - 1e-6 <= likely <= most + 1e-6


@pytest.mark.parametrize(("length", "drafts"), [(1.0, 3), (2.5, 1)])
def test_a_run_costs_what_its_plan_said(tmp_path: Path, length: float, drafts: int) -> None:
    """Two of the runs of ``benchmarks.estimates``, with short texts and long ones."""
    found = asyncio.run(one(make_corpus().topics[3], drafts, length, tmp_path, branches=1))
    assert found.inside, found.row()
    assert abs(found.expected_calls - len(found.calls)) <= 0.2 * len(found.calls)


def test_a_finished_session_has_nothing_to_run(tmp_path: Path) -> None:
    """Chains of which both sides have ended grow no further, though they might hold more papers."""
    desk = copy_of(tmp_path)
    desk.run("proposal")
    plan = desk.session.planner.to_stage()
    assert (plan.calls, plan.expected_calls, plan.empty) == ((0, 0), 0, True)
    assert total(plan) == "0 calls, free"


def test_a_new_session_expects_most_of_the_places_of_its_chains(tmp_path: Path) -> None:
    plan = Desk.new(tmp_path).session.planner.to_stage()
    low, high = plan.calls
    assert low < plan.expected_calls < high
    length = CoiSettings().length
    trends = next(line for line in plan.lines if line.stage == "trends")
    assert trends.cost.likely.calls == pytest.approx(
        0.9 * (length - 1) * len(Desk.new(tmp_path / "other").session.state.branches)
    )
