"""The score of an experiment plan, and whether a refinement is kept: only where its own review does
not score it lower (IE-10).

A review scores a plan from 1 to 10 on each criterion; the score of the plan is their mean. A
refined plan is scored once, by a review that sees it alone: neither the plan before it nor what the
refinement says that it changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from coi_tui.model.address import Branch
from coi_tui.model.content import ExperimentPlan, PlanScore, ReviewContent
from coi_tui.model.entries import Version
from coi_tui.model.state import State

CRITERIA = ("decisive", "sound", "feasible")
"""Would the result confirm or refute the idea; do data, baselines and metrics fit; could anyone
carry it out as written."""
Outcome = Literal["", "better", "as good", "rolled back"]


def score(scores: Mapping[str, int]) -> float | None:
    """The mean of the criteria, to a tenth; None where one has no score."""
    given = [scores[name] for name in CRITERIA if name in scores]
    return round(sum(given) / len(given), 1) if len(given) == len(CRITERIA) else None


def score_of(state: State, branch: Branch, plan: Version) -> float | None:
    """The score of a version of the plan: by the review in use, else the one that it was made
    with."""
    review = state.read(f"{branch}/review", ReviewContent)
    if review is not None and review.of == plan.seq:
        return score(review.scores)
    held = scored(state, plan)
    return held.after if held is not None else None


def scored(state: State, plan: Version) -> PlanScore | None:
    """How a refined plan was scored; None for a plan that is no refinement, or a person's text."""
    return None if plan.by_person else state.content(plan, ExperimentPlan).scored


def outcome(before: float | None, after: float | None) -> Outcome:
    """What two scores say of a change; empty where there are no two to compare."""
    if before is None or after is None:
        return ""
    return "better" if after > before else "as good" if after == before else "rolled back"


def in_words(held: PlanScore) -> str:
    """The outcome in a clause."""
    if said := outcome(held.before, held.after):
        return f"{said}: its review scores it {held.after}, the plan before it {held.before}"
    return "not compared: " + (
        "its review gave no scores"
        if held.after is None
        else f"its review scores it {held.after}, and the plan before it has no score"
    )


def rolled_back(state: State, branch: Branch, review: Version) -> bool:
    """Whether a refinement that answered a review was rolled back: another one from the same plan
    and points would be the same again."""
    plans = (state.versions[seq] for seq in state.cell(f"{branch}/exp").versions)
    held = (scored(state, plan) for plan in plans if plan.recipe.get("review") == review.seq)
    return any(one and outcome(one.before, one.after) == "rolled back" for one in held)
