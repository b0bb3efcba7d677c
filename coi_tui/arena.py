"""The arena: the result of a match (COI-13), who meets whom, and ratings.

Each criterion of a match is judged with the two ideas in both orders. Every pair meets where the
ideas are few, else there is a Swiss tournament with a bounded number of rounds: a round pairs ideas
that did about equally well so far, none of them twice. Everything follows from the players and the
results so far, and ratings are computed each time; nothing is stored, and a run that was stopped
goes on with the same pairs.

``benchmarks.ratings`` compares the ratings with the packages choix and openskill on records of known
strengths.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from random import Random

from coi_tui.model.address import Branch, branch_order
from coi_tui.model.state import State

CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
TIE = 0
MatchResult = tuple[Branch, Branch, Mapping[str, Branch]]
"""The ideas of a match, and the better one by criterion, or ``TIE``; a vote may leave criteria
out."""


def agreed(
    first: Branch, second: Branch, straight: Mapping[str, int], swapped: Mapping[str, int]
) -> dict[str, Branch]:
    """The winner of each criterion, or ``TIE``.

    The judgements are 0 (the idea shown first), 1 (the other one) or 2 (a tie): ``straight`` with
    ``first`` shown first, ``swapped`` with
    ``second`` shown first. An idea wins only where it wins in both orders.
    """
    winners: dict[str, Branch] = {}
    for name in CRITERIA:
        one: Branch = (first, second, TIE)[straight[name]]
        other: Branch = (second, first, TIE)[swapped[name]]
        winners[name] = one if one == other else TIE
    return winners


# -- who meets whom

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


# -- ratings

START = 1000.0
K_FACTOR = 32.0
ORDERS = 60
"""Orders of the games that Elo is averaged over, and as many reversed."""
PRIOR = 0.5
"""Half-won games against an average player that each begins with, so that who never won keeps a
strength above zero."""
STEPS = 200
Z95 = 1.96
"""Standard errors to each side of an interval that holds the true value 95 times of 100."""


@dataclass(frozen=True)
class Game:
    """One criterion of one match. ``winner`` is one of the two, or TIE."""

    first: Branch
    second: Branch
    winner: Branch

    @property
    def score(self) -> float:
        """What the first got of the one point: half of it for a tie."""
        return 0.5 if self.winner == TIE else float(self.winner == self.first)


@dataclass(frozen=True)
class Standing:
    """A player's results. ``points``: 1 a win and 0.5 a tie, over all criteria; ``elo`` by
    criterion, and their ``average``;
    ``strength`` is Bradley-Terry over all games (mean 1). Higher is better; none is a probability
    of being right."""

    player: Branch
    points: float
    games: int
    elo: Mapping[str, float]
    average: float
    strength: float


def elo(players: Sequence[Branch], games: Iterable[Game]) -> dict[Branch, float]:
    """Elo ratings starting at 1000. The sum stays constant: what one gains the other loses."""
    rating = dict.fromkeys(players, START)
    for game in games:
        expected = 1.0 / (1.0 + 10.0 ** ((rating[game.second] - rating[game.first]) / 400.0))
        change = K_FACTOR * (game.score - expected)
        rating[game.first] += change
        rating[game.second] -= change
    return rating


def mean_elo(players: Sequence[Branch], games: Iterable[Game]) -> dict[Branch, float]:
    """Elo averaged over orders in which the games may be counted, of a fixed draw, each with its
    reverse: one order alone would favour whoever happened to win late."""
    known = sorted(
        games, key=lambda g: (branch_order(g.first), branch_order(g.second), branch_order(g.winner))
    )
    dice = Random(len(known))
    drawn = [dice.sample(known, len(known)) for _ in range(ORDERS)]
    found = [elo(players, order) for one in drawn for order in (one, one[::-1])]
    return {player: sum(one[player] for one in found) / len(found) for player in players}


def _points(players: Iterable[Branch], games: Iterable[Game]) -> dict[Branch, float]:
    """A win is one point, a tie half a point."""
    points = dict.fromkeys(players, 0.0)
    for game in games:
        points[game.first] += game.score
        points[game.second] += 1.0 - game.score
    return points


def bradley_terry(players: Sequence[Branch], games: Sequence[Game]) -> dict[Branch, float]:
    """Bradley-Terry strengths (mean 1) by minorisation-maximisation; a tie is half a win for
    both."""
    strength, points = dict.fromkeys(players, 1.0), _points(players, games)
    for _ in range(STEPS if players else 0):
        weight = {player: 2 * PRIOR / (value + 1.0) for player, value in strength.items()}
        for game in games:
            share = 1.0 / (strength[game.first] + strength[game.second])
            weight[game.first] += share
            weight[game.second] += share
        new = {player: (PRIOR + points[player]) / weight[player] for player in players}
        mean = sum(new.values()) / len(new)
        strength = {player: value / mean for player, value in new.items()}
    return strength


def intervals(
    strength: Mapping[Branch, float], games: Sequence[Game]
) -> dict[Branch, tuple[float, float]]:
    """95 % intervals of Bradley-Terry strengths, from the curvature of the likelihood at its top
    (on the scale of logarithms)."""
    import numpy as np

    players = list(strength)
    at = {player: n for n, player in enumerate(players)}
    curvature = np.zeros((len(players), len(players)))
    for player, value in strength.items():
        curvature[at[player], at[player]] += 2 * PRIOR * value / (value + 1.0) ** 2
    for game in games:
        i, j = at[game.first], at[game.second]
        chance = strength[game.first] / (strength[game.first] + strength[game.second])
        weight = chance * (1.0 - chance)
        curvature[[i, j], [i, j]] += weight
        curvature[[i, j], [j, i]] -= weight
    errors = np.sqrt(np.diag(np.linalg.inv(curvature))) if players else ()
    factors = {player: math.exp(Z95 * float(errors[at[player]])) for player in players}
    return {
        player: (value / factors[player], value * factors[player])
        for player, value in strength.items()
    }


def games_of(matches: Iterable[MatchResult]) -> list[Game]:
    """A game for every criterion that a match was decided on."""
    return [
        Game(a, b, winners[name])
        for a, b, winners in matches
        for name in CRITERIA
        if name in winners
    ]


def standings(players: Sequence[Branch], matches: Iterable[MatchResult]) -> list[Standing]:
    """Best first: by mean Elo over the criteria, then points, then the lower number.

    In which order the matches come changes nothing.
    """
    known = list(matches)
    games = games_of(known)
    ratings = {
        name: mean_elo(players, [Game(a, b, won[name]) for a, b, won in known if name in won])
        for name in CRITERIA
    }
    played = Counter(player for game in games for player in (game.first, game.second))
    points, strength = _points(players, games), bradley_terry(players, games)
    found = [
        Standing(
            player,
            points[player],
            played[player],
            {name: round(rating[player], 1) for name, rating in ratings.items()},
            round(sum(rating[player] for rating in ratings.values()) / len(ratings), 1),
            round(strength[player], 3),
        )
        for player in players
    ]
    return sorted(found, key=lambda s: (-s.average, -s.points, branch_order(s.player)))


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


def leader(state: State, table: Sequence[Standing]) -> Branch | None:
    """The player that leads: the first whose chain is not short, or the only one there is. A person
    may pick any."""
    if len(table) == 1:
        return table[0].player
    return next(
        (standing.player for standing in table if not state.is_short(standing.player)), None
    )
