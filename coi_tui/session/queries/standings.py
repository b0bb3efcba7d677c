"""How the ideas stand after their matches: ratings, the leader, the researcher's votes alone, and ratings as bars of characters."""

from __future__ import annotations

import math
from collections.abc import Sequence

from coi_tui.arena.matches import CRITERIA
from coi_tui.arena.ratings import START, Standing, standings
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.state import State

HALF = 6
"""Cells of the longest bar to each side."""
TOO_FEW = 3
"""Below so many matches a standing ranks nobody."""


def arena(state: State) -> list[Standing]:
    """Standings over the matches in use, best first; parked branches stand aside."""
    players = [b for b in state.branches if b not in state.parked and state.in_use(f"{b}/idea") is not None]
    played = []
    for address in sorted(a for a in state.cells if a.startswith("A/")):
        at, version = parse_address(address), state.in_use(address)
        if version is not None and at.branch in players and at.other in players:
            played.append((at.branch, at.other, version.content["results"]))
    return standings(players, played)


def arena_leader(state: State) -> str:
    """The address of the idea that leads; empty before the first match."""
    table = arena(state)
    return f"{table[0].player}/idea" if table and table[0].games else ""


def human_standings(state: State) -> list[tuple[Branch, float, int]]:
    """By the researcher's votes alone: branch, points (a tie is half), matches voted on; best first."""
    points: dict[Branch, float] = {}
    played: dict[Branch, set[str]] = {}
    for (address, _), winner in state.votes.items():
        at = parse_address(address)
        for branch in (at.branch, at.other):
            points[branch] = points.get(branch, 0.0) + (0.5 if winner == 0 else float(winner == branch))
            played.setdefault(branch, set()).add(address)
    return sorted(((b, points[b], len(played[b])) for b in points), key=lambda row: (-row[1], row[0]))


def matches_of(standing: Standing) -> int:
    """How many matches an idea has played: each has a game for every criterion."""
    return standing.games // len(CRITERIA)


def bars(table: Sequence[Standing]) -> tuple[str, list[str]]:
    """What one sign stands for, and a line for each idea that has played: its rating, a bar left or right of the start, its matches."""
    played = [s for s in table if s.games]
    worth = max(1, math.ceil(max((abs(s.average - START) for s in played), default=0) / HALF))
    return f"| is {START:.0f}, # is {worth} point{'' if worth == 1 else 's'}", [_line(s, worth) for s in played]


def _line(s: Standing, worth: int) -> str:
    away = s.average - START
    bar = "#" * max(int(away != 0), round(abs(away) / worth))
    n = matches_of(s)
    left, right = (bar, "") if away < 0 else ("", bar)
    return f"{s.player}/idea {s.average:5.0f} {left:>{HALF}}|{right:<{HALF}} {n} match{'' if n == 1 else 'es'}"
