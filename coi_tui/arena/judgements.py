"""Judgements of many topics: who won each match, how often the order decided, who agrees with whom.

A judgement is a plain record that names everything it depends on, so that every table follows from
a list of them, in any order. Ideas and experiments are judged by criteria of the same names: keep
two lists.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple

from coi_tui.arena.ratings import TIE, Game, Strengths, fit
from coi_tui.model.address import Branch

Outcome = Literal["first", "second", "tie"]


class Match(NamedTuple):
    """Two contestants, in the order of the alphabet, with what they made of a topic in one of
    several repeats."""

    topic: str
    repeat: int
    a: str
    b: str


@dataclass(frozen=True)
class Judgement:
    """What one judge said by one criterion of two texts in one order. ``judge``: a model and its
    prompt, or a ``person``; lengths are in words."""

    topic: str
    repeat: int
    first: str
    second: str
    judge: str
    criterion: str
    outcome: Outcome
    first_length: int
    second_length: int
    person: bool = False

    @property
    def match(self) -> Match:
        return Match(self.topic, self.repeat, *sorted((self.first, self.second)))

    @property
    def winner(self) -> Branch:
        """The better contestant, or TIE."""
        if self.outcome == "tie":
            return TIE
        return self.first if self.outcome == "first" else self.second

    @property
    def score(self) -> float:
        """What the contestant shown first got of the one point: half of it for a tie."""
        return {"first": 1.0, "second": 0.0, "tie": 0.5}[self.outcome]


Decisions = Mapping[tuple[Match, str], Branch]
"""The winner, or TIE, of each match by each criterion, as one judge decided."""


def _orders(judgements: Iterable[Judgement]) -> dict[tuple[Match, str], dict[str, Branch]]:
    """The winner by who was shown first."""
    found = defaultdict[tuple[Match, str], dict[str, Branch]](dict)
    for one in judgements:
        found[one.match, one.criterion][one.first] = one.winner
    return found


def decisions(judgements: Iterable[Judgement]) -> dict[str, Decisions]:
    """What each judge decided: a contestant wins only where it wins in both orders, else it is a
    tie. Of one order alone, only a person's word counts (COI-13)."""
    by_judge = defaultdict[tuple[str, bool], list[Judgement]](list)
    for one in judgements:
        by_judge[one.judge, one.person].append(one)
    return {
        judge: {
            at: winners.pop() if len(winners := set(orders.values())) == 1 else TIE
            for at, orders in _orders(own).items()
            if person or len(orders) == 2
        }
        for (judge, person), own in by_judge.items()
    }


@dataclass(frozen=True)
class Flips:
    """Of the criteria of matches that one judge judged in both ``orders``: those with two different
    winners (``flipped``), of these where whoever was shown first won (``to_first``), and those with
    a tie in one order only (``half``)."""

    orders: int
    flipped: int
    to_first: int
    half: int


def flips(judgements: Iterable[Judgement]) -> Flips:
    """How often the order changed the winner; of the judgements of one judge."""
    both = [orders for orders in _orders(judgements).values() if len(orders) == 2]
    flipped = [one for one in both if len({TIE, *one.values()}) == 3]
    return Flips(
        len(both),
        len(flipped),
        sum(all(first == winner for first, winner in one.items()) for one in flipped),
        sum(len(set(one.values())) == 2 for one in both) - len(flipped),
    )


@dataclass(frozen=True)
class Tally:
    """How often one contestant beat another by a criterion."""

    wins: int
    ties: int
    losses: int

    @property
    def points(self) -> float:
        """Of 100: 50 where both are equal, as in the published ablation (2 points a win and 1 a tie,
        50 matches). Raises ZeroDivisionError without a match."""
        return 50 * (2 * self.wins + self.ties) / (self.wins + self.ties + self.losses)


def tally(decided: Decisions, one: str, other: str) -> dict[str, Tally]:
    """Wins, ties and losses of one contestant against another, by criterion."""
    found = defaultdict[str, list[Branch]](list)
    for (match, criterion), winner in decided.items():
        if {match.a, match.b} == {one, other}:
            found[criterion].append(winner)
    return {
        criterion: Tally(*(winners.count(name) for name in (one, TIE, other)))
        for criterion, winners in found.items()
    }


@dataclass(frozen=True)
class Agreement:
    """How often two judges named the same winner, or both a tie. ``kappa`` is Cohen's: 0 what chance
    gives, 1 always; None where chance alone gives always."""

    common: int
    same: int
    kappa: float | None


def agreement(one: Decisions, other: Decisions, criterion: str = "") -> Agreement:
    """The agreement of two judges on the matches that both decided, by one criterion or by all.

    Which contestant of a match is called the first is arbitrary, so each is counted both ways: chance
    then shares what is no tie equally between both.
    """
    common = [at for at in one if at in other and criterion in ("", at[1])]
    signs = [(_sign(one[at], at[0]), _sign(other[at], at[0])) for at in common]
    both = cohen([*signs, *((-first, -second) for first, second in signs)])
    return Agreement(len(common), both.same // 2, both.kappa)


def _sign(winner: Branch, match: Match) -> int:
    return 0 if winner == TIE else 1 if winner == match.a else -1


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """The agreement of two raters on what both labelled, with Cohen's kappa (1960)."""
    number, same = len(pairs), sum(one == other for one, other in pairs)
    first, second = (Counter(labels) for labels in zip(*pairs, strict=True)) if pairs else ({}, {})
    chance = sum(first[label] * second[label] for label in first if label in second)
    left = number * number - chance
    return Agreement(number, same, (same * number - chance) / left if left else None)


Unit = Callable[[Judgement], Hashable]
TOPIC: Unit = attrgetter("topic")
"""Units for a statement on topics like these."""
REPEAT: Unit = attrgetter("topic", "repeat")
"""Units for a statement on these topics alone, each with several repeats."""


def strengths(
    judgements: Sequence[Judgement], players: Sequence[str] = (), *, unit: Unit = TOPIC
) -> Strengths:
    """The fit of these judgements (of one judge and criterion, or of several taken together); of
    all their contestants or of ``players``.

    Raises ValueError for a text without words, KeyError for a contestant that is not in ``players``.
    """
    return fit(
        players or sorted({player for one in judgements for player in (one.first, one.second)}),
        [
            Game(
                one.first,
                one.second,
                one.score,
                unit(one),
                1,
                math.log(one.first_length) - math.log(one.second_length),
            )
            for one in judgements
        ],
    )
