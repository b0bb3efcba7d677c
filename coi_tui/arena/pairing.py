"""Who meets whom, and whether that is enough to rank.

In a session every pair meets where the ideas are few, else there is a Swiss tournament with a
bounded number of rounds: a round pairs ideas that did about equally well so far, none of them
twice. Over many topics every pair meets on each, or only those that decide who the best are.
Everything follows from the players and the results so far; nothing is stored, and a run that was
stopped goes on with the same pairs.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from coi_tui.arena.judgements import Judgement, Match
from coi_tui.arena.ratings import MatchResult
from coi_tui.arena.strengths import strengths
from coi_tui.model.address import Branch, branch_order

Pair = tuple[Branch, Branch]
"""Two players, in the order in which the players are listed."""
Points = tuple[float, float]
"""What the two players of a match got; together at most 1. A match that failed gave neither
anything."""
BYE = 0.5
"""What a player who sits out gets in the order of the next round."""


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
    never more than there are opponents, nor so many that a round without a rematch is hard to
    find."""
    if players < 2:
        return 0
    opponents, usual = players - 1 + players % 2, math.ceil(math.log2(players)) + 1
    return min(rounds or usual, opponents, max(usual + 1, players // 3))


def tournament(
    players: Sequence[Branch],
    results: Mapping[Pair, Points],
    *,
    swiss_from: int,
    rounds: int = 0,
) -> Tournament:
    """What is left to play between these players: every pair, or from ``swiss_from`` players on by
    Swiss rounds."""
    if len(players) < swiss_from:
        due = tuple(pair for pair in combinations(players, 2) if pair not in results)
        return Tournament(due, len(due))
    total = swiss_rounds(len(players), rounds)
    past: list[list[Pair]] = []
    for number in range(1, total + 1):
        here = _round(players, past, results, last=number == total)
        if due := tuple(pair for pair in here if pair not in results):
            return Tournament(due, len(due) + (total - number) * (len(players) // 2), number, total)
        past.append(here)
    return Tournament((), 0, total, total)


def _round(
    players: Sequence[Branch],
    past: Sequence[Sequence[Pair]],
    results: Mapping[Pair, Points],
    *,
    last: bool,
) -> list[Pair]:
    """The round after the ``past`` ones, of which every pair has a result. With an odd number
    somebody sits out: who did so least, and of these the last in the order; two
    more where no round without a rematch is left.

    The last round joins groups of players that have not met yet, directly or through others, so
    that all can be ranked together.
    """
    score, byes = dict.fromkeys(players, 0.0), Counter[Branch]()
    for pairs in past:
        out = set(players).difference(*pairs)
        byes.update(out)
        for player in out:
            score[player] += BYE
        for pair in pairs:
            for player, points in zip(pair, results[pair], strict=True):
                score[player] += points
    order = sorted(players, key=lambda player: (-score[player], _lot(player)))
    met = {pair for pairs in past for pair in pairs}
    group = {p: n for n, members in enumerate(groups(players, met)) for p in members if last}
    place = {player: n for n, player in enumerate(order)}
    fair = sorted(order, key=lambda player: (byes[player], -place[player]))
    odd = len(order) % 2
    for free in chain(combinations(fair, odd), combinations(fair, odd + 2)):
        playing = [player for player in order if player not in free]
        if (found := _paired(playing, list(players), met, group)) is not None:
            return found
    return []


def _paired(
    order: Sequence[Branch], players: list[Branch], met: set[Pair], group: Mapping[Branch, int]
) -> list[Pair] | None:
    """Everyone with the nearest in the order that they have not met, another group first; None
    where that cannot be."""
    if not order:
        return []
    first, *others = order
    for other in sorted(others, key=lambda one: bool(group) and group[one] == group[first]):
        a, b = sorted((first, other), key=players.index)
        if (a, b) not in met:
            rest = _paired([one for one in others if one != other], players, met, group)
            if rest is not None:
                return [(a, b), *rest]
    return None


def groups(players: Sequence[Branch], pairs: Iterable[Pair]) -> list[set[Branch]]:
    """The players in groups that matches connect, directly or through others."""
    found = [{player} for player in players]
    for pair in pairs:
        touched = [group for group in found if not group.isdisjoint(pair)]
        if len(touched) > 1:
            found = [group for group in found if group not in touched] + [set().union(*touched)]
    return found


def _lot(player: Branch) -> str:
    """A lot that does not depend on who else plays."""
    return hashlib.sha256(f"0 {player}".encode()).hexdigest()


LEAST_MATCHES, LEAST_OF_EACH = 3, 2
"""Matches that it takes to rank, in all and of each idea."""


def too_few(matches: Iterable[MatchResult]) -> str:
    """Why the ideas of these matches cannot be ranked yet; empty where they can.

    Bradley-Terry compares two ideas only where matches connect them, directly or through others.
    """
    pairs = {(a, b) for a, b, _ in matches}
    each = Counter(player for pair in pairs for player in pair)
    seldom = [player for player in sorted(each, key=branch_order) if each[player] < LEAST_OF_EACH]
    if len(pairs) < LEAST_MATCHES:
        return f"{len(pairs)} of at least {LEAST_MATCHES} matches"
    if seldom:
        ideas = ", ".join(f"{player}/idea" for player in seldom)
        return f"fewer than {LEAST_OF_EACH} matches of {ideas}"
    return "no match connects all of them" if len(groups(list(each), pairs)) > 1 else ""


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
