"""COI-11: an idea in two calls, draft and final text; both see the ticked bad cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import SHORT_OF_CARD, TOPIC, chain_cards, chain_entities, chain_papers, chain_trends
from coi_tui.methods.coi.steps.base import CoiStep
from coi_tui.methods.coi.steps.direction import chain_of, entities_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class IdeaStep(CoiStep):
    """Motivation, novelty with at least three contributions, method; then title, origin, difference, challenges and the final idea."""

    name = "idea"
    prompts = ("coi_idea", "coi_final_idea")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            TOPIC,
            *chain_papers(state, branch),
            *chain_cards(state, branch, SHORT_OF_CARD),
            *chain_entities(state, branch),
            *chain_trends(state, branch),
            Read("direction", ref(f"{branch}/dir", "text")),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (2_500, 14_000), (500, 3_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import FinalIdea, IdeaDraft

        services = self.services(ctx)
        chain = chain_of(inputs)
        shared = {"topic": inputs.one("topic"), "direction": inputs.one("direction"), "bad_cases": inputs.one("bad_cases") or []}
        values = {**shared, "chain": chain, "trends": [t for _, t in inputs.all("trends")], "entities": entities_of(inputs)}
        draft = await services.ask("coi_idea", values, IdeaDraft)
        services.at(1)
        titles = [{"title": one["title"], "year": one["year"]} for one in chain]
        final = await services.ask("coi_final_idea", {**shared, "titles": titles, "draft": draft.value.model_dump()}, FinalIdea)
        content = {**draft.value.model_dump(), **final.value.model_dump()}
        recipe = {**final.recipe, "draft": dict(draft.recipe)}
        return Result((Made(inputs.address, content, services.origin, recipe),))
