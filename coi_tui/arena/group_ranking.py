"""A ranking of many short texts by a judge that orders a group of eight at a time, best first.

Every player is shown in two groups that are drawn by a seed, then the nine that lead meet in a few
groups more. What is due follows from the players and the groups judged so far; nothing is stored,
and a run that was stopped goes on with the same groups.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from coi_tui.arena.ratings import Game, Standing, rated

SIZE, LEADERS, FINALS = 8, 9, 3
"""Texts of a group; players that meet again, and in how many groups."""
Group = tuple[str, ...]


class Judged(NamedTuple):
    """A group as it was ``shown``, and those of it that were put in an order, ``best_first``: they
    are better than those that were not named. Empty where the judge failed."""

    shown: Group
    best_first: Group


@dataclass(frozen=True)
class Due:
    """``groups`` that may be judged now, in any order, each as it is to be shown; ``most``: groups
    that are left at most, these included."""

    groups: tuple[Group, ...]
    most: int


def _together(players: Sequence[str], start: int, known: Mapping[Group, Judged]) -> int:
    """Where those end who were drawn together, as is seen from the groups: the most players of whom
    there is one."""
    for end in range(len(players), start, -1):
        if not known.keys().isdisjoint(_drawn(players[:end], start)):
            return end
    return len(players)


def _new(groups: Iterable[Group], known: Mapping[Group, Judged]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group not in known)


def due_groups(players: Sequence[str], judged: Sequence[Judged]) -> Due:
    """What is still to be judged. ``players`` stand in the order in which they came, the newest
    last; who was rejected after a group was judged stays among them. Those who came after others
    had been drawn get groups of their own, filled with earlier players, and finals if one of them
    leads; no group is asked again."""
    known = {one.shown: one for one in judged}
    seen, start = list[Judged](), 0
    while start < len(players):
        end = _together(players, start, known)
        drawn = _drawn(players[:end], start)
        later = len(players) - end
        rest = 2 * math.ceil(later / SIZE) + FINALS if later else 0
        finals = FINALS if end > SIZE else 0
        if left := _new(drawn, known):
            return Due(left, len(left) + finals + rest)
        seen += (known[group] for group in drawn)
        lead = [str(one.player) for one in ranking(players[:end], seen)[:LEADERS]]
        if finals and not {*lead}.isdisjoint(players[start:end]):
            groups = _finals(lead)
            if left := _new(groups, known):
                return Due(left, len(left) + rest)
            seen += (known[group] for group in groups)
        start = end
    return Due((), 0)


def _drawn(players: Sequence[str], start: int) -> list[Group]:
    """Two groups of each player from ``start`` on. Few meet twice, and who is shown early in one
    group is shown late in the other."""
    new, dice = players[start:], Random(" ".join(players))
    many = math.ceil(len(new) / SIZE)
    order = dice.sample(new, len(new))
    order += dice.sample(players[:start], min(start, many * SIZE - len(new)))
    if len(order) < 2:
        return []
    second = [
        tuple(player for n, player in enumerate(order) if (n + n // many) % many == group)[::-1]
        for group in range(many)
    ]
    return [*(tuple(order[n::many]) for n in range(many)), *second]


def _finals(lead: Sequence[str]) -> list[Group]:
    """The leaders in a ring, from a place that moves on, every other group in reverse."""
    found = [
        tuple(lead[(SIZE * n + place) % len(lead)] for place in range(SIZE)) for n in range(FINALS)
    ]
    return [group[::-1] if n % 2 else group for n, group in enumerate(found)]


def ranking(players: Sequence[str], judged: Iterable[Judged]) -> list[Standing]:
    """Best first, by the pairs that the groups imply, what being shown first gains apart. Points
    are pairs won; the intervals come from leaving out one group at a time. Of equals the first in
    the order of the players comes first; pairs with others than the players are left out."""
    place = {player: n for n, player in enumerate(players)}
    games = []
    for unit, (shown, best_first) in enumerate(judged):
        rest = [player for player in shown if player not in best_first]
        for n, better in enumerate(best_first):
            games += [
                Game(better, other, 1.0, unit, (shown[0] == better) - (shown[0] == other))
                for other in (*best_first[n + 1 :], *rest)
                if {better, other} <= place.keys()
            ]
    return rated(players, games)
