"""An experiment plan with what changed against the version before it, and its review points with
what became of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from coi_tui.model import reviewing
from coi_tui.model.address import Branch
from coi_tui.model.content import ExperimentPlan, ReviewPoint
from coi_tui.model.entries import Decision, Version
from coi_tui.model.naming import version_name, version_number
from coi_tui.model.plan_scores import score
from coi_tui.model.reviewing import PARTS, Fate
from coi_tui.model.state import State
from coi_tui.model.text import sentences


@dataclass(frozen=True)
class PointLine:
    """A review point. ``claim`` is what the refinement says it changed for it, ``rebuttal`` why it
    changed nothing, ``mark`` the researcher's tick or dismissal, ``answered_by`` the number of the
    plan's version that answered the review (0: none did yet), ``before`` the version of the earlier
    review in which the researcher dismissed the same point; empty where the mark is of this review.
    """

    n: int
    part: str
    point: str
    point_status: Fate
    mark: str
    claim: str
    answered_by: int
    own: bool = False
    reason: str = ""
    before: str = ""
    rebuttal: str = ""


def point_lines(
    state: State, branch: Branch, reasons: Mapping[tuple[int, int], str]
) -> list[PointLine]:
    """The points of the review in use, in order. ``reasons``: those given for dismissing, by review
    version and point."""
    one = reviewing.answering(state, branch)
    if one is None:
        return []
    number = version_number(state, f"{branch}/exp", one.plan.seq) if one.plan else 0
    return [
        _point_line(state, branch, one, p, number, reasons)
        for p in reviewing.points_of(state, branch, one.review)
    ]


def _point_line(
    state: State,
    branch: Branch,
    one: reviewing.Round,
    p: ReviewPoint,
    number: int,
    reasons: Mapping[tuple[int, int], str],
) -> PointLine:
    mark, before = (
        reviewing.mark_of(state, branch, one.review, p),
        reviewing.dismissed_before(state, branch, one.review, p),
    )
    return PointLine(
        p.n,
        p.part,
        p.point,
        reviewing.point_status(state, branch, one, p),
        mark,
        reviewing.answer(state, one, p).change,
        number,
        p.own,
        reasons.get(before or (one.review.seq, p.n), ""),
        version_name(state, f"{branch}/review", before[0]) if before else "",
        reviewing.answer(state, one, p).rebuttal,
    )


def dismissals(
    decisions: Sequence[Decision], branch: Branch, undone: set[str]
) -> dict[tuple[int, int], str]:
    """The reasons of dismissals that stand, by review version and point."""
    return {
        (int(d.value["version"]), int(d.value["point"])): d.reason
        for d in decisions
        if d.action == "dismiss" and d.address == f"{branch}/review" and d.group not in undone
    }


def changes(state: State, before: Version | None, after: Version) -> list[tuple[str, str]]:
    """The plan part by part. Parts that differ are given sentence by sentence: ``+`` is new, ``-``
    is gone, two spaces stayed."""
    new = _parts(state.content(after, ExperimentPlan))
    old = _parts(state.content(before, ExperimentPlan)) if before is not None else new
    out = []
    for part, text in new.items():
        if old[part] != text:
            out.append((f"{part.upper()}   (changed)", "\n".join(_differing(old[part], text))))
        elif text:
            out.append((part.upper(), text))
    return out


def _parts(plan: ExperimentPlan) -> dict[str, str]:
    return {part: plan.part(part) for part in PARTS}


def _differing(before: str, after: str) -> list[str]:
    left, right = sentences(before), sentences(after)
    out: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            out += [f"  {piece}" for piece in left[a:b]]
        else:
            out += [f"- {piece}" for piece in left[a:b]]
            out += [f"+ {piece}" for piece in right[c:d]]
    return out


def fetched(state: State, plan: Version) -> str:
    """What was searched and read for a refinement; empty for a plan that is none."""
    support = state.content(plan, ExperimentPlan).support
    if support is None:
        return ""
    if not support.queries:
        return "Nothing was searched for this version."
    lines = [f"Searched for “{query}”." for query in support.queries]
    for row in support.facts:
        known, used = state.papers.get(row.paper), len(row.facts)
        count = f"{used} fact{'' if used == 1 else 's'}" if used else "of no use"
        lines.append(f"{'+' if used else '.'} {known.title if known else row.title}   {count}")
    return "\n".join(lines)


def scores_text(scores: Mapping[str, int]) -> str:
    """The scores that a review gave, by criterion, with their mean."""
    each = ", ".join(f"{name} {said}" for name, said in scores.items())
    mean = score(scores)
    return f"{each} (1 to 10){f'; {mean} on average' if mean is not None else ''}"
