"""VIR-2, VIR-12: whom a leader invites next. Drawn by probability from a seed; equal seeds and
answers draw equal teams. Pure."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from coi_tui.methods.virsci.contents import Scientist
from coi_tui.methods.virsci.ecosystem import adjacency

MOST_ASKED = 3
"""Invitations for each free seat at most: a team that most people refuse stays small."""


@dataclass(frozen=True)
class Knobs:
    """VIR-12: which part of the invited seats should be new collaborators of the leader, and which
    part work on other topics."""

    freshness: float = 0.5
    diversity: float = 0.5


@dataclass(frozen=True)
class Drawn:
    """Who is invited, and how probable that was at this draw."""

    name: str
    chance: float


class TeamDraw:
    """The draws of one team. ``people`` are all that may be invited; the same calls give the same
    names."""

    def __init__(self, people: Sequence[Scientist], knobs: Knobs, seed: int) -> None:
        self.people = {person.name: person for person in people}
        self._knobs = knobs
        self._dice = random.Random(f"virsci:{seed}")
        self._rows = dict(zip(self.people, adjacency(people), strict=True))

    def leader(self) -> str:
        """Drawn among all, those with more of the session's papers rather than others."""
        names = list(self.people)
        return self._dice.choices(names, weights=[1 + self.people[name].here for name in names])[0]

    def next(self, leader: str, joined: Sequence[str], asked: Collection[str]) -> Drawn | None:
        """The next to be invited, nobody twice; None where nobody is left.

        Of those who joined, the share of strangers and of people with other topics is held to the
        knobs as far as there are such people.
        """
        free = [name for name in self.people if name != leader and name not in asked]
        if not free:
            return None
        pool = self._wished(leader, joined, free)
        names = list(self.people)
        row = self._rows.get(
            leader, [1] * len(names)
        )  # a person who leads has written with nobody here
        weights = [row[names.index(name)] for name in pool]
        drawn = self._dice.choices(range(len(pool)), weights=weights)[0]
        return Drawn(pool[drawn], weights[drawn] / sum(weights))

    def _wished(self, leader: str, joined: Sequence[str], free: list[str]) -> list[str]:
        """Those among the free who keep both shares; where there are none, those who keep the
        first, the second, or anybody."""
        stranger = self._due(
            self._knobs.freshness, [self.stranger(leader, name) for name in joined]
        )
        other = self._due(
            self._knobs.diversity, [self.other_topics(leader, name) for name in joined]
        )
        fresh = [name for name in free if self.stranger(leader, name) == stranger]
        diverse = [name for name in free if self.other_topics(leader, name) == other]
        both = [name for name in fresh if name in diverse]
        return both or fresh or diverse or free

    @staticmethod
    def _due(share: float, had: Sequence[bool]) -> bool:
        """Whether the next one should be of the kind of which there is to be a share."""
        return sum(had) < round(share * (len(had) + 1) + 1e-9)

    def stranger(self, leader: str, name: str) -> bool:
        """Whether somebody has not written with the leader."""
        one = self.people.get(leader)
        return one is None or name not in one.met

    def other_topics(self, leader: str, name: str) -> bool:
        """Whether somebody shares none of the leader's topics."""
        one, other = self.people.get(leader), self.people.get(name)
        return one is None or other is None or not set(one.topics) & set(other.topics)
