"""What a match means: both orders together, criterion by criterion (COI-13)."""

from __future__ import annotations

from collections.abc import Mapping

CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
TIE = 0


def agreed(first: int, second: int, straight: Mapping[str, int], swapped: Mapping[str, int]) -> dict[str, int]:
    """The winner of each criterion by number, or ``TIE``.

    ``straight`` holds 0 / 1 / 2 with ``first`` shown first, ``swapped`` with ``second`` shown first. Only where both orders name the same
    idea does it win; a flip, or a tie in either order, is a tie.
    """
    out: dict[str, int] = {}
    for name in CRITERIA:
        a = (first, second, TIE)[straight[name]]
        b = (second, first, TIE)[swapped[name]]
        out[name] = a if a == b else TIE
    return out
