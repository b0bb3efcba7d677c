"""How the ideas compare: with the papers of their novelty reports, with each other in matches, and how they stand after those.

The researcher's own judgements and votes are given beside the model's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA as CRITERIA
from coi_tui.arena.ratings import START, Standing, leader, standings
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import MatchRecord, NoveltyReport
from coi_tui.model.state import State

JUDGEMENTS = ("same idea", "overlaps, differs", "unrelated")
"""What a researcher may say of a paper that a report compared (in the order in which ``c`` goes round)."""
CLOSENESS = ("close match", "partial", "not close")
"""The verdicts of a novelty report on a paper."""
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
    bad = {case.paper for case in state.bad.get(branch, ())}
    out = []
    for row in report.papers:
        known = state.papers.get(row.paper)
        out.append(Compared(
            row.paper, known.title if known else row.paper, known.year if known else None, row.verdict, row.overlap, row.reason,
            row.new, state.judged.get((branch, row.paper), ""), row.paper in bad, tuple(row.found_by),
        ))  # fmt: skip
    return sorted(out, key=lambda c: CLOSENESS.index(c.verdict) if c.verdict in CLOSENESS else len(CLOSENESS))


@dataclass(frozen=True)
class Judged:
    """One criterion of a match: who won in each order (a branch, 0 for a tie), the result, and the researcher's vote (None: none)."""

    criterion: str
    straight: Branch
    swapped: Branch
    result: Branch
    vote: Branch | None

    @property
    def flips(self) -> bool:
        return self.straight != self.swapped


def criteria(state: State, address: str) -> list[Judged]:
    """The five criteria of a match as judged in both orders; without a result only the votes."""
    at, match = parse_address(address), state.read(address, MatchRecord) or MatchRecord()
    return [
        Judged(
            name, _winner(match.straight.get(name), at.branch, at.other), _winner(match.swapped.get(name), at.other, at.branch),
            match.results.get(name, 0), state.votes.get((address, name)),
        )
        for name in CRITERIA
    ]  # fmt: skip


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
    players = state.ideas()
    played = []
    for address in sorted(a for a in state.cells if a.startswith("A/")):
        at, match = parse_address(address), state.read(address, MatchRecord)
        if match is not None and at.branch in players and at.other in players:
            played.append((at.branch, at.other, match.results))
    return standings(players, played)


def arena_leader(state: State) -> str:
    """The address of the idea that leads; empty before the first match, and where every chain is short."""
    table = arena(state)
    first = leader(state, table) if any(standing.games for standing in table) else None
    return f"{first}/idea" if first is not None else ""


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
