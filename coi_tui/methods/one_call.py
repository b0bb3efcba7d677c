"""One call: topic and criteria in, an idea and its experiment plan out, in a single answer. What
the other methods are compared with; novelty check, matches and review follow as for any idea."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result, View
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.reads import HUNCH, TOPIC, reading
from coi_tui.methods.base.replies import Experiment, Idea
from coi_tui.methods.base.task import MethodTask, one_call, result, values_of
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.evidence.papers import no_evidence
from coi_tui.methods.ideas import kinds
from coi_tui.methods.ideas.experiment import ExperimentTask
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

PLAN = "plan"
"""Under this name the recipe of an idea keeps the plan of the same answer."""


class IdeaAndPlan(Experiment, Idea):
    """The whole answer: an idea, then the plan of its experiment."""


class OneCallTask(MethodTask):
    """The call. Its plan waits in the recipe of the idea for its own cell."""

    name, prompts = "one call", ("one_call",)
    size = one_call((750, 1_500), (2_900, 5_800))
    reads = staticmethod(reading(TOPIC, HUNCH))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), values_of(ctx, inputs)
        asked = await services.ask("one_call", values, IdeaAndPlan)
        reply = asked.value.content()
        idea = {name: reply.pop(name) for name in Idea.model_fields if name in reply}
        return result(inputs, idea, services.origin, {**asked.recipe, PLAN: reply})


class PlanOfCallTask(ExperimentTask):
    """The plan that came with the idea, without a call; of an idea that a person changed, a plan is
    made as for any other."""

    def cost(self, state: State, address: str) -> Cost:
        idea = state.in_use(f"{parse_address(address).branch}/idea")
        return Cost() if idea is None or PLAN in idea.recipe else super().cost(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        idea = ctx.state.in_use(f"{parse_address(inputs.address).branch}/idea")
        if idea is None or PLAN not in idea.recipe:
            return await super().run(ctx, inputs)
        recipe = {name: reply for name, reply in idea.recipe.items() if name not in (PLAN, "step")}
        return result(inputs, idea.recipe[PLAN], idea.origin, recipe)


class OneCall(BranchedMethod):
    """One branch; its idea is not drafted again, however close a paper comes: it is the plain
    call."""

    name, short = ONE_CALL, ONE_CALL
    own_stages = ("ideas",)
    own_kinds = (kinds.idea(OneCallTask.name, "ideas"),)

    tasks = MappingProxyType(
        {"idea": OneCallTask, "exp": partial(PlanOfCallTask, evidence=no_evidence)}
    )

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        return ()


SPEC = OneCall.spec("O", about="one idea in one answer, to compare the others with")
