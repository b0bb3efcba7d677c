"""The result of a match (COI-13), and the one rating of the program: Bradley-Terry, shown on the
scale of Elo.

The log-odds that the text shown first wins are the difference of two strengths, plus a constant for
the position, plus a multiple of the difference of log lengths. A tie is half a win. Errors come from
the jackknife over units (leave out one topic, one match, one group; see what changes), as criteria
and orders of one say much the same. Everything is computed each time from the players and the
results so far; nothing is stored.

``benchmarks.ratings`` compares it with the packages choix and openskill on records of known
strengths.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from coi_tui.model.address import Branch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

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
"""The mean of all ratings."""
POINTS = 400 / math.log(10)
"""Points of one unit of log-odds, as those of Elo."""
PRIOR = 0.25
"""What is taken for known beforehand of each strength, and of the effects of position and length:
about 0, with a standard deviation of 2 (350 points). It is as much as one judgement says."""
LEAST = 6
"""Units without which no difference is stated: with fewer, a coin falls the same way every time in
more than 5 of 100 trials (two-sided)."""
POWER = 0.8
"""The share of trials in which ``needed`` units would show the difference."""
MORE = 0.01
"""The last Newton step is smaller than that many points."""


class Game(NamedTuple):
    """One comparison. ``score``: what the first got of the one point, half of it for a tie; games of
    one ``unit`` say much the same. ``position``: 1 where the first was shown first, -1 where the
    second was, 0 where neither or both; ``length``: the difference of log lengths."""

    first: Branch
    second: Branch
    score: float
    unit: Hashable
    position: float = 0.0
    length: float = 0.0


@dataclass(frozen=True)
class Estimate:
    """A number of points, its standard error, and its 95 % interval; infinite where it is open."""

    value: float
    error: float
    low: float
    high: float

    @property
    def interval(self) -> str:
        return f"{self.low:.0f} to {self.high:.0f}" if math.isfinite(self.low) else "open"

    @property
    def plain(self) -> dict[str, float | None]:
        """For JSON, which knows no infinity: None for a bound that is open."""
        return {
            name: value if math.isfinite(value) else None for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class Verdict:
    """How many points ``a`` is above ``b``. ``better`` names one of them, or is empty where the
    ``units`` (topics, or repeats) do not carry it; about so many as ``needed`` would show a
    difference of this size (None: of no size)."""

    a: str
    b: str
    difference: Estimate
    units: int
    needed: int | None

    @property
    def better(self) -> str:
        if self.units < LEAST or self.difference.low <= 0 <= self.difference.high:
            return ""
        return self.a if self.difference.value > 0 else self.b


@dataclass(frozen=True)
class Strengths:
    """A fit: log-odds of the contestants, of position and of length, and their covariance. ``units``
    are those that each contestant took part in, of ``every`` one. A contestant that is not among
    the players raises KeyError."""

    players: tuple[Branch, ...]
    units: Mapping[Branch, frozenset[Hashable]]
    every: int
    at: Floats
    covariance: Floats

    def rating(self, player: Branch) -> Estimate:
        """The rating in points; the mean of all contestants is 1000."""
        weights = dict.fromkeys(self.players, -1 / len(self.players))
        weights[player] += 1
        return self._sum(weights, self.every, start=START)

    @property
    def position(self) -> Estimate:
        """By how many points the contestant shown first seems stronger than it is."""
        return self._sum({}, self.every, position=1.0)

    @property
    def length(self) -> Estimate:
        """By how many points a text seems stronger than it is if it is twice as long."""
        return self._sum({}, self.every, length=math.log(2))

    def verdict(self, a: str, b: str, *, among: int = 1) -> Verdict:
        """Whether one of two contestants is better. ``among``: so many verdicts are read together,
        and in 95 of 100 cases none of them may be wrong (Bonferroni)."""
        units, level = len(self.units[a] & self.units[b]), 1 - 0.05 / among
        found = self._sum({a: 1.0, b: -1.0}, units, level=level)
        needed = None
        if found.value and units > 1:
            errors = student(level, units - 1) + NormalDist().inv_cdf(POWER)
            needed = max(LEAST, math.ceil(units * (errors * found.error / found.value) ** 2))
        return Verdict(a, b, found, units, needed)

    def _sum(
        self,
        weights: Mapping[Branch, float],
        units: int,
        *,
        position: float = 0.0,
        length: float = 0.0,
        level: float = 0.95,
        start: float = 0.0,
    ) -> Estimate:
        import numpy as np

        strengths = (weights.get(player, 0.0) for player in self.players)
        vector = np.array([*strengths, position, length]) * POINTS
        value, error = start + float(vector @ self.at), math.sqrt(vector @ self.covariance @ vector)
        half = student(level, units - 1) * error
        return Estimate(value, error, value - half, value + half)


def student(level: float, freedom: int) -> float:
    """Errors to each side of an interval by Student's t (Cornish-Fisher); infinite without
    freedom."""
    if freedom < 1:
        return math.inf
    z = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(sum(term / freedom**n for n, term in enumerate(terms)))


def fit(players: Sequence[Branch], games: Sequence[Game]) -> Strengths:
    """The most likely strengths, with effects of position and length. Raises KeyError for a
    contestant that is not in ``players``."""
    import numpy as np

    met = {player: set[Hashable]() for player in players}
    rows = defaultdict[Hashable, list[int]](list)
    column = {player: n for n, player in enumerate(players)}
    x = np.zeros((len(games), len(players) + 2))
    for n, (row, game) in enumerate(zip(x, games, strict=True)):
        row[column[game.first]], row[column[game.second]] = 1, -1
        row[-2:] = game.position, game.length
        rows[game.unit].append(n)
        met[game.first].add(game.unit)
        met[game.second].add(game.unit)
    score = np.array([game.score for game in games])
    at: Floats = np.zeros(x.shape[1])
    step: Floats = np.ones(1)
    prior = PRIOR * np.eye(len(at))
    while np.abs(step).max() * POINTS > MORE:
        expected = 1 / (1 + np.exp(-x @ at))
        weighted = x * (expected * (1 - expected))[:, None]
        curvature = x.T @ weighted + prior
        step = np.linalg.solve(curvature, x.T @ (score - expected) - PRIOR * at)
        # No game's log-odds change by more than 1: so every step gains, and it comes to an end.
        step /= max(1.0, np.abs(x @ step).max(initial=0))
        at = at + step
    inverse = np.linalg.inv(curvature)
    # What the games leave open the prior decides, and that counts as error too.
    covariance = PRIOR * inverse @ inverse
    for own in rows.values():
        without = curvature - x[own].T @ weighted[own]
        change = np.linalg.solve(without, x[own].T @ (score - expected)[own])
        covariance += (len(rows) - 1) / len(rows) * np.outer(change, change)
    units = {player: frozenset(own) for player, own in met.items()}
    return Strengths(tuple(players), units, len(rows), at, covariance)


@dataclass(frozen=True)
class Standing:
    """A player's results. ``points``: 1 a win and 0.5 a tie, of so many ``games``; ``rating`` by
    Bradley-Terry. Higher is better; none is a probability of being right."""

    player: Branch
    points: float
    games: int
    rating: Estimate


def rated(players: Sequence[Branch], games: Sequence[Game]) -> list[Standing]:
    """Best first: by rating, then the order of the players."""
    played, points = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for game in games:
        for player, score in ((game.first, game.score), (game.second, 1.0 - game.score)):
            played[player] += 1
            points[player] += score
    found = fit(players, games) if games else None
    even = Estimate(START, math.inf, -math.inf, math.inf)
    table = [
        Standing(one, points[one], played[one], found.rating(one) if found else even)
        for one in players
    ]
    return sorted(table, key=lambda one: -round(one.rating.value, 2))


def standings(players: Sequence[Branch], matches: Iterable[MatchResult]) -> list[Standing]:
    """Best first, each criterion of a match a game; in which order the matches come changes
    nothing."""
    return rated(
        players,
        [
            Game(a, b, 0.5 if winner == TIE else float(winner == a), (a, b))
            for a, b, winners in matches
            for winner in winners.values()
        ],
    )
