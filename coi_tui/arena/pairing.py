"""Who meets whom: every pair where the ideas are few, else a Swiss tournament with a bounded number
of rounds.

A Swiss round pairs ideas that did about equally well so far, none of them twice. Everything follows
from the players, the results so far and the seed: a run that is stopped and taken up again goes on
with the same pairs.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from coi_tui.model.address import Branch

Pair = tuple[Branch, Branch]
"""Two players, in the order in which the players are listed."""
Points = tuple[float, float]
"""What the two players of a match got; together at most 1. A match that failed gave neither
anything."""
BYE = 0.5
"""What a player who sits out gets in the order of the next round."""
STEPS = 5_000
"""Steps of the search for a round in which everyone plays; beyond them somebody sits out."""


@dataclass(frozen=True)
class Round:
    """The pairs of a round, and who sits it out."""

    pairs: tuple[Pair, ...]
    byes: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class Tournament:
    """What is still to be played. ``due``: pairs that may be played now, in any order; ``most``:
    matches that are left at most;
    ``round`` and ``rounds`` of a Swiss tournament, 0 where every pair is played.
    """

    due: tuple[Pair, ...]
    most: int
    round: int = 0
    rounds: int = 0


def swiss_rounds(players: int, rounds: int = 0) -> int:
    """How many rounds there are: as asked for, else log2 of the players, rounded up, and one more;
    never more than there are opponents."""
    if players < 2:
        return 0
    opponents = players - 1 if players % 2 == 0 else players
    return min(rounds or math.ceil(math.log2(players)) + 1, opponents)


def tournament(
    players: Sequence[Branch],
    results: Mapping[Pair, Points],
    *,
    swiss_from: int,
    rounds: int = 0,
    seed: int = 0,
) -> Tournament:
    """What is left to play between these players: every pair, or from ``swiss_from`` players on by
    Swiss rounds."""
    if len(players) < swiss_from:
        due = tuple(pair for pair in combinations(players, 2) if pair not in results)
        return Tournament(due, len(due))
    total = swiss_rounds(len(players), rounds)
    past: list[Round] = []
    for number in range(1, total + 1):
        here = swiss_round(players, past, results, seed, last=number == total)
        if due := tuple(pair for pair in here.pairs if pair not in results):
            return Tournament(due, len(due) + (total - number) * (len(players) // 2), number, total)
        past.append(here)
    return Tournament((), 0, total, total)


def swiss_round(
    players: Sequence[Branch],
    past: Sequence[Round],
    results: Mapping[Pair, Points],
    seed: int = 0,
    *,
    last: bool = False,
) -> Round:
    """The round after the ``past`` ones, of which every pair has a result.

    The last round joins groups of players that have not met yet, directly or through others, so
    that all can be ranked together.
    """
    place = {player: n for n, player in enumerate(players)}
    met = {pair for one in past for pair in one.pairs}
    byes = Counter(player for one in past for player in one.byes)
    score = _scores(players, past, results)
    order = sorted(players, key=lambda p: (-score[p], _drawn(seed, p)))
    group = (
        {player: n for n, members in enumerate(groups(players, met)) for player in members}
        if last
        else {}
    )
    search = _Search(lambda a, b: _pair(place, a, b) not in met, group)
    pairs = tuple(_pair(place, a, b) for a, b in search.round(order, byes))
    playing = {player for pair in pairs for player in pair}
    return Round(pairs, tuple(player for player in order if player not in playing))


def groups(players: Sequence[Branch], pairs: Iterable[Pair]) -> list[set[Branch]]:
    """The players in groups that matches connect, directly or through others."""
    found = [{player} for player in players]
    for pair in pairs:
        touched = [group for group in found if not group.isdisjoint(pair)]
        if len(touched) > 1:
            found = [group for group in found if group not in touched] + [set().union(*touched)]
    return found


def _scores(
    players: Sequence[Branch], past: Sequence[Round], results: Mapping[Pair, Points]
) -> dict[Branch, float]:
    score = dict.fromkeys(players, 0.0)
    for one in past:
        for pair in one.pairs:
            for player, points in zip(pair, results[pair], strict=True):
                score[player] += points
        for player in one.byes:
            score[player] += BYE
    return score


def _drawn(seed: int, player: Branch) -> str:
    """A lot that does not depend on who else plays."""
    return hashlib.sha256(f"{seed} {player}".encode()).hexdigest()


def _pair(place: Mapping[Branch, int], a: Branch, b: Branch) -> Pair:
    return (a, b) if place[a] < place[b] else (b, a)


def _sitting_out(
    order: Sequence[Branch], byes: Mapping[Branch, int]
) -> Iterator[tuple[Branch, ...]]:
    """Who may sit out, the fairest choice first: those who sat out least, of these the last in the
    order; as few as can be."""
    place = {player: n for n, player in enumerate(order)}
    fair = sorted(order, key=lambda player: (byes.get(player, 0), -place[player]))
    for number in range(len(order) % 2, len(order) + 1, 2):
        yield from combinations(fair, number)


class _Search:
    """Pairs players with the nearest in the order, going back where the rest could not be
    paired."""

    def __init__(
        self, allowed: Callable[[Branch, Branch], bool], group: Mapping[Branch, int]
    ) -> None:
        self._allowed, self._group, self._steps = allowed, group, STEPS
        self._failed: set[tuple[Branch, ...]] = set()

    def round(
        self, order: Sequence[Branch], byes: Mapping[Branch, int]
    ) -> list[tuple[Branch, Branch]]:
        """As many pairs as can be, with the fairest choice of who sits out."""
        for out in _sitting_out(order, byes):
            pairs = self.pairs(tuple(player for player in order if player not in out))
            if pairs is not None:
                return pairs
            if self._steps <= 0:
                break
        return self._greedy(order)

    def _greedy(self, order: Sequence[Branch]) -> list[tuple[Branch, Branch]]:
        """Pairs down the order, without going back."""
        left, found = list(order), []
        while left:
            first = left.pop(0)
            other = next((player for player in left if self._allowed(first, player)), None)
            if other is not None:
                left.remove(other)
                found.append((first, other))
        return found

    def pairs(self, left: tuple[Branch, ...]) -> list[tuple[Branch, Branch]] | None:
        """Everyone in a pair, or None where that cannot be."""
        if not left:
            return []
        if left in self._failed or self._steps <= 0:
            return None
        self._steps -= 1
        first, others = left[0], left[1:]
        near = sorted(
            others, key=lambda other: self._group.get(other, 0) == self._group.get(first, 1)
        )
        for other in near:
            if self._allowed(first, other):
                rest = self.pairs(tuple(player for player in others if player != other))
                if rest is not None:
                    return [(first, other), *rest]
        self._failed.add(left)
        return None
