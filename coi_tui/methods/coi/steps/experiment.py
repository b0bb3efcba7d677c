"""COI-14: an experiment plan, with the chain's own experiments as examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import chain_cards, chain_entities, chain_papers, idea
from coi_tui.methods.coi.steps.base import CoiStep
from coi_tui.methods.coi.steps.direction import chain_of, entities_of
from coi_tui.model.address import parse_address
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class ExperimentStep(CoiStep):
    """Reads the idea, the cards' experiments and the entities: not trends, not limitations (ux.md 2.4)."""

    name = "experiment"
    prompts = ("coi_experiment",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            *idea("idea", branch),
            *chain_papers(state, branch),
            *chain_cards(state, branch, ("experiment",), "experiments"),
            *chain_entities(state, branch),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 8_000), (500, 3_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import Experiment

        services = self.services(ctx)
        papers = [found for _, found in inputs.all("papers")]
        values: dict[str, Any] = {
            "idea": inputs.fields("idea"),
            "experiments": chain_of(inputs, "experiments"),
            "entities": entities_of(inputs),
            "datasets": list(dict.fromkeys(name for p in papers for name in p.datasets)),
            "baselines": list(dict.fromkeys(name for p in papers for name in p.baselines)),
        }
        asked = await services.ask("coi_experiment", values, Experiment)
        return Result((Made(inputs.address, asked.value.model_dump(), services.origin, asked.recipe),))
