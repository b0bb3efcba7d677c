"""Ratings as bars of characters: how far each idea has come from where all of them began."""

from __future__ import annotations

import math
from collections.abc import Sequence

from coi_tui.arena.ratings import START, Standing
from coi_tui.session.queries.views import CRITERIA

HALF = 6
"""Cells of the longest bar to each side."""


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
