from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations

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
    Tally,
    agreement,
    decisions,
    flips,
    strengths,
    tally,
)
from coi_tui.arena.ratings import TIE
from tests.support.planted import SIX, Planted, league


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


def test_the_points_of_the_published_ablation() -> None:
    decided = decisions(
        [
            *(one for n in range(20) for one in both("first", "second", f"won {n}")),
            *(one for n in range(12) for one in both("tie", "tie", f"tied {n}")),
            *(one for n in range(18) for one in both("second", "first", f"lost {n}")),
            said("first", "CoI", "another"),
        ]
    )["m"]
    assert tally(decided, "CoI", "RAG") == {"novelty": Tally(20, 12, 18)}
    assert tally(decided, "CoI", "RAG")["novelty"].points == 2 * 20 + 12
    assert tally(decided, "RAG", "CoI")["novelty"].points == 100 - 52
    assert Tally(0, 50, 0).points == 50, "against itself"
    assert tally(decided, "RAG", "another") == {}


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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bias", [-600, -200, 50, 200, 600])
def test_a_bias_to_position_turns_wins_into_ties_and_reverses_none(seed: int, bias: float) -> None:
    matches = league(SIX, 20)
    fair, biased = (Planted(SIX, seed, position=position).judge(matches) for position in (0, bias))
    was, now = (decisions(one)["planted"] for one in (fair, biased))
    assert all(now[at] in (winner, TIE) for at, winner in was.items() if winner != TIE)
    if abs(bias) >= 200:
        assert sum(now[at] == TIE != winner for at, winner in was.items()) > len(was) / 10
        found, usual = flips(biased), flips(fair)
        assert found.flipped > 2 * usual.flipped
        assert (found.to_first > 0.9 * found.flipped) == (bias > 0)


# -- the published tables

PLAYERS = ("Real Paper", "CoI Agent", "RAG", "GPT-Researcher", "ResearchAgent", "AI-Scientist")
AVERAGE = "average"
IDEAS = {
    "novelty": (1075, 1100, 1021, 988, 982, 835),
    "significance": (1071, 1103, 1038, 993, 975, 820),
    "clarity": (1118, 1081, 1022, 993, 1001, 784),
    "feasibility": (1127, 1065, 1030, 990, 975, 813),
    "effectiveness": (1109, 1078, 1035, 999, 970, 809),
    "average": (1100, 1085, 1029, 992, 980, 812),
}
"""Table 26, human judges: the Elo of these players by criterion, and the average."""
EXPERIMENTS = {
    "feasibility": (1138, 1092, 1035, 988, 939, 809),
    "quality": (1111, 1123, 1041, 977, 959, 788),
    "clarity": (1111, 1121, 1048, 971, 964, 785),
    "average": (1120, 1112, 1042, 978, 954, 794),
}
"""Table 4, human judges."""


@pytest.mark.parametrize("published", [IDEAS, EXPERIMENTS])
def test_ratings_have_the_properties_of_the_published_tables(
    published: dict[str, tuple[int, ...]],
) -> None:
    """Of matches whose judge has the published ratings: constant sum, and their order where it is
    clear, by each criterion."""
    for criterion in set(published) - {AVERAGE}:
        elo = dict(zip(PLAYERS, map(float, published[criterion]), strict=True))
        fit = strengths(Planted(elo, criteria=(criterion,)).judge(league(PLAYERS, 50)))
        found = {name: fit.rating(name).value for name in PLAYERS}
        assert sum(found.values()) == pytest.approx(6000)
        for one, other in combinations(PLAYERS, 2):
            if abs(elo[one] - elo[other]) > 60:
                assert (found[one] > found[other]) == (elo[one] > elo[other])
