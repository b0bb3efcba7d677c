"""COI-13: two ideas against each other, in both orders."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.arena.matches import CRITERIA, agreed
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import idea
from coi_tui.methods.shared.replies import Match
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services


class MatchStep(MethodStep):
    """Both orders are one match; a criterion whose winner flips with the order counts as a tie."""

    name = "match"
    prompts = ("coi_match",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        return (*idea("first", at.branch), *idea("second", at.other))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (2_000, 9_000), (150, 1_000), expected=Expected(2, 4_600, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services = parse_address(inputs.address), self.services(ctx)
        content, recipe = await compared(services, (at.branch, inputs.fields("first")), (at.other, inputs.fields("second")))
        return Result((Made(inputs.address, content, services.origin, recipe),))


async def compared(
    services: Services, one: tuple[Branch, Mapping[str, Any]], other: tuple[Branch, Mapping[str, Any]]
) -> tuple[dict[str, Any], Mapping[str, Any]]:  # fmt: skip
    """Two ideas (each with its name, which the judge is not told) judged in both orders: the record of the match, and its recipe."""
    first, second = one[1], other[1]
    straight, swapped = await asyncio.gather(
        services.ask("coi_match", {"first": first, "second": second}, Match),
        services.ask("coi_match", {"first": second, "second": first}, Match),
    )
    a = {name: getattr(straight.value, name) for name in CRITERIA}
    b = {name: getattr(swapped.value, name) for name in CRITERIA}
    lengths = [sum(len(str(v)) for v in side.values()) for side in (first, second)]
    content = {
        "first": one[0],
        "second": other[0],
        "straight": {**a, "reasoning": straight.value.reasoning},
        "swapped": {**b, "reasoning": swapped.value.reasoning},
        "results": agreed(one[0], other[0], a, b),
        "length_ratio": round(max(lengths) / max(1, min(lengths)), 2),
    }
    return content, straight.recipe
