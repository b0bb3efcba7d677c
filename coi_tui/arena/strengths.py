"""Bradley-Terry with terms for position and length, intervals that know that the judgements of a
topic belong together, and the verdict: who is better, and how many repeats say so.

The log-odds that the text shown first wins are the difference of two strengths, plus a constant for
the position, plus a multiple of the difference of log lengths. A tie is half a win, as in Elo, whose
scale is that of the expected score. Errors come from the jackknife over units (leave out one topic,
see what changes), as criteria, orders and matches of one topic say much the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import NormalDist
from typing import TYPE_CHECKING

from coi_tui.arena.judgements import Judgement
from coi_tui.arena.ratings import START

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

POINTS = 400 / math.log(10)
"""Elo points of one unit of log-odds."""
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

Unit = Callable[[Judgement], Hashable]
TOPIC: Unit = attrgetter("topic")
"""Units for a statement on topics like these."""
REPEAT: Unit = attrgetter("topic", "repeat")
"""Units for a statement on these topics alone, each with several repeats."""


@dataclass(frozen=True)
class Estimate:
    """A number of Elo points, its standard error, and its interval."""

    value: float
    error: float
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """How many Elo points ``a`` is above ``b``. ``better`` names one of them, or is empty where the
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

    players: tuple[str, ...]
    units: Mapping[str, frozenset[Hashable]]
    every: int
    at: Floats
    covariance: Floats

    def rating(self, player: str) -> Estimate:
        """The Elo rating; the mean of all contestants is 1000."""
        weights = dict.fromkeys(self.players, -1 / len(self.players))
        weights[player] += 1
        return self._sum(weights, len(self.units[player]), start=START)

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
        weights: Mapping[str, float],
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


def strengths(
    judgements: Sequence[Judgement], players: Sequence[str] = (), *, unit: Unit = TOPIC
) -> Strengths:
    """The most likely strengths, with effects of position and length, of these judgements (of one
    judge and criterion, or of several taken together); of all their contestants or of ``players``.

    Raises ValueError for a text without words, KeyError for a contestant that is not in ``players``.
    """
    import numpy as np

    met = defaultdict[str, set[Hashable]](set)
    rows = defaultdict[Hashable, list[int]](list)
    for n, one in enumerate(judgements):
        rows[unit(one)].append(n)
        met[one.first].add(unit(one))
        met[one.second].add(unit(one))
    names = tuple(players or sorted(met))
    column = {name: n for n, name in enumerate(names)}
    x = np.zeros((len(judgements), len(names) + 2))
    for row, one in zip(x, judgements, strict=True):
        row[column[one.first]], row[column[one.second]] = 1, -1
        row[-2:] = 1, math.log(one.first_length) - math.log(one.second_length)
    score = np.array([one.score for one in judgements])
    at: Floats = np.zeros(x.shape[1])
    step: Floats = np.ones(1)
    prior = PRIOR * np.eye(len(at))
    while np.abs(step).max() * POINTS > MORE:
        expected = 1 / (1 + np.exp(-x @ at))
        weighted = x * (expected * (1 - expected))[:, None]
        curvature = x.T @ weighted + prior
        step = np.linalg.solve(curvature, x.T @ (score - expected) - PRIOR * at)
        # No judgement's log-odds change by more than 1: so every step gains, and it comes to an end.
        step /= max(1.0, np.abs(x @ step).max(initial=0))
        at = at + step
    inverse = np.linalg.inv(curvature)
    # What the judgements leave open the prior decides, and that counts as error too.
    covariance = PRIOR * inverse @ inverse
    for own in rows.values():
        without = curvature - x[own].T @ weighted[own]
        change = np.linalg.solve(without, x[own].T @ (score - expected)[own])
        covariance += (len(rows) - 1) / len(rows) * np.outer(change, change)
    units = {name: frozenset(met[name]) for name in names}
    return Strengths(names, units, len(rows), at, covariance)
