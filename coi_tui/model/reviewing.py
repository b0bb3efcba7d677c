"""The review of an experiment plan: its points, which refinement answered them and whether it did
(COI-15), and the score of the plan.

A review scores a plan from 1 to 10 on each criterion; the score of the plan is their mean. A
refinement is kept only where its own review, which sees it alone, does not score it lower (IE-10)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from coi_tui.model.address import Branch, cell_at
from coi_tui.model.content import (
    ExperimentPlan,
    PlanScore,
    ReviewAnswer,
    ReviewContent,
    ReviewPoint,
)
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

PointStatus = Literal["open", "remark", "ticked", "dismissed", "done", "rebutted", "not addressed"]


CRITERIA = ("decisive", "sound", "feasible")
"""Would the result confirm or refute the idea; do data, baselines and metrics fit; could anyone
carry it out as written."""

Outcome = Literal["", "better", "as good", "rolled back"]


@dataclass(frozen=True)
class Round:
    """A review and the plan that answered it (None: not answered yet)."""

    review: Version
    plan: Version | None


def answering(state: State, branch: Branch) -> Round | None:
    """The review in use with the newest plan that answered it, of those that led to the plan in
    use; None without a review."""
    review = state.in_use(cell_at(branch, "review"))
    if review is None:
        return None
    plans = _with_ancestors(state, state.in_use(cell_at(branch, "exp")))
    answers = (plan for plan in plans if plan.recipe.get("review") == review.seq)
    return Round(review, max(answers, key=lambda plan: plan.seq, default=None))


def _with_ancestors(state: State, version: Version | None) -> Iterator[Version]:
    """A version and all that it descends from, each once."""
    seen: set[int] = set()
    todo = [version.seq] if version is not None else []
    while todo:
        found = state.versions.get(todo.pop())
        if found is not None and found.seq not in seen:
            seen.add(found.seq)
            todo += found.parents
            yield found


def points_of(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """The reviewer's points, those that the researcher added to this review (``own``), and what other
    programs propose: remarks, of which nothing follows by itself."""
    own = state.own_points.get((branch, review.seq), ())
    offers = (one.value for one in state.offers_at(review.address) if "point" in one.value)
    remarks = ({**one["point"], "remark": True} for one in offers if one["version"] == review.seq)
    return [
        *state.content(review, ReviewContent).points,
        *(ReviewPoint.from_stored(point) for point in (*own, *remarks)),
    ]


def mark_of(state: State, branch: Branch, review: Version, point: ReviewPoint) -> str:
    """The mark on a point. One that raises again what was dismissed in an earlier review stays
    dismissed until it is ticked; the researcher's own is ticked from the beginning."""
    found = state.points.get((branch, review.seq, point.n), "ticked" if point.own else None)
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
    reviews = state.cell(cell_at(branch, "review")).versions
    for seq in reversed(reviews[: reviews.index(review.seq)] if review.seq in reviews else ()):
        for earlier in points_of(state, branch, state.versions[seq]):
            mark = state.points.get((branch, seq, earlier.n))
            if mark is not None and says_the_same(earlier.point, point.point):
                return (seq, earlier.n) if mark == "dismissed" else None
    return None


def _marked(state: State, branch: Branch, review: Version, *marks: str) -> list[ReviewPoint]:
    points = points_of(state, branch, review)
    return [point for point in points if mark_of(state, branch, review, point) in marks]


def dismissed_points(state: State, branch: Branch) -> list[str]:
    """What stays dismissed in any review of a branch, the oldest first: no reviewer need raise
    it."""
    reviews = (state.versions[seq] for seq in state.cell(cell_at(branch, "review")).versions)
    found = (p.point for review in reviews for p in _marked(state, branch, review, "dismissed"))
    return list(dict.fromkeys(found))


