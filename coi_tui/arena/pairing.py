"""Who meets whom.

In a session every pair meets where the ideas are few, else each meets some others and then those
that lead meet. Over many topics every pair meets on each, or only those that decide who the best
are. Everything follows from the players and the results so far; nothing is stored, and a run that
was stopped goes on with the same pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from coi_tui.arena.judgements import Judgement, Match, strengths
from coi_tui.arena.ratings import standings
from coi_tui.model.address import Branch

Pair = tuple[Branch, Branch]
"""Two players, in the order in which the players are listed."""
FEW = 4
"""Where there are no more ideas, all meet."""
SOME, LEADERS = 7, 7
"""Of so many ideas each first meets two others, of more each four. Then those that lead meet: all but
two, and at most seven."""


@dataclass(frozen=True)
class DuePairs:
    """``pairs`` that may be played now, in any order; ``most``: matches that are left at most."""

    pairs: tuple[Pair, ...]
    most: int


def _ring(players: Sequence[Branch], pairs: Collection[Pair]) -> set[Pair]:
    """The pairs of neighbours in the ring, of many players also those of the next but one."""
    ring = sorted(players, key=_lot)
    return {
        (a, b) if (a, b) in pairs else (b, a)
        for one in ((1,) if len(players) <= SOME else (1, 2))
        for a, b in zip(ring, ring[one:] + ring[:one], strict=True)
    }


def due_pairs(players: Sequence[Branch], results: Mapping[Pair, Mapping[str, Branch]]) -> DuePairs:
    """What is left to play between these players. Of more than four each first meets its neighbours
    in a ring that is drawn by lot. Results are the winners by criterion, none where a match
    failed."""
    found, rest = tuple(combinations(players, 2)), 0
    if len(players) > FEW:
        lead, met = min(LEADERS, len(players) - 2), _ring(players, found)
        first = tuple(pair for pair in found if pair in met)
        table = standings(players, [(*pair, results[pair]) for pair in first if pair in results])
        if met <= results.keys():
            first_ones = {one.player for one in table[:lead]}
            found = tuple(pair for pair in found if first_ones.issuperset(pair))
        else:
            found, rest = first, lead * (lead - 1) // 2
    left = tuple(pair for pair in found if pair not in results)
    return DuePairs(left, len(left) + rest)


def _lot(player: Branch) -> str:
    """A lot that does not depend on who else plays."""
    return hashlib.sha256(f"0 {player}".encode()).hexdigest()


# -- over many topics


def best_of(
    players: Collection[str], occasions: Iterable[tuple[str, int]], best: int
) -> Generator[list[Match], Iterable[Judgement], None]:
    """The matches that find the ``best`` contestants, at most half of all. It yields those to be
    judged next, and is sent what was said in them; it ends where the best are found, or with the
    occasions.

    Of each occasion those pairs are asked of which one seems to be among the best and the other
    does not, while that is open, the closest first. They follow from what was sent before: a run
    that was stopped sends it again and goes on with the same matches.
    """
    pairs, seen = list(combinations(sorted(players), 2)), list[Judgement]()
    among = best * (len(players) - best)
    for topic, repeat in occasions:
        fit = strengths(seen, sorted(players))
        ranked = sorted(fit.players, key=lambda player: -fit.rating(player).value)
        verdicts = [
            fit.verdict(a, b, among=among)
            for a, b in pairs
            if (a in ranked[:best]) != (b in ranked[:best])
        ]
        still = sorted(
            (one for one in verdicts if not one.better),
            key=lambda one: (
                abs(one.difference.value) / one.difference.error,
                _lot(f"{topic} {repeat} {one.a} {one.b}"),
            ),
        )
        if not still:
            break
        seen += yield [
            Match(topic, repeat, one.a, one.b) for one in still[: max(1, len(pairs) // 2)]
        ]
