"""COI-10: a future direction from the whole chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.merge import merge_entities
from coi_tui.methods.coi.reads import HUNCH, SHORT_OF_CARD, TOPIC, chain_cards, chain_entities, chain_papers, chain_trends
from coi_tui.methods.coi.steps.base import CoiStep, short
from coi_tui.model.address import parse_address, split_ref
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class DirectionStep(CoiStep):
    """Titles and years go with each idea; the anchor is a required input, so that an empty chain has no direction."""

    name = "direction"
    prompts = ("coi_direction",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            TOPIC, HUNCH,
            *chain_papers(state, branch),
            *chain_cards(state, branch, SHORT_OF_CARD),
            *chain_entities(state, branch),
            *chain_trends(state, branch),
        )  # fmt: skip

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_200, 6_000), (120, 700))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import Direction

        services = self.services(ctx)
        values = {
            "topic": inputs.one("topic"),
            "hunch": inputs.one("hunch") or "",
            "chain": chain_of(inputs),
            "trends": [text for _, text in inputs.all("trends")],
            "entities": entities_of(inputs),
        }
        asked = await services.ask("coi_direction", values, Direction)
        content = {"text": asked.value.text, "note": asked.value.note}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def chain_of(inputs: Inputs, name: str = "chain") -> list[dict[str, Any]]:
    """The chain old to new: title, year and the card fields read under ``name``."""
    by_slot: dict[str, dict[str, Any]] = {}
    for address, found in inputs.all("papers"):
        by_slot[split_ref(address)[0]] = short(found)
    for reference, value in inputs.all(name):
        card, field = split_ref(reference)
        by_slot[card.removesuffix(".card")][field] = value
    return list(by_slot.values())


def entities_of(inputs: Inputs) -> list[dict[str, str]]:
    """The merged entity list of the chain (COI-9)."""
    return merge_entities(entities for _, entities in inputs.all("entities"))
