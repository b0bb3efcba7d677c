"""How the ideas compare: with the papers of their novelty reports, with each other in matches, and how they stand after those.

The researcher's own judgements and votes are given beside the model's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA as CRITERIA
from coi_tui.arena.ratings import START, Standing, standings
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import NoveltyReport
from coi_tui.model.state import State

JUDGEMENTS = ("same idea", "overlaps, differs", "unrelated")
"""What a researcher may say of a paper that a report compared (in the order in which ``c`` goes round)."""
FLIP = "TIE (order flips)"


@dataclass(frozen=True)
class Compared:
    """A paper of a novelty report. ``yours`` is the researcher's judgement, empty where there is none."""

    paper: str
    title: str
    year: int | None
    verdict: str
    overlap: str
    reason: str
    new: bool
    yours: str
    bad: bool
    found_by: tuple[str, ...] = ()


def compared(state: State, branch: Branch) -> list[Compared]:
    """The papers of the report in use, close matches first; none without a report."""
    report = state.read(f"{branch}/nov", NoveltyReport)
    if report is None:
        return []
    order = ("close match", "partial", "not close")
    bad = {case.paper for case in state.bad.get(branch, ())}
    out = []
    for row in report.papers:
        known = state.papers.get(row.paper)
        out.append(Compared(
            row.paper, known.title if known else row.paper, known.year if known else None, row.verdict, row.overlap, row.reason,
            row.new, state.judged.get((branch, row.paper), ""), row.paper in bad, tuple(row.found_by),
        ))  # fmt: skip
    return sorted(out, key=lambda c: order.index(c.verdict) if c.verdict in order else len(order))


@dataclass(frozen=True)
class Judged:
    """One criterion of a match: who won in each order (a branch, 0 for a tie), the result, and the researcher's vote (None: none)."""

    criterion: str
    straight: Branch
    swapped: Branch
    result: int
    vote: Branch | None

    @property
    def flips(self) -> bool:
        return self.straight != self.swapped


def criteria(state: State, address: str) -> list[Judged]:
    """The five criteria of a match as judged in both orders; without a result only the votes."""
    at, version = parse_address(address), state.in_use(address)
    votes = {name: state.votes.get((address, name)) for name in CRITERIA}
    if version is None:
        return [Judged(name, 0, 0, 0, votes[name]) for name in CRITERIA]
    c = version.content
    out = []
    for name in CRITERIA:
        straight, swapped = _winner(c["straight"].get(name), at.branch, at.other), _winner(c["swapped"].get(name), at.other, at.branch)
        out.append(Judged(name, straight, swapped, int(c["results"][name]), votes[name]))
    return out


def _winner(said: object, first: Branch, second: Branch) -> Branch:
    """A judge's word for a criterion as a branch: 0 the idea shown first, 1 the other, anything else a tie."""
    return {0: first, 1: second}.get(said, 0) if isinstance(said, int) else 0


def matches(state: State) -> list[str]:
    """Addresses of the matches that were judged."""
    return sorted(a for a in state.cells if a.startswith("A/") and state.in_use(a) is not None)


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
