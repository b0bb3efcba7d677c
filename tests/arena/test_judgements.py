import json
from collections.abc import Sequence
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.arena.judgements import (
    Agreement,
    Decisions,
    Flips,
    Judgement,
    Match,
    Outcome,
    agreement,
    decisions,
    flips,
)
from coi_tui.arena.ratings import TIE


def said(
    outcome: Outcome,
    first: str = "CoI",
    second: str = "RAG",
    *,
    topic: str = "t",
    judge: str = "m",
    person: bool = False,
) -> Judgement:
    return Judgement(topic, 0, first, second, judge, "novelty", outcome, 300, 400, person)


def both(straight: Outcome, swapped: Outcome, topic: str = "t") -> list[Judgement]:
    """Two orders of one match."""
    return [said(straight, topic=topic), said(swapped, "RAG", "CoI", topic=topic)]


AT = (Match("t", 0, "CoI", "RAG"), "novelty")


def test_a_judgement_goes_through_json_and_names_its_match_whoever_is_shown_first() -> None:
    one, other = both("first", "second")
    assert Judgement(**json.loads(json.dumps(asdict(one)))) == one
    assert one.match == other.match == AT[0]
    assert one.winner == other.winner == "CoI"
    assert (one.score, other.score, said("tie").score) == (1.0, 0.0, 0.5)


@pytest.mark.parametrize(
    ("straight", "swapped", "winner"),
    [
        ("first", "second", "CoI"),
        ("second", "first", "RAG"),
        ("first", "first", TIE),
        ("second", "second", TIE),
        ("first", "tie", TIE),
        ("tie", "tie", TIE),
    ],
)
def test_a_contestant_wins_where_it_wins_in_both_orders(
    straight: Outcome, swapped: Outcome, winner: str
) -> None:
    assert decisions(both(straight, swapped)) == {"m": {AT: winner}}


def test_of_one_order_alone_a_person_is_believed_and_a_model_is_not() -> None:
    vote = said("second", judge="ann", person=True)
    assert decisions([vote, said("first")]) == {"ann": {AT: "RAG"}, "m": {}}


def test_flips_by_hand() -> None:
    judgements = [
        *both("first", "second", "same"),
        *both("first", "first", "to first"),
        *both("second", "second", "to second"),
        *both("first", "tie", "half"),
        *both("tie", "tie", "tie"),
        said("first", topic="one order"),
    ]
    assert flips(judgements) == Flips(orders=5, flipped=2, to_first=1, half=1)


def decided(winners: Sequence[object], names: tuple[str, str] = ("a", "b")) -> Decisions:
    """A decision on each of some topics: 0 and 1 name a contestant, None a tie."""
    a, b = sorted(names)
    return {
        (Match(str(n), 0, a, b), "clarity"): TIE if who is None else names[int(str(who))]
        for n, who in enumerate(winners)
    }


def test_agreement_by_hand() -> None:
    one, other = decided([0, 0, 0, 1, None, 0]), decided([0, 0, 1, 1, None])
    found = agreement(one, other)
    chance = 0.2 * 0.2 + 0.8 * 0.8 / 2
    assert (found.common, found.same) == (5, 4)
    assert found.kappa == pytest.approx((0.8 - chance) / (1 - chance))
    assert agreement(one, other, "novelty") == Agreement(0, 0, None)
    assert agreement(one, other, "clarity") == found
    ties = decided([None, None])
    assert agreement(ties, ties) == Agreement(2, 2, None)


votes = st.lists(st.tuples(*[st.sampled_from([0, 1, None])] * 2), min_size=1, max_size=30)


@given(votes)
def test_agreement_by_property(pairs: list[tuple[object, object]]) -> None:
    """Symmetrical, whatever the contestants are called; a judge agrees with itself."""
    first, second = zip(*pairs, strict=True)
    found = agreement(decided(first), decided(second))
    assert found == agreement(decided(second), decided(first))
    assert found == agreement(decided(first, ("b", "a")), decided(second, ("b", "a")))
    assert agreement(decided(first), decided(first)).kappa in (1, None)
    assert found.kappa is None or found.kappa <= 1


# -- the published tables
