"""What the one call answers: the fields of an idea, then those of an experiment plan.

Only this module knows the forms. Where an idea and a plan have these fields everywhere, the two models are those of ``shared/replies.py``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from coi_tui.llm.reply_items import EACH_BY_ITSELF
from coi_tui.methods.shared.replies import Reasoned, Reply, Words


class Idea(Reasoned):
    """An idea as every method answers it."""

    title: Words
    summary: Words
    final: Words
    problem: Words
    mechanism: Words
    evaluation: Words
    setting: Words
    works: list[Words] = Field(default_factory=list, max_length=12)


class PlanClaim(Reply):
    """What the idea claims, and the measurement that would refute it."""

    claim: Words
    refuted_if: Words


class Experiment(Reasoned):
    """An experiment plan, by named parts."""

    claims: Annotated[list[PlanClaim], EACH_BY_ITSELF] = Field(min_length=2, max_length=5)
    decisive: Words
    rival: Words
    design: Words
    baselines: Words
    metrics: Words
    effort: Words
    references: list[Words] = Field(default_factory=list, max_length=12)

    def content(self) -> dict[str, Any]:
        claims = [{"name": one.claim, "description": f"refuted if {one.refuted_if.removeprefix('refuted if ')}"} for one in self.claims]
        today = {"ablation": self.rival, "implementation": self.effort, "feasibility": self.decisive, "pseudocode": ""}
        return {**super().content(), "claims": claims, **today}


class IdeaAndPlan(Experiment, Idea):
    """The whole answer: the idea first."""
