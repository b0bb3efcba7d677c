"""What a match means: both orders together, criterion by criterion (COI-13)."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.model.address import Branch

CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
TIE = 0


def agreed(first: Branch, second: Branch, straight: Mapping[str, int], swapped: Mapping[str, int]) -> dict[str, Branch]:
    """The winner of each criterion by number, or ``TIE``.

    ``straight`` holds 0 / 1 / 2 with ``first`` shown first, ``swapped`` with ``second`` shown first. Only where both orders name the same
    idea does it win; a flip, or a tie in either order, is a tie.
    """
    out: dict[str, Branch] = {}
    for name in CRITERIA:
        a: Branch = (first, second, TIE)[straight[name]]
        b: Branch = (second, first, TIE)[swapped[name]]
        out[name] = a if a == b else TIE
    return out
