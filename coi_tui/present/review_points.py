"""What became of each point of a review."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.model import reviewing
from coi_tui.model.address import Branch
from coi_tui.model.content import ReviewPoint
from coi_tui.model.reviewing import Round
from coi_tui.present.snapshot import ExportContext


@dataclass(frozen=True)
class PointOutcome:
    """What became of a review point: ``answered``, ``rebutted``, ``dismissed`` or ``NOT
    ADDRESSED``, and words for it."""

    point: ReviewPoint
    word: str
    said: str


def point_outcomes(context: ExportContext, branch: Branch, one: Round) -> list[PointOutcome]:
    return [
        _point_outcome(context, branch, one, p)
        for p in reviewing.points_of(context.state, branch, one.review)
    ]


def _point_outcome(
    context: ExportContext, branch: Branch, one: Round, point: ReviewPoint
) -> PointOutcome:
    became, change = (
        reviewing.point_status(context.state, branch, one, point),
        reviewing.answer(context.state, one, point).change,
    )
    if became == "dismissed":
        before = reviewing.dismissed_before(context.state, branch, one.review, point)
        reason = _reason_for_dismissal(context, branch, *(before or (one.review.seq, point.n)))
        return PointOutcome(
            point,
            "dismissed",
            f"dismissed by the researcher{f': {reason}' if reason else ', no reason given'}",
        )
    if became == "done":
        return PointOutcome(point, "answered", change)
    if became == "rebutted":
        return PointOutcome(
            point,
            "rebutted",
            f"not taken up, with the reason: {reviewing.answer(context.state, one, point).rebuttal}",
        )
    if change:
        return PointOutcome(
            point,
            "NOT ADDRESSED",
            f"a change is claimed ({change}), but that part of the plan reads the same as before",
        )
    left = "" if one.plan else "; the plan has not been refined since this review"
    return PointOutcome(point, "NOT ADDRESSED", f"the plan does not respond to it{left}")


def _reason_for_dismissal(context: ExportContext, branch: Branch, version: int, point: int) -> str:
    """The reason given with the newest dismissal of a point."""
    undone, wanted = context.snapshot.undone, (version, point)
    dismissals = (
        d
        for d in context.snapshot.decisions
        if d.action == "dismiss" and d.address == f"{branch}/review"
    )
    reasons = [
        d.reason
        for d in dismissals
        if d.group not in undone and (d.value.get("version"), d.value.get("point")) == wanted
    ]
    return reasons[-1] if reasons else ""


def open_points(context: ExportContext, branch: Branch) -> list[str]:
    """Numbers of points with no answer, in the newest review."""
    rounds = reviewing.rounds(context.state, branch)
    outcomes = point_outcomes(context, branch, rounds[-1]) if rounds else []
    return [str(one.point.n) for one in outcomes if one.word == "NOT ADDRESSED"]
