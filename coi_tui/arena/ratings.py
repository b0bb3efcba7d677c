"""Elo and Bradley-Terry ratings. They are computed from the matches each time; nothing is stored.

``benchmarks.ratings`` holds them beside the packages choix and openskill on records of known
strengths.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

from coi_tui.arena.matches import CRITERIA, TIE
from coi_tui.arena.pairing import groups
from coi_tui.model.address import Branch, branch_order
from coi_tui.model.state import State

START = 1000.0
K_FACTOR = 32.0
ORDERS = 120
"""Orders of the games that Elo is averaged over, where there are more than so many."""
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
    """Elo averaged over the orders in which the games may be counted: all of them where they are
    few, else some of a fixed draw, each with its reverse.

    One order alone would favour whoever happened to win late.
    """
    known = sorted(
        games, key=lambda g: (branch_order(g.first), branch_order(g.second), branch_order(g.winner))
    )
    orders: list[Sequence[Game]] = list(permutations(known)) if len(known) < 6 else []
    dice = Random(len(known))
    while len(orders) < ORDERS and len(known) >= 6:
        order = dice.sample(known, len(known))
        orders += [order, order[::-1]]
    found = [elo(players, order) for order in orders]
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


def games_of(matches: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]) -> list[Game]:
    """A game for every criterion that a match was decided on."""
    return [
        Game(a, b, winners[name])
        for a, b, winners in matches
        for name in CRITERIA
        if name in winners
    ]


def standings(
    players: Sequence[Branch], matches: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]
) -> list[Standing]:
    """Best first: by mean Elo over the criteria, then points, then the lower number.

    ``matches`` holds (first, second, winner by criterion; a vote may leave criteria out). In which
    order they come changes nothing.
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


def too_few(matches: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]) -> str:
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
