"""One call: topic and criteria in, an idea and its experiment plan out, in a single answer. What
the other methods are compared with; novelty check, matches and review follow as for any idea.

With ``papers`` it is plain retrieval: the papers most similar to the topic are shown, without an
order. With ``tokens`` it may use as many as another method does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from types import MappingProxyType

from pydantic import Field

from coi_tui.arena.ratings import CRITERIA
from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result, View
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.reads import HUNCH, NOTHING, TOPIC, reading
from coi_tui.methods.base.reply_models import Experiment, Idea, MatchReply
from coi_tui.methods.base.task import ABSTRACT, MethodTask, one_call, result, shown, values_of
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.ideas import kinds
from coi_tui.methods.ideas.experiment import ExperimentTask
from coi_tui.methods.ideas.matches import ONE_CALL, alike
from coi_tui.methods.services import Asked, Services
from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.entries import Decision
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

PLAN = "plan"
"""Under this name the recipe of an idea keeps the plan of the same answer."""


class OneCallSettings(IdeaSettings):
    """Bounds of the plain call."""

    papers: int = Field(0, ge=0, le=20, description="papers on the topic that the call is shown")
    tokens: int = Field(
        0,
        ge=0,
        description="further drafts are made while they fit into so many tokens, and the model"
        " prefers one; 0: one draft",
    )


MOST_SAMPLES = 1_000
"""Drafts that a person asks for are numbered below it, those within one of them in steps of it."""
HITS = 20
"""Papers that its search asks for."""


class IdeaAndPlan(Experiment, Idea):
    """The whole answer: an idea, then the plan of its experiment."""


class OneCallTask(MethodTask):
    """The call. Its plan waits in the recipe of the idea for its own cell."""

    name, prompts = "one call", ("one_call", "one_call_papers", "coi_match")
    reads = staticmethod(reading(TOPIC, HUNCH))

    def cost(self, state: State, address: str) -> Cost:
        bounds = state.bounds(OneCallSettings, address)
        shown = bounds.papers * ABSTRACT // 4
        draft = one_call((750 + shown // 2, 1_500 + shown), (2_900, 5_800))
        drafts = max(1, bounds.tokens // (sum(draft.prompt_tokens + draft.reply_tokens) // 2))
        return draft.times(drafts, drafts) + (Cost(searches=(1, 1)) if bounds.papers else Cost())

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), values_of(ctx, inputs)
        bounds, sample = ctx.state.bounds(OneCallSettings, inputs.address), ctx.sample
        topic, papers, prompt = inputs.one("topic"), list[Paper](), "one_call"
        if bounds.papers:
            papers = await _on_topic(services, inputs, bounds.papers)
            ctx.papers.update((paper.id, paper) for paper in papers)
            values, prompt = {**values, "papers": shown(papers)}, f"{prompt}_papers"
            services.at(1)
        best, drafts, unreadable = await services.ask(prompt, values, IdeaAndPlan), 1, 0
        while 0 < ctx.tokens * (drafts + 1) <= bounds.tokens * drafts:
            # another draft, which the mean of those before leaves room for; the place by turns
            ctx.sample = sample + MOST_SAMPLES * drafts
            services.at()
            try:
                new = await services.ask(prompt, values, IdeaAndPlan)
                services.at()
                pair = (new, best) if drafts % 2 else (best, new)
                best = await self._preferred(services, topic, *pair) or best
            except ReplyError:  # it loses: to fail would pay for all drafts once more
                unreadable += 1
            drafts += 1
        ctx.sample = sample
        content, recipe = best.value.content(), dict(best.recipe)
        if bounds.tokens:
            recipe |= {"drafts": drafts, "unreadable": unreadable}
        idea = {name: content.pop(name) for name in Idea.model_fields if name in content}
        return result(inputs, idea, services.origin, {**recipe, PLAN: content}, papers)

    async def _preferred(
        self, services: Services, topic: str, first: Asked[IdeaAndPlan], second: Asked[IdeaAndPlan]
    ) -> Asked[IdeaAndPlan] | None:
        """The draft that is better by more criteria; None for neither."""
        values = {"topic": topic, **alike(*(one.value.content() for one in (first, second)))}
        reply = (await services.ask("coi_match", values, MatchReply)).value
        won = Counter(getattr(reply, name).better for name in CRITERIA)
        if won["first"] == won["second"]:
            return None
        return first if won["first"] > won["second"] else second


async def _on_topic(services: Services, inputs: Inputs, most: int) -> list[Paper]:
    """The papers most similar to the topic, without an order."""
    topic = inputs.one("topic")
    found = await search_each(services, inputs, [topic], HITS)
    nearest = (await services.similarity(topic, found.readable)).nearest(most)
    if not nearest:
        raise found.nothing("No paper was found for the topic.")
    return [paper for paper in found.readable if paper.id in nearest]


class PlanOfCallTask(ExperimentTask):
    """The plan that came with the idea, without a call; of an idea that a person changed, a plan is
    made as for any other."""

    def cost(self, state: State, address: str) -> Cost:
        idea = state.in_use(cell_at(cell_ref(address).branch, "idea"))
        return Cost() if idea is None or PLAN in idea.recipe else super().cost(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        idea = ctx.state.in_use(cell_at(inputs.at.branch, "idea"))
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
        {"idea": OneCallTask, "exp": partial(PlanOfCallTask, evidence=NOTHING)}
    )

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        return ()


SPEC = OneCall.spec(
    "O", OneCallSettings, about="one idea in one answer, to compare the others with"
)
