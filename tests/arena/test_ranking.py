"""The ranking in groups: who is shown with whom and where, what a kill or a new player changes, and
whether the best are found by judges whose truth is known."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ratings import BEST, TO_FIRST, UNSURE, Ranker, best_ranked, share
from coi_tui.arena.ranking import Group, Judged, due_groups, ranking

MANY = 300


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


def test_a_run_that_was_killed_before_others_came_announces_those_too() -> None:
    ranker = Ranker(3)
    early = ranker.players[:15]
    known = list(map(ranker.judge, due_groups(early, []).groups[:2]))
    announced = due_groups(ranker.players, known).most
    before = len(known)
    while groups := due_groups(ranker.players, known).groups:
        known += map(ranker.judge, groups)
    assert set(due_groups(early, []).groups) < {one.shown for one in known}, "all of the first draw"
    assert len(known) - before <= announced


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


@pytest.mark.parametrize("bias", [0.0, TO_FIRST])
def test_a_judge_who_errs_by_twice_a_distance_finds_most_of_the_best_and_more_than_the_plain_way(
    bias: float,
) -> None:
    rankers = [Ranker(seed, UNSURE, bias) for seed in range(MANY)]
    found, plain, coin = (
        sum(one) / MANY
        for one in zip(
            *(
                (one.found(one.judged()), one.found(one.three_random_groups()), one.by_coin())
                for one in rankers
            ),
            strict=True,
        )
    )
    assert found >= 2.5
    assert found > plain > coin + 1 > 1
    assert coin < 2 * BEST * BEST / 20
