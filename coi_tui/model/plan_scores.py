"""The score of an experiment plan, and whether a refinement is kept: only where a second review does not score it lower (IE-10).

A review scores a plan from 1 to 10 on each criterion; the score of the plan is their mean. The second review sees the refined plan alone:
neither the plan before it nor what the refinement says that it changed.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.model.address import Branch
from coi_tui.model.content import ExperimentPlan, Outcome, ReviewContent, SecondReview
from coi_tui.model.entries import Version
from coi_tui.model.state import State

CRITERIA = ("decisive", "sound", "feasible")
"""Would the result confirm or refute the idea; do data, baselines and metrics fit; could anyone carry it out as written."""


def score(scores: Mapping[str, int]) -> float | None:
    """The mean of the criteria, to a tenth; None where one has no score."""
    given = [scores[name] for name in CRITERIA if name in scores]
    return round(sum(given) / len(given), 1) if len(given) == len(CRITERIA) else None


def score_of(state: State, branch: Branch, plan: Version) -> float | None:
    """The score that was given to a version of the plan: by the review in use, else by the second review it was made with."""
    review = state.read(f"{branch}/review", ReviewContent)
    if review is not None and review.of == plan.seq:
        return score(review.scores)
    second = second_review_of(state, plan)
    return second.after if second is not None else None


def second_review_of(state: State, plan: Version) -> SecondReview | None:
    """The second review of a version of the plan; none for a text that a person wrote from it."""
    return None if plan.by_person else state.content(plan, ExperimentPlan).second_review


def outcome(before: float | None, after: float | None) -> Outcome:
    """What the second review says of a refinement; empty where there are no two scores to compare."""
    if before is None or after is None:
        return ""
    return "better" if after > before else "as good" if after == before else "rolled back"


def in_words(second: SecondReview) -> str:
    """The outcome in a clause."""
    if second.after is None:
        return "not compared: the second review gave no scores"
    if second.before is None:
        return f"not compared: a second review scores it {second.after}, and the plan before it has no score"
    return f"{second.outcome}: a second review scores it {second.after}, the plan before it {second.before}"


def rolled_back(state: State, branch: Branch, review: Version) -> bool:
    """Whether a refinement that answered a review was rolled back: another one from the same plan and points would be the same again."""
    plans = (state.versions[seq] for seq in state.cell(f"{branch}/exp").versions)
    answers = (plan for plan in plans if plan.recipe.get("review") == review.seq)
    return any(
        (second := second_review_of(state, plan)) is not None and second.outcome == "rolled back"
        for plan in answers
    )
