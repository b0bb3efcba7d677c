"""Review points of an experiment plan: which there are, which refinement answered them, and whether
it did (COI-15)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from coi_tui.model.address import Branch
from coi_tui.model.content import Answer, ExperimentPlan, ReviewContent, ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.state import State

PARTS = ("claims", "decisive", "rival", "design", "baselines", "metrics", "effort", "references")
"""The parts of a plan, in the order in which they are read."""

ANY_PART = "the whole plan"
"""What a point of one's own is about when it names no part."""

NOTHING_TICKED = "no review point is ticked"
"""Why a refinement that was asked for cannot be sent."""

SAME_WORDS = 0.7
"""The share of common words from which on two points count as one."""

PointStatus = Literal["open", "ticked", "dismissed", "done", "rebutted", "not addressed"]


@dataclass(frozen=True)
class Round:
    """A review and the plan that answered it (None: not answered yet)."""

    review: Version
    plan: Version | None


def rounds(state: State, branch: Branch) -> list[Round]:
    """Refinements that led to the plan in use, oldest first, then the review in use when none of
    them answered it."""
    plans = sorted(with_ancestors(state, state.in_use(f"{branch}/exp")), key=lambda plan: plan.seq)
    answered = ((state.versions.get(int(plan.recipe.get("review") or 0)), plan) for plan in plans)
    out = [Round(review, plan) for review, plan in answered if review is not None]
    last = state.in_use(f"{branch}/review")
    if last is not None and all(r.review.seq != last.seq for r in out):
        out.append(Round(last, None))
    return out


def with_ancestors(state: State, version: Version | None) -> Iterator[Version]:
    """A version and all that it descends from, each once."""
    seen: set[int] = set()
    todo = [version.seq] if version is not None else []
    while todo:
        found = state.versions.get(todo.pop())
        if found is not None and found.seq not in seen:
            seen.add(found.seq)
            todo += found.parents
            yield found


def answering(state: State, branch: Branch) -> Round | None:
    """The review in use with the newest plan that answered it; None without a review."""
    last = state.in_use(f"{branch}/review")
    found = [r for r in rounds(state, branch) if last is not None and r.review.seq == last.seq]
    return found[-1] if found else None


def points_of(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """The reviewer's points, then those that the researcher added to this review (``own``)."""
    own = state.own_points.get((branch, review.seq), ())
    return [
        *state.content(review, ReviewContent).points,
        *(ReviewPoint.from_held(point) for point in own),
    ]


def mark_of(state: State, branch: Branch, review: Version, point: ReviewPoint) -> str:
    """The mark on a point. One that raises again what was dismissed in an earlier review stays
    dismissed until it is ticked."""
    found = state.points.get((branch, review.seq, point.n))
    if found is not None:
        return found
    return "dismissed" if dismissed_before(state, branch, review, point) else ""


def dismissed_before(
    state: State, branch: Branch, review: Version, point: ReviewPoint
) -> tuple[int, int] | None:
    """The dismissed point of an earlier review that an unmarked point raises again: the version of
    that review, its number there."""
    if point.own or (branch, review.seq, point.n) in state.points:
        return None
    reviews = state.cell(f"{branch}/review").versions
    for seq in reversed(reviews[: reviews.index(review.seq)] if review.seq in reviews else ()):
        for earlier in points_of(state, branch, state.versions[seq]):
            mark = state.points.get((branch, seq, earlier.n))
            if mark is not None and says_the_same(earlier.point, point.point):
                return (seq, earlier.n) if mark == "dismissed" else None
    return None


def dismissed_points(state: State, branch: Branch) -> list[str]:
    """What stays dismissed in any review of a branch, the oldest first: no reviewer need raise
    it."""
    reviews = [state.versions[seq] for seq in state.cell(f"{branch}/review").versions]
    dismissed = (
        point.point
        for review in reviews
        for point in points_of(state, branch, review)
        if mark_of(state, branch, review, point) == "dismissed"
    )
    return list(dict.fromkeys(dismissed))


def ticked_points(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """The points that the researcher ticked: what a refinement that was asked for is sent."""
    return [
        p for p in points_of(state, branch, review) if mark_of(state, branch, review, p) == "ticked"
    ]


def points_to_answer(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """What an unattended run sends: the ticked points; where none is ticked, all but those that
    were dismissed or unticked."""
    open_points = [
        p
        for p in points_of(state, branch, review)
        if mark_of(state, branch, review, p) not in ("dismissed", "unticked")
    ]
    return ticked_points(state, branch, review) or open_points


def unanswered_own_points(state: State, branch: Branch) -> list[ReviewPoint]:
    """The researcher's own points of the review in use that the plan in use does not answer,
    without those that were dismissed since."""
    one = answering(state, branch)
    own = [p for p in points_of(state, branch, one.review) if p.own] if one is not None else []
    return [
        p
        for p in own
        if one is not None and point_status(state, branch, one, p) not in ("dismissed", "done")
    ]


def says_the_same(one: str, other: str) -> bool:
    """Whether two points say the same in nearly the same words, however they are ordered."""
    left, right = (set(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return bool(left and right) and 2 * len(left & right) >= SAME_WORDS * (len(left) + len(right))


def answer(state: State, one: Round, point: ReviewPoint) -> Answer:
    """What the refinement says to a point: what it changed, or why it changed nothing."""
    answers = state.content(one.plan, ExperimentPlan).answers if one.plan else []
    return next((found for found in answers if found.point == point.n), Answer())


def point_status(state: State, branch: Branch, one: Round, point: ReviewPoint) -> PointStatus:
    """What became of a point. A change that is claimed but not in the plan's text counts as not
    addressed."""
    mark = mark_of(state, branch, one.review, point)
    if mark == "dismissed":
        return "dismissed"
    if one.plan is None:
        return "ticked" if mark == "ticked" else "open"
    found = answer(state, one, point)
    if found.rebuttal and not found.change:
        return "rebutted"
    return "done" if claim_holds(state, one, point) else "not addressed"


def claim_holds(state: State, one: Round, point: ReviewPoint) -> bool:
    """Whether the refinement claims a change for a point and the plan really differs in the part
    that the answer names, or else the point; where that is none, in any."""
    found = answer(state, one, point)
    if not found.change or one.plan is None:
        return False
    changed = changed_parts(state, plan_before(state, one), one.plan)
    part = (found.part or point.part).strip().casefold()
    return changed is None or (part in changed if part in PARTS else bool(changed))


def plan_before(state: State, one: Round) -> Version | None:
    """The plan that a refinement began with: its parent, else the one that was reviewed."""
    parents: Sequence[int] = one.plan.parents if one.plan else ()
    return state.versions.get(
        parents[0] if parents else state.content(one.review, ReviewContent).of
    )


def changed_parts(state: State, before: Version | None, after: Version) -> set[str] | None:
    """Parts of a plan that differ between two versions; None where the earlier one is not known."""
    if before is None:
        return None
    old, new = state.content(before, ExperimentPlan), state.content(after, ExperimentPlan)
    return {part for part in PARTS if old.part(part).split() != new.part(part).split()}
