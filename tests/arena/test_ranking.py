"""The ranking in groups: who is shown with whom and where, what a kill or a new player changes, and
whether the best are found by judges whose truth is known; the ratings that follow from votes."""

import math
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ratings import UNSURE, Ranker, best_ranked, share
from coi_tui.arena.group_ranking import Group, Judged, due_groups, ranking
from coi_tui.arena.ratings import (
    CRITERIA,
    START,
    TIE,
    agreed,
    standings,
)


@settings(max_examples=40)
@given(st.integers(1, 60), st.integers(0, 99))
def test_groups_by_property(many: int, seed: int) -> None:
    ranker = Ranker(seed, UNSURE, many=many)
    known, asked = list[Judged](), list[tuple[Group, ...]]()
    announced = due_groups(ranker.players, known).most
    while groups := due_groups(ranker.players, known).groups:
        assert len(known) + due_groups(ranker.players, known).most <= announced
        asked.append(groups)
        known += map(ranker.judge, groups)
    assert len(known) == announced
    first = Counter(player for group in (asked or [()])[0] for player in group)
    assert set(first) == (set(ranker.players) if many > 1 else set())
    assert set(first.values()) <= {2}, "each in two groups"
    for group in (group for groups in asked for group in groups):
        assert 2 <= len(set(group)) == len(group) <= 8
    assert len(asked) == (0 if many < 2 else 1 if many <= 8 else 2)
    assert len({one.shown for one in known}) == len(known)
    assert {one.player for one in ranking(ranker.players, known)} == set(ranker.players)


@pytest.mark.parametrize("many", [2, 5, 7, 20, 33])
def test_a_run_that_was_killed_anywhere_asks_for_what_is_left_and_nothing_again(many: int) -> None:
    ranker = Ranker(4, UNSURE, many=many)
    whole = ranker.judged()
    for stop in range(len(whole) + 1):
        known = Random(stop).sample(whole[:stop], stop)
        while groups := due_groups(ranker.players, known).groups:
            assert not {one.shown for one in known} & {*groups}
            known.append(ranker.judge(groups[-1]))
        assert {one.shown for one in known} == {one.shown for one in whole}
    assert [one.player for one in ranking(ranker.players, known)] == [
        one.player for one in ranking(ranker.players, whole)
    ], "in which order groups were judged changes nothing"


def test_places_rotate() -> None:
    groups = due_groups(Ranker(0).players, []).groups
    place = {
        player: sorted(group.index(player) for group in groups if player in group)
        for player in Ranker(0).players
    }
    assert all(5 <= early + late <= 6 for early, late in place.values()), "of six or seven"
    assert len({group[0] for group in groups}) == len(groups), "nobody is shown first twice"
    met = Counter(pair for group in groups for pair in combinations(sorted(group), 2))
    assert sum(often > 1 for often in met.values()) <= len(met) / 4
    alone = due_groups(["a", "b", "c"], []).groups
    assert alone[0] == alone[1][::-1]


def test_who_comes_later_gets_groups_of_their_own_and_may_lead() -> None:
    ranker = Ranker(2)
    early = [player for player in ranker.players if player not in ranker.true[:2]]
    known, players = list[Judged](), early
    for players in (early, [*early, *ranker.true[:2]], [*early, *ranker.true[:2], "worst"]):
        ranker.true.extend(set(players) - set(ranker.true))
        before, announced = len(known), due_groups(players, known).most
        while groups := due_groups(players, known).groups:
            known += map(ranker.judge, groups)
        assert len(known) - before <= announced
        assert len({one.shown for one in known}) == len(known)
        assert before == 0 or len(known) - before <= 7
    assert [one.player for one in ranking(players, known)[:3]] == ranker.true[:3]
    assert len(known) - before == 2, "who does not come to lead needs no finals"


def test_a_failed_group_is_over_and_says_nothing_and_a_part_of_an_order_says_its_part() -> None:
    players = Ranker(0).players
    known = [Judged(group, ()) for group in due_groups(players, []).groups]
    left = due_groups(players, known)
    assert left.groups
    assert not set(left.groups) & {one.shown for one in known}
    some = ranking(["a", "b", "c"], [Judged(("b", "a", "c"), ("c",))])
    assert some[0].player == "c"
    assert {one.player: (one.points, one.games) for one in some} == {
        "a": (0, 1),
        "b": (0, 1),
        "c": (2, 2),
    }
    assert [one.player for one in ranking(players, [])] == players
    assert ranking(players, [])[0].rating.interval == "open"
    assert not ranking([], [])


def test_votes_of_a_person_rank_on_their_own() -> None:
    votes = [Judged(pair, (pair[0],)) for pair in (("a", "b"), ("b", "c"), ("a", "c"))]
    table = ranking(["c", "b", "a", "d"], votes)
    assert [one.player for one in table if one.games] == ["a", "b", "c"]
    gone = ranking(["b", "c"], votes)
    assert [(one.player, one.games) for one in gone] == [("b", 1), ("c", 1)]


def test_the_intervals_of_a_sure_judge_part_the_best_from_the_worst() -> None:
    table = ranking(Ranker(1).players, Ranker(1).judged())
    assert table[0].rating.low > table[-1].rating.high
    assert all(math.isfinite(one.rating.low) for one in table)


def test_the_best_of_twenty_are_found() -> None:
    for name, found in share(best_ranked, 40).items():
        assert found >= 38, name


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


def test_a_vote_may_leave_criteria_out() -> None:
    (best, other) = standings([1, 2], [(1, 2, {"novelty": 2})])
    assert (best.player, best.games, best.points, other.points) == (2, 1, 1.0, 0.0)
    assert best.rating.value > START > other.rating.value
