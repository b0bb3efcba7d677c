"""Budgets where no price is known: nothing is sent without an answer, and what is not known is
never told as nothing."""

import json
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.model.money import Limit
from tests.support.coi_process import coi, environment
from tests.support.standins import Settings, StandInProcess, make_corpus

TOPIC = make_corpus().topics[0]
SMALL = {"COI_MODEL": "m", "COI_READER_MODEL": "r"}
"""Names of models that do not reason, for which a call reserves little."""
ONE = ("run", TOPIC, "--name", "run", "--branches", "1", "--length", "2", "--until", "trends")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("5", Limit(5.0)),
        ("$0.50", Limit(0.5)),
        ("200k-tokens", Limit(tokens=200_000)),
        ("1.5M-tokens", Limit(tokens=1_500_000)),
        ("9000 tokens", Limit(tokens=9000)),
        ("0", Limit(0.0)),
    ],
)
def test_a_budget_is_dollars_or_tokens(text: str, limit: Limit) -> None:
    assert Limit.read(text) == limit


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "200k", "tokens", "5 euros"])
def test_anything_else_is_no_budget(text: str) -> None:
    with pytest.raises(UsageError):
        Limit.read(text)


def test_nothing_is_sent_under_a_budget_in_dollars_without_a_price(tmp_path: Path) -> None:
    with StandInProcess(Settings(), tmp_path / "server.jsonl") as pair:
        ran = coi(environment(tmp_path, pair), *ONE, "--yes", "--budget", "5")
        sent = pair.entries()
    assert ran.code == 3
    assert "--budget 200k-tokens" in ran.err
    assert [entry for entry in sent if entry.service == "chat"] == []


def test_a_budget_in_tokens_needs_no_price_and_stops_the_job(tmp_path: Path) -> None:
    with StandInProcess(Settings(), tmp_path / "server.jsonl") as pair:
        env = environment(tmp_path, pair, SMALL)
        ran = coi(env, *ONE, "--yes", "--json", "--budget", "4k-tokens")
        listed = coi(env, "ls").out
        export = json.loads(coi(env, "export", "run", "--format", "json").out)
    data = json.loads(ran.out)
    assert (ran.code, data["state"]) == (3, "waiting")
    assert "budget of 4,000 tokens" in data["stopped_because"]
    assert 0 < data["tokens"] <= 4000
    assert data["spent_usd"] is None
    assert data["calls_without_price"] == data["calls"]
    assert "cost unknown" in listed
    assert "$0.00" not in ran.err + listed
    assert export["made"]["usd"] is None


def test_limits_are_read_shown_and_joined() -> None:
    assert [Limit.read(text).typed for text in ("", "5", "$0.50", "200k tokens")] == [
        "",
        "5",
        "0.5",
        "200000 tokens",
    ]
    assert [str(Limit(1.5, 2_000)), str(Limit()), str(Limit(tokens=9))] == [
        "$1.50 and 2,000 tokens",
        "no limit",
        "9 tokens",
    ]
    assert Limit(5.0).within(Limit(2.0, 100)).within(Limit(tokens=70)) == Limit(2.0, 70)
    assert Limit(5.0, 100).less(6.0, 30) == Limit(0.0, 70)
