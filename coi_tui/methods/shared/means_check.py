"""An experiment plan against the person's means: what suffices and what is short. Only on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import experiment
from coi_tui.methods.shared.replies import MeansJudgement, StepMeans
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import ExperimentPlan
from coi_tui.model.means import (
    ADDRESS,
    ENOUGH,
    KINDS,
    SHORT,
    UNCLEAR,
    CheckedStep,
    Means,
    MeansCheck,
)
from coi_tui.model.plan_steps import PlanStep, steps_of
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

MOST_STEPS = 40
"""So many steps of a plan are checked in one call; a plan that has more says so."""


class MeansCheckStep(MethodStep):
    """One call: each step of the plan against the means."""

    name = "means check"
    prompts = ("coi_means_check",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        means = (Read("means", ref(ADDRESS, kind), optional=True) for kind in KINDS)
        return (*means, *experiment("experiment", branch))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (700, 4_000), (200, 4_000), expected=Expected(1, 1_400, 1_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        means = Means.from_held(
            {kind: text for kind, text in inputs.fields("means").items() if text}
        )
        every = steps_of(ExperimentPlan.from_held(inputs.fields("experiment")))
        steps = every[:MOST_STEPS]
        shown = [{"step": step.n, "part": step.part, "text": step.text} for step in steps]
        values = {"means": means.said(), "steps": shown}
        numbers = (
            Choices("steps", "step", [step.n for step in steps], exactly=False) if steps else None
        )
        asked = await services.ask("coi_means_check", values, MeansJudgement, choices=numbers)
        checked = MeansCheck(
            steps=judged(steps, asked.value.steps, means.said()), left_out=len(every) - len(steps)
        )
        return Result(
            (
                Made(
                    inputs.address,
                    checked.model_dump(exclude_defaults=True),
                    services.origin,
                    asked.recipe,
                ),
            )
        )


def judged(
    steps: Iterable[PlanStep], said: Iterable[StepMeans], means: Mapping[str, str]
) -> list[CheckedStep]:
    """Each step with what was said of it; nothing for one that was left out, or of which different things were said."""
    found: dict[int, StepMeans | None] = {}
    for one in said:
        found[one.step] = one if found.get(one.step, one) == one else None
    return [_judged(step, found.get(step.n), means) for step in steps]


def _judged(step: PlanStep, said: StepMeans | None, means: Mapping[str, str]) -> CheckedStep:
    """A step with its judgement. *Enough* and *short* must name means that the person has said, else nobody can tell."""
    row: dict[str, Any] = {"step": step.n, "part": step.part, "text": step.text}
    if said is None:
        return CheckedStep(**row)
    row |= {"judgement": said.judgement, "of": said.of, "reason": said.reason}
    if said.judgement in (ENOUGH, SHORT) and said.of not in means:
        row["judgement"] = UNCLEAR
        unsaid = (
            f"You have not said your {said.of}."
            if said.of
            else "It is not said of which of your means."
        )
        row["reason"] = f"{said.reason} ({unsaid})"
    elif said.judgement == SHORT:
        row |= {"short": said.short.strip(), "by": said.by.strip()}
    return CheckedStep(**row)
