from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.arena.ratings import (
    CRITERIA,
    START,
    TIE,
    Game,
    agreed,
    bradley_terry,
    elo,
    intervals,
    mean_elo,
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


@settings(derandomize=True, max_examples=100)
@given(leagues(), st.randoms(use_true_random=False))
def test_standings_keep_the_sum_and_do_not_depend_on_the_order_of_the_record(
    league: League, rng: Random
) -> None:
    who, matches = league
    table = standings(who, matches)
    shuffled = list(matches)
    rng.shuffle(shuffled)
    assert standings(who, shuffled) == table
    assert sorted(s.player for s in table) == who
    for name in CRITERIA:
        assert sum(s.elo[name] for s in table) == pytest.approx(START * len(who), abs=0.5)
    assert sum(s.points for s in table) == len(matches) * len(CRITERIA)
    assert sum(s.strength for s in table) / len(who) == pytest.approx(1.0, abs=0.01)
    assert all(s.strength > 0 for s in table)
    assert [s.average for s in table] == sorted((s.average for s in table), reverse=True)


def test_elo_by_hand() -> None:
    after = elo([1, 2], [Game(1, 2, 1)])
    assert after == {1: 1016.0, 2: 984.0}
    assert elo([1, 2], [Game(1, 2, TIE)]) == {1: 1000.0, 2: 1000.0}
    again = elo([1, 2], [Game(1, 2, 1), Game(1, 2, 2)])
    assert again[2] > 1000.0  # beating the stronger one pays more
    assert sum(again.values()) == 2000.0


def test_places_go_by_mean_elo_then_points_then_number() -> None:
    wins = dict.fromkeys(CRITERIA, 2)
    table = standings([1, 2, 3], [(1, 2, wins), (1, 3, dict.fromkeys(CRITERIA, TIE)), (2, 3, wins)])
    assert [s.player for s in table] == [2, 1, 3]
    assert [s.points for s in table] == [10.0, 2.5, 2.5]
    assert standings([], []) == []


def test_a_win_each_is_a_draw_whoever_won_last() -> None:
    assert mean_elo([1, 2], [Game(1, 2, 1), Game(1, 2, 2)]) == pytest.approx({1: START, 2: START})


def test_intervals_hold_the_strength_and_narrow_with_more_games() -> None:
    some = [Game(1, 2, 1), Game(2, 3, 2), Game(1, 3, 1), Game(1, 2, 2), Game(3, 1, 3)]
    few, many = (intervals(bradley_terry([1, 2, 3], games), games) for games in (some, some * 10))
    for player, strength in bradley_terry([1, 2, 3], some).items():
        low, high = few[player]
        assert low < strength < high
        assert many[player][1] / many[player][0] < high / low
    assert intervals({}, []) == {}


def test_a_vote_may_leave_criteria_out() -> None:
    (best, other) = standings([1, 2], [(1, 2, {"novelty": 2})])
    assert (best.player, best.games, best.points, other.points) == (2, 1, 1.0, 0.0)
    assert best.elo["novelty"] == START + 16
    assert best.elo["clarity"] == START
