"""Swiss pairing by property: no pair twice, one match a round, fair byes, bounded rounds, the same
again for the same results."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import combinations
from math import ceil, comb, log2
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.arena.judgements import Match
from coi_tui.arena.pairing import (
    Pair,
    Points,
    best_of,
    groups,
    swiss_rounds,
    too_few,
    tournament,
)
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.ideas.matches import left_to_play
from coi_tui.model.address import match_of
from tests.support.desk import Desk
from tests.support.planted import SIX, Planted, league


def played(players: list[int], seed: int) -> tuple[dict[Pair, Points], list[tuple[Pair, ...]], int]:
    """A Swiss tournament to its end, with results drawn by a seed: results, rounds, and the matches
    announced at its beginning."""
    results: dict[Pair, Points] = {}
    dice, rounds = Random(seed), []
    left = tournament(players, results, swiss_from=2)
    announced = left.most
    while left.due:
        rounds.append(left.due)
        for pair in left.due:
            won = dice.randint(0, 10) / 10
            results[pair] = (won, 1 - won)
        left = tournament(players, results, swiss_from=2)
    return results, rounds, announced


@settings(derandomize=True, max_examples=25, deadline=None)
@given(st.integers(2, 24), st.integers(0, 999))
def test_swiss_rounds_by_property(number: int, seed: int) -> None:
    players = list(range(1, number + 1))
    results, rounds, announced = played(players, seed)
    pairs = [pair for one in rounds for pair in one]
    assert len(set(pairs)) == len(pairs), "no pair twice"
    assert all(
        len({player for pair in one for player in pair}) == 2 * len(one) for one in rounds
    ), "one match a round"
    assert len(rounds) == swiss_rounds(number) <= ceil(log2(number)) + 1
    assert len(pairs) <= announced <= swiss_rounds(number) * (number // 2)
    each = Counter(player for pair in pairs for player in pair)
    assert max(each.values()) - min(each[player] for player in players) <= 1, (
        "nobody sits out twice before everybody has once"
    )
    assert len(groups(players, pairs)) == 1, "all can be ranked together"
    assert played(players, seed) == (results, rounds, announced)


def test_a_round_waits_for_all_its_results_and_failed_matches_hold_nothing_up() -> None:
    players = list(range(1, 9))
    first = tournament(players, {}, swiss_from=8)
    assert (first.round, first.rounds, len(first.due), first.most) == (1, 4, 4, 16)
    some = dict.fromkeys(first.due[:3], (1.0, 0.0))
    assert tournament(players, some, swiss_from=8).due == first.due[3:], (
        "whoever finished first, the pairs are the same"
    )
    second = tournament(players, {**some, first.due[3]: (0.0, 0.0)}, swiss_from=8)
    assert second.round == 2


def test_few_ideas_meet_all_and_rounds_can_be_set() -> None:
    players = list(range(1, 8))
    assert set(tournament(players, {(1, 2): (1, 0)}, swiss_from=8).due) == {
        *combinations(players, 2)
    } - {(1, 2)}
    assert tournament([*players, 8], {}, swiss_from=8, rounds=2).most == 8
    assert not tournament([1], {}, swiss_from=2).due


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(1, 2), (1, 3)], "2 of at least 3 matches"),
        ([(1, 2), (1, 3), (1, 4)], "fewer than 2 matches of 2/idea, 3/idea, 4/idea"),
        ([(1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6)], "no match connects all of them"),
        ([(1, 2), (2, 3), (1, 3)], ""),
    ],
)
def test_too_few_to_rank_ends_when_matches_connect_all(
    pairs: list[tuple[int, int]], said: str
) -> None:
    assert too_few([(a, b, {}) for a, b in pairs]) == said


def test_the_arena_plays_its_rounds_in_one_job_and_no_more_matches_than_the_plan_says(
    tmp_path: Path,
) -> None:
    desk = Desk.new(tmp_path, CoiSettings(branches=5, swiss_from=4, swiss_rounds=3))
    state = desk.session.state
    for branch in state.branches:
        desk.session.edits.save(f"{branch}/idea", f"## title\nIdea {branch}\n## final\nIt does it.")
    plan = desk.session.planner.to_judge_rest()
    assert plan.calls[1] == 24, "two for each match, and one repair of each"
    asyncio.run(desk.go(plan))
    state = desk.session.state
    pairs = combinations(state.ideas(), 2)
    assert sum(state.in_use(match_of(*pair)) is not None for pair in pairs) == 6
    assert len(desk.session.calls) == 12
    assert not left_to_play(state, state.ideas()).due


def asked(judge: Planted, topics: int, best: int, stop: int = 10**6) -> list[list[Match]]:
    """What a search for the best asks for, occasion by occasion; at most ``stop`` of them."""
    rounds = best_of(judge.elo, [(f"topic {n}", 0) for n in range(topics)], best)
    found = [next(rounds)]
    while len(found) < stop:
        try:
            found.append(rounds.send(judge.judge(found[-1])))
        except StopIteration:
            break
    return found


def test_a_search_for_the_best_asks_where_it_decides_and_at_most_half() -> None:
    judge = Planted(SIX)
    rounds = asked(judge, 50, 3)
    matches = [match for one in rounds for match in one]
    assert len(set(matches)) == len(matches) <= comb(len(SIX), 2) * 50 // 2
    assert set(matches) <= set(league(SIX, 50))
    assert all(len({match.topic for match in one}) == 1 for one in rounds), "a topic at a time"
    often = Counter((match.a, match.b) for match in matches)
    assert often["A", "F"] < often["C", "D"], "who is far apart is soon known"
    assert asked(judge, 50, 3, stop=5) == rounds[:5], "a run that was stopped goes on alike"


def test_a_search_for_the_best_ends_with_the_topics_and_bears_failed_matches() -> None:
    equal = dict.fromkeys("ABCD", 1000.0)
    rounds = asked(Planted(equal), 8, 1)
    assert len(rounds) == 8
    failing = best_of(equal, [("t", 0), ("u", 0)], 1)
    first = next(failing)
    assert first
    assert {match.topic for match in failing.send([])} == {"u"}
    with pytest.raises(StopIteration):
        failing.send([])