def ticked_points(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """The points that the researcher ticked: what a refinement that was asked for is sent."""
    return _marked(state, branch, review, "ticked")


def points_to_answer(state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
    """What an unattended run sends: the ticked points; where the researcher ticked none, all but
    remarks and those that were dismissed or unticked."""
    ticked = ticked_points(state, branch, review)
    chosen = any((branch, review.seq, point.n) in state.points for point in ticked)
    every = _marked(state, branch, review, "", "ticked")
    return ticked if chosen else [point for point in every if not point.remark]


def unanswered_own_points(state: State, branch: Branch) -> list[ReviewPoint]:
    """The researcher's own points of the review in use that the plan in use does not answer,
    without those that were dismissed since."""
    one = answering(state, branch)
    if one is None:
        return []
    own = (point for point in points_of(state, branch, one.review) if point.own)
    return [p for p in own if point_status(state, branch, one, p) not in ("dismissed", "done")]


def says_the_same(one: str, other: str) -> bool:
    """Whether two points say the same in nearly the same words, however they are ordered."""
    left, right = (set(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return bool(left and right) and 2 * len(left & right) >= SAME_WORDS * (len(left) + len(right))


def answer(state: State, one: Round, point: ReviewPoint) -> ReviewAnswer:
    """What the refinement says to a point: what it changed, or why it changed nothing."""
    answers = state.content(one.plan, ExperimentPlan).answers if one.plan else []
    return next((found for found in answers if found.point == point.n), ReviewAnswer())


def point_status(state: State, branch: Branch, one: Round, point: ReviewPoint) -> PointStatus:
    """What became of a point. A change that is claimed counts only where the plan really differs:
    in the part that the answer names, or else the point; where that is none, in any."""
    mark = mark_of(state, branch, one.review, point)
    if mark == "dismissed":
        return "dismissed"
    found = answer(state, one, point)
    if point.remark and mark != "ticked" and found == ReviewAnswer():
        return "remark"
    if one.plan is None:
        return "ticked" if mark == "ticked" else "open"
    if not found.change:
        return "rebutted" if found.rebuttal else "not addressed"
    before = plan_before(state, one.plan)
    if before is None:
        before = state.versions.get(state.content(one.review, ReviewContent).of)
    changed = changed_parts(state, before, one.plan)
    part = (found.part or point.part).strip().casefold()
    return "done" if (part in changed if part in PARTS else changed) else "not addressed"


def plan_before(state: State, plan: Version) -> Version | None:
    """The version of the plan that this one was made from."""
    parents = (state.versions.get(seq) for seq in plan.parents)
    return next((v for v in parents if v is not None and v.address == plan.address), None)


def changed_parts(state: State, before: Version | None, after: Version) -> set[str]:
    """Parts of a plan that differ from those of another version; all where there is none."""
    if before is None:
        return set(PARTS)
    old, new = state.content(before, ExperimentPlan), state.content(after, ExperimentPlan)
    return {part for part in PARTS if old.part(part).split() != new.part(part).split()}


# -- scores


def score(scores: Mapping[str, int]) -> float | None:
    """The mean of the criteria, to a tenth; None where one has no score."""
    given = [scores[name] for name in CRITERIA if name in scores]
    return round(sum(given) / len(given), 1) if len(given) == len(CRITERIA) else None


def score_of(state: State, branch: Branch, plan: Version) -> float | None:
    """The score of a version of the plan: by the review in use, else the one that it was made
    with."""
    review = state.read(cell_at(branch, "review"), ReviewContent)
    if review is not None and review.of == plan.seq:
        return score(review.scores)
    own = scored(state, plan)
    return own.after if own is not None else None


def scored(state: State, plan: Version) -> PlanScore | None:
    """How a refined plan was scored; None for a plan that is no refinement, or a person's text."""
    return None if plan.by_person else state.content(plan, ExperimentPlan).scored


def outcome(result: PlanScore) -> Outcome:
    """What is said of a change; nothing where there are no two scores to compare."""
    before, after = result.before, result.after
    if result.longer:
        return "rolled back"
    if before is None or after is None:
        return ""
    return "better" if after > before else "as good" if after == before else "rolled back"


def in_words(result: PlanScore) -> str:
    """The outcome in a clause."""
    if result.longer:
        return "rolled back: it is longer than the plan before it"
    if word := outcome(result):
        return f"{word}: its review scores it {result.after}, the plan before it {result.before}"
    if result.after is None:
        return "not compared: its review gave no scores"
    return f"not compared: its review scores it {result.after}, and the plan before it has no score"


def rolled_back(state: State, branch: Branch, review: Version) -> bool:
    """Whether a refinement that answered a review was rolled back: another one from the same plan
    and points would be the same again."""
    plans = (state.versions[seq] for seq in state.cell(cell_at(branch, "exp")).versions)
    results = (scored(state, plan) for plan in plans if plan.recipe.get("review") == review.seq)
    return any(one and outcome(one) == "rolled back" for one in results)
