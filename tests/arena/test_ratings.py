from __future__ import annotations

import math
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.arena.ratings import (
    CRITERIA,
    START,
    TIE,
    agreed,
    standings,
)


@pytest.mark.parametrize(
    ("straight", "swapped", "winner"),
    [
        (0, 1, 4),
        (1, 0, 7),
        (0, 0, TIE),
        (1, 1, TIE),
        (2, 2, TIE),
        (0, 2, TIE),
    ],
)
def test_only_where_both_orders_name_the_same_idea_does_it_win(
    straight: int, swapped: int, winner: int
) -> None:
    assert agreed(
        4, 7, dict.fromkeys(CRITERIA, straight), dict.fromkeys(CRITERIA, swapped)
    ) == dict.fromkeys(CRITERIA, winner)


players = st.integers(2, 6).map(lambda n: list(range(1, n + 1)))


League = tuple[list[int], list[tuple[int, int, dict[str, int]]]]


@st.composite
def leagues(draw: st.DrawFn) -> League:
    who = draw(players)
    matches = []
    for a, b in combinations(who, 2):
        if draw(st.booleans()) or (a, b) == (1, 2):
            matches.append((a, b, {name: draw(st.sampled_from([a, b, TIE])) for name in CRITERIA}))
    return who, matches


@settings(max_examples=100)
@given(leagues(), st.randoms(use_true_random=False))
def test_standings_keep_the_mean_and_do_not_depend_on_the_order_of_the_record(
    league: League, rng: Random
) -> None:
    who, matches = league
    table = standings(who, matches)
    shuffled = list(matches)
    rng.shuffle(shuffled)
    for one, again in zip(table, standings(who, shuffled), strict=True):
        assert (one.player, one.points, one.games) == (again.player, again.points, again.games)
        assert one.rating.value == pytest.approx(again.rating.value)
    assert sorted(s.player for s in table) == who
    assert sum(s.rating.value for s in table) == pytest.approx(START * len(who))
    assert sum(s.points for s in table) == len(matches) * len(CRITERIA)
    values = [s.rating.value for s in table]
    assert values == pytest.approx(sorted(values, reverse=True), abs=0.01)
    assert all(s.rating.low <= s.rating.value <= s.rating.high for s in table)
    assert all((s.rating.interval == "open") == (len(matches) == 1) for s in table)


def test_places_go_by_rating_then_number() -> None:
    wins = dict.fromkeys(CRITERIA, 2)
    table = standings([1, 2, 3], [(1, 2, wins), (1, 3, dict.fromkeys(CRITERIA, TIE)), (2, 3, wins)])
    assert [s.player for s in table] == [2, 1, 3]
    assert [s.points for s in table] == [10.0, 2.5, 2.5]
    assert standings([], []) == []
    assert [s.rating.value for s in standings([1, 2], [])] == [START, START]


def test_to_beat_the_stronger_is_worth_more() -> None:
    pairs = ((1, 2), (1, 3), (2, 3), (4, 1), (5, 3))
    table = standings(range(1, 6), [(a, b, {"novelty": a}) for a, b in pairs])
    points = {s.player: s.points for s in table}
    assert points[4] == points[5] < points[1]
    assert table[0].player == 4


def test_intervals_narrow_with_more_matches_and_one_alone_leaves_them_open() -> None:
    def width(many: int) -> float:
        """The mean over drawn results."""
        found = []
        for seed in range(20):
            dice, players = Random(seed), range(1, many + 1)
            matches = [
                (a, b, {name: dice.choice((a, b)) for name in CRITERIA})
                for a, b in combinations(players, 2)
            ]
            found += [one.rating.high - one.rating.low for one in standings(players, matches)]
        return sum(found) / len(found)

    assert width(2) == math.inf > width(4) > width(10) > 0


def test_a_vote_may_leave_criteria_out() -> None:
    (best, other) = standings([1, 2], [(1, 2, {"novelty": 2})])
    assert (best.player, best.games, best.points, other.points) == (2, 1, 1.0, 0.0)
    assert best.rating.value > START > other.rating.value
