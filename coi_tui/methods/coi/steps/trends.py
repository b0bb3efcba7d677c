"""COI-8: a trend for one pair of neighbours, from their own two papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import IDEA_OF_CARD, TOPIC, card_fields, paper
from coi_tui.methods.coi.steps.base import CoiStep, short
from coi_tui.model.address import parse_address
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class TrendStep(CoiStep):
    """One call a pair, so that a pair's trend depends on its two cards and nothing else."""

    name = "trend"
    prompts = ("coi_trend",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        fields = (*IDEA_OF_CARD, "source", "entities")
        return (
            TOPIC,
            paper("older_paper", at.branch, at.pos),
            paper("newer_paper", at.branch, at.other),
            *card_fields("older", at.branch, at.pos, fields),
            *card_fields("newer", at.branch, at.other, fields),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (700, 2_400), (80, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import Trend

        services = self.services(ctx)
        values = {"topic": inputs.one("topic"), "older": _side(inputs, "older"), "newer": _side(inputs, "newer")}
        asked = await services.ask("coi_trend", values, Trend)
        return Result((Made(inputs.address, {"text": asked.value.text}, services.origin, asked.recipe),))


def _side(inputs: Inputs, name: str) -> dict[str, Any]:
    said = inputs.fields(name)
    return {**short(inputs.one(f"{name}_paper")), **said, "entities": said["entities"] or []}
