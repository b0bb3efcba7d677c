"""The result of a match: each criterion is judged with the two ideas in both orders (COI-13)."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.model.address import Branch

CRITERIA = ("novelty", "significance", "feasibility", "clarity", "effectiveness")
TIE = 0


def agreed(
    first: Branch, second: Branch, straight: Mapping[str, int], swapped: Mapping[str, int]
) -> dict[str, Branch]:
    """The winner of each criterion, or ``TIE``.

    The judgements are 0 (the idea shown first), 1 (the other one) or 2 (a tie): ``straight`` with
    ``first`` shown first, ``swapped`` with
    ``second`` shown first. An idea wins only where it wins in both orders.
    """
    winners: dict[str, Branch] = {}
    for name in CRITERIA:
        one: Branch = (first, second, TIE)[straight[name]]
        other: Branch = (second, first, TIE)[swapped[name]]
        winners[name] = one if one == other else TIE
    return winners
