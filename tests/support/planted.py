"""Judges of known strength, bias and noise: judgements whose truth is known.

The expected score of the contestant shown first is exactly what Bradley-Terry says of strengths,
position and length. What is drawn is not independent, as with real judges: an idea that came out well
meets all others of its topic, and criteria and orders of a match share most of their noise.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from coi_tui.arena.judgements import Judgement, Match
from coi_tui.arena.ratings import CRITERIA

POINTS = 400 / math.log(10)
PHI = NormalDist().cdf


class Idea(NamedTuple):
    """How well a contestant's idea on a topic came out, and its length."""

    name: str
    luck: float
    words: int


@dataclass(frozen=True)
class Planted:
    """``elo``: the true ratings; ``position``: points for the text shown first; ``length``: points for
    twice the length; ``words``: usual length by contestant; ``spread``: standard deviation of log
    lengths; ``of_idea``, ``of_match``: shares of the variance that belong to an idea on a topic and
    to a match, the rest is drawn for each judgement; ``ties``: at most twice the share of ties."""

    elo: Mapping[str, float]
    seed: int = 0
    position: float = 0.0
    length: float = 0.0
    words: Mapping[str, int] = field(default_factory=dict)
    spread: float = 0.4
    of_idea: float = 0.2
    of_match: float = 0.4
    ties: float = 0.4
    criteria: Sequence[str] = CRITERIA
    name: str = "planted"

    def judge(self, matches: Iterable[Match]) -> list[Judgement]:
        """Both orders and all criteria of these matches; the same match is judged in the same way
        whichever others there are."""
        return [one for match in matches for one in self._match(match)]

    def _idea(self, topic: str, repeat: int, name: str) -> Idea:
        dice = Random(f"{self.seed} {topic} {repeat} {name}")
        luck, long = dice.gauss(0, 1), math.exp(dice.gauss(0, self.spread))
        return Idea(name, luck, max(1, round(self.words.get(name, 500) * long)))

    def _match(self, match: Match) -> Iterable[Judgement]:
        dice = Random(f"{self.seed} {match}")
        a, b = (self._idea(match.topic, match.repeat, name) for name in (match.a, match.b))
        shared = math.sqrt(self.of_idea / 2) * (a.luck - b.luck)
        shared += math.sqrt(self.of_match) * dice.gauss(0, 1)
        own = math.sqrt(1 - self.of_idea - self.of_match)
        gap = self.elo[a.name] - self.elo[b.name] + self.length * math.log2(a.words / b.words)
        for criterion in self.criteria:
            for sign, first, second in ((1, a, b), (-1, b, a)):
                luck = PHI(shared + own * dice.gauss(0, 1))
                chance = 1 / (1 + math.exp(-(gap + sign * self.position) / POINTS))
                tie = self.ties * chance * (1 - chance)
                winner = a if luck > 1 - chance + tie else b if luck < 1 - chance - tie else None
                yield Judgement(
                    match.topic,
                    match.repeat,
                    first.name,
                    second.name,
                    self.name,
                    criterion,
                    "tie" if winner is None else "first" if winner is first else "second",
                    first.words,
                    second.words,
                )


def league(players: Iterable[str], topics: int, repeats: int = 1) -> list[Match]:
    """Every pair on every topic."""
    return [
        Match(f"topic {topic}", repeat, *pair)
        for topic in range(topics)
        for repeat in range(repeats)
        for pair in combinations(sorted(players), 2)
    ]


SIX = {name: 1200.0 - 80 * n for n, name in enumerate("ABCDEF")}
"""Six contestants 80 points apart, the best first."""
