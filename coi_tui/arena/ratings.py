"""The result of a match (COI-13), and ratings: Elo by criterion as published, and Bradley-Terry.

Each criterion of a match is judged with the two ideas in both orders. Ratings are computed each
time from the players and the results so far; nothing is stored.

``benchmarks.ratings`` compares the ratings with the packages choix and openskill on records of known
strengths.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from coi_tui.model.address import Branch
from coi_tui.model.state import State

CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
OF_EXPERIMENTS = ("feasibility", "quality", "clarity")
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
    place = {player: n for n, player in enumerate((TIE, *players))}
    known = sorted(games, key=lambda g: (place[g.first], place[g.second], place[g.winner]))
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


def games_of(matches: Iterable[MatchResult], criteria: Sequence[str] = CRITERIA) -> list[Game]:
    """A game for every criterion that a match was decided on."""
    return [
        Game(a, b, winners[name])
        for a, b, winners in matches
        for name in criteria
        if name in winners
    ]


def standings(
    players: Sequence[Branch],
    matches: Iterable[MatchResult],
    criteria: Sequence[str] = CRITERIA,
) -> list[Standing]:
    """Best first: by mean Elo over the criteria, then points, then the order of the players.

    In which order the matches come changes nothing.
    """
    known = list(matches)
    games = games_of(known, criteria)
    ratings = {
        name: mean_elo(players, [Game(a, b, won[name]) for a, b, won in known if name in won])
        for name in criteria
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
    return sorted(found, key=lambda s: (-s.average, -s.points))


def leader(state: State, table: Sequence[Standing]) -> Branch | None:
    """The player that leads: the first whose chain is not short, or the only one there is. A person
    may pick any."""
    if len(table) == 1:
        return table[0].player
    return next(
        (standing.player for standing in table if not state.is_short(standing.player)), None
    )
