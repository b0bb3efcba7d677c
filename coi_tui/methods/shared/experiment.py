"""COI-14, COI-15: an experiment plan, and its review by points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.evidence import Evidence, chain_evidence, chain_of, records_of
from coi_tui.methods.shared.reads import IDEA_TEXT, TOPIC, experiment, idea, means
from coi_tui.methods.shared.replies import Experiment, Review, ReviewPoint
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import ReviewPoint as OwnPoint
from coi_tui.model.reviewing import dismissed_points, unanswered_own_points
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.prompt_calls import Asked
    from coi_tui.methods.services import Services, ServiceSet


class PlanStep(MethodStep):
    """A step about an experiment plan. ``evidence`` says what a plan may draw on: for a chain its
    cards' experiments."""

    def __init__(
        self, tools: ServiceSet | None = None, evidence: Evidence = chain_evidence
    ) -> None:
        super().__init__(tools)
        self._evidence = evidence


class ExperimentStep(PlanStep):
    """COI-14: the first plan. Reads the idea, the person's means, and of a chain the cards'
    experiments alone."""

    name = "experiment"
    prompts = ("coi_experiment",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (*idea("idea", branch, IDEA_TEXT), *means(state), *self._evidence(state, branch))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (2_200, 4_400), (1_100, 2_200))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, known = self.services(ctx), ctx.state.papers
        together = [known[row["paper"]] for row in records_of(inputs) if row["paper"] in known]
        papers = [*(found for _, found in inputs.all("papers")), *together]
        values = {
            "idea": inputs.fields("idea"),
            "means": next((said for _, said in inputs.all("means")), ""),
            "experiments": chain_of(inputs, "experiments"),
            "datasets": list(dict.fromkeys(name for p in papers for name in p.datasets)),
            "baselines": list(dict.fromkeys(name for p in papers for name in p.baselines)),
        }
        asked = await services.ask("coi_experiment", values, Experiment)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class ReviewStep(MethodStep):
    """Points on one version of the plan, and its scores; no points mean that nothing needs to
    change.

    The researcher's own points that the plan in use does not answer yet are carried on from the
    review before.
    """

    name = "review"
    prompts = ("coi_review",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch  # it is of one version, so no input for freshness
        return (
            TOPIC._replace(parent=True),
            *idea("idea", branch, IDEA_TEXT, parent=True),
            *experiment("experiment", branch, parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (2_500, 5_000), (450, 900))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services = parse_address(inputs.address).branch, self.services(ctx)
        asked = await reviewed(services, branch, inputs, inputs.fields("experiment"))
        said: list[ReviewPoint | OwnPoint] = [
            *asked.value.points,
            *unanswered_own_points(ctx.state, branch),
        ]
        points = [{"n": n, **_said(point)} for n, point in enumerate(said, start=1)]
        of = ctx.state.in_use(f"{branch}/exp")
        content: dict[str, Any] = {"points": points, "of": of.seq if of else 0}
        if asked.value.scores is not None:
            content["scores"] = asked.value.scores.model_dump()
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


async def reviewed(
    services: Services, branch: Branch, inputs: Inputs, plan: Mapping[str, Any]
) -> Asked[Review]:
    """Review a plan; the same plan is reviewed by the same call, whichever step asks."""
    values = {
        "topic": inputs.one("topic"),
        "idea": inputs.fields("idea"),
        "experiment": dict(plan),
        "dismissed": dismissed_points(services.ctx.state, branch),
    }
    return await services.ask("coi_review", values, Review)


def _said(point: ReviewPoint | OwnPoint) -> dict[str, Any]:
    """A point as it is kept: what it says, without the number that it had."""
    return {name: said for name, said in point.model_dump(exclude={"n"}).items() if said}
