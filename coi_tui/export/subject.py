"""What an export is made from: the state and what the floors above computed of it (COI-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coi_tui.config import CoiSettings
from coi_tui.model.address import parse_address
from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import undone_groups
from coi_tui.model.state import State

NUMBERS = tuple(name for name, of in CoiSettings.model_fields.items() if of.annotation is int)
"""The bounds of the method that are numbers."""


@dataclass(frozen=True)
class StandingLine:
    """An idea's place among the ideas; ``player`` is its branch. Elo per criterion, their average, Bradley-Terry strength (mean 1)."""

    player: int
    points: float
    games: int
    elo: Mapping[str, float] = field(default_factory=dict)
    average: float = 0.0
    strength: float = 1.0


@dataclass(frozen=True)
class Subject:
    """A session at the moment of its export.

    ``fresh``: status word by address (fresh, kept, stale, upstream, missing); ``stopped``: why a side of a chain ended, by branch and
    ``forward`` or ``backward``; ``failures``: cause by address; ``calls`` without their replies; ``branch``: the winner (``winner``).
    """

    name: str
    method: str
    exported_at: str
    state: State
    fresh: Mapping[str, str] = field(default_factory=dict)
    stopped: Mapping[tuple[int, str], str] = field(default_factory=dict)
    standings: Sequence[StandingLine] = ()
    calls: Sequence[Call] = ()
    decisions: Sequence[Decision] = ()
    failures: Mapping[str, str] = field(default_factory=dict)
    branch: int | None = None

    @property
    def shown(self) -> list[int]:
        """Branches told in full: the winner, or all of them while there is none."""
        return [self.branch] if self.branch is not None else self.state.branches

    @property
    def undone(self) -> set[str]:
        """Groups of decisions that were taken back."""
        return undone_groups(self.decisions)

    @property
    def matches(self) -> list[str]:
        """Addresses of the matches that have a result, in order."""
        found = [a for a in self.state.cells if parse_address(a).part == "match" and self.state.in_use(a) is not None]
        return sorted(found, key=parse_address)

    def version(self, address: str) -> Version | None:
        return self.state.in_use(address)

    def in_use(self) -> dict[str, Version]:
        """The version in use of every cell that has one, by address."""
        found = ((address, self.state.in_use(address)) for address in sorted(self.state.cells, key=parse_address))
        return {address: version for address, version in found if version is not None}

    def bound(self, name: str) -> int:
        """A bound of the method as this session has it, else its default."""
        value = self.state.settings.get(name)
        return int(value) if isinstance(value, int) else int(getattr(CoiSettings(), name))


def winner(state: State, standings: Sequence[StandingLine]) -> int | None:
    """The branch to tell about: the person's pick, else the leader of the matches played, else the only idea."""
    if state.pick is not None:
        return state.pick
    if standings and standings[0].games:
        return standings[0].player
    ideas = [b for b in state.branches if b not in state.parked and state.in_use(f"{b}/idea") is not None]
    return ideas[0] if len(ideas) == 1 else None
