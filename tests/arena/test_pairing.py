"""Pairs by property: no pair twice, four matches of each, those that lead meet, and the same again
for the same results."""

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.arena.judgements import Match
from coi_tui.arena.pairing import Pair, best_of, due_pairs
from coi_tui.arena.ratings import CRITERIA
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.ideas.matches import left_to_play
from coi_tui.model.address import Branch, match_of
from tests.support.desk import Desk
from tests.support.planted import SIX, Planted, league


def played(players: list[int], seed: int) -> tuple[list[tuple[Pair, ...]], int]:
    """The pairs of an arena to its end, with results drawn by a seed: those that were due together,
    and how many were announced at its beginning."""
    met, dice, steps = dict[Pair, dict[str, Branch]](), Random(seed), list[tuple[Pair, ...]]()
    announced = due_pairs(players, met).most
    while pairs := due_pairs(players, met).pairs:
        steps.append(pairs)
        met |= {pair: {name: dice.choice(pair) for name in CRITERIA} for pair in pairs}
    return steps, announced


@settings(max_examples=25)
@given(st.integers(1, 24), st.integers(0, 999))
def test_pairs_by_property(number: int, seed: int) -> None:
    players = list(range(1, number + 1))
    steps, announced = played(players, seed)
    pairs = [pair for one in steps for pair in one]
    assert len(set(pairs)) == len(pairs) <= announced, "no pair twice"
    assert set(pairs) <= {*combinations(players, 2)}
    if number <= 4:
        assert len(pairs) == announced == number * (number - 1) // 2
        return
    each, lead = Counter(player for pair in pairs for player in pair), min(7, number - 2)
    assert min(each.values()) >= (2 if number <= 7 else 4)
    assert sum(often >= lead - 1 for often in each.values()) >= lead, "those that lead meet"
    assert len(pairs) <= 2 * number + 21
    reached: set[Branch] = {1}
    for _ in players:
        reached |= {one for pair in steps[0] for one in pair if reached & {*pair}}
    assert reached == {*players}, "all can be ranked together"
    assert played(players, seed) == (steps, announced)


def test_those_that_lead_meet_once_all_have_and_failed_matches_hold_nothing_up() -> None:
    players = list(range(1, 13))
    first = due_pairs(players, {})
    assert (len(first.pairs), first.most) == (24, 45)
    better: dict[Pair, dict[str, Branch]] = {pair: {"clarity": pair[0]} for pair in first.pairs[1:]}
    assert due_pairs(players, better).pairs == first.pairs[:1], "whoever finished first"
    failed = better | {first.pairs[0]: {}}
    second = due_pairs(players, failed)
    assert second.most == len(second.pairs)
    assert {player for pair in second.pairs for player in pair} <= set(range(1, 9))
    some = failed | {pair: {"clarity": pair[1]} for pair in second.pairs[1:]}
    assert due_pairs(players, some).pairs == second.pairs[:1], "who leads is settled before"


def test_the_arena_ends_in_one_job_with_no_more_matches_than_the_plan_says(
    tmp_path: Path,
) -> None:
    desk = Desk.new(tmp_path, CoiSettings(branches=5))
    desk.session.add_method("Nova", {"branches": 7})
    for branch in desk.state.branches:
        desk.edits.save(f"{branch}/idea", f"## title\nIdea {branch}\n## final\nIt does it.")
    plan = desk.planner.to_judge_rest()
    assert "at most 45 matches" in plan.lines[0].what
    desk.do(plan)
    state = desk.state
    judged = sum(
        state.in_use(match_of(*pair)) is not None for pair in combinations(state.ideas(), 2)
    )
    assert 24 < judged <= 45
    assert len(desk.session.calls) == 2 * judged <= plan.calls[1]
    assert not left_to_play(state, state.ideas()).pairs


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
