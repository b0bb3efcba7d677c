"""COI-13: two ideas against each other, in both orders."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from coi_tui.arena import CRITERIA, agreed
from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import IDEA_TEXT, TOPIC, idea, rivals
from coi_tui.methods.base.replies import Better, Criterion, Match
from coi_tui.methods.base.task import MethodTask
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Asked, Services


RIVALS_SHOWN = 3
"""So many works near each idea are named to the judge, the nearest first."""


class MatchTask(MethodTask):
    """Both orders are one match; a criterion whose winner flips with the order counts as a tie."""

    name = "match"
    prompts = ("coi_match",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        near = (rivals("rivals_first", at.branch), rivals("rivals_second", at.other))
        return (
            TOPIC,
            *idea("first", at.branch, IDEA_TEXT),
            *idea("second", at.other, IDEA_TEXT),
            *near,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (2_600, 5_200), (400, 800))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services = parse_address(inputs.address), self.services(ctx)
        first, second = (at.branch, inputs.fields("first")), (at.other, inputs.fields("second"))
        near = (inputs.one("rivals_first") or (), inputs.one("rivals_second") or ())
        content, recipe = await compared(services, str(inputs.one("topic")), first, second, near)
        return Result((Made(inputs.address, content, services.origin, recipe),))


async def compared(
    services: Services,
    topic: str,
    one: tuple[Branch, Mapping[str, Any]],
    other: tuple[Branch, Mapping[str, Any]],
    rivals_of: tuple[Sequence[Any], Sequence[Any]] = ((), ()),
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Two ideas (each with its name, which the judge is not told) judged in both orders: the record
    of the match, and its recipe.

    The record holds 0 for the one shown first, 1 for the other and 2 for a tie.
    """
    near, beside = (
        [
            {part: row.get(part, "") for part in ("title", "year", "left")}
            for row in rows[:RIVALS_SHOWN]
        ]
        for rows in rivals_of
    )

    def ask(*sides: tuple[Mapping[str, Any], Sequence[Any]]) -> Awaitable[Asked[Match]]:
        (first, of_first), (second, of_second) = sides
        values = {
            "topic": topic,
            "first": first,
            "second": second,
            "rivals_first": of_first,
            "rivals_second": of_second,
        }
        return services.ask("coi_match", values, Match)

    sides = (one[1], near), (other[1], beside)
    straight, swapped = await asyncio.gather(ask(*sides), ask(*reversed(sides)))
    a, b = _judged(straight.value), _judged(swapped.value)
    lengths = [sum(len(str(said)) for said in side.values()) for side, _ in sides]
    content = {
        "first": one[0],
        "second": other[0],
        "straight": a,
        "swapped": b,
        "results": agreed(one[0], other[0], a, b),
        "length_ratio": round(max(lengths) / max(1, min(lengths)), 2),
    }
    return content, straight.recipe


def _judged(match: Match) -> dict[str, Any]:
    """The place of the better idea for each criterion, and the reasons."""
    said: dict[str, Criterion] = {name: getattr(match, name) for name in CRITERIA}
    better = {name: get_args(Better).index(one.better) for name, one in said.items()}
    reasons = "\n".join(f"{name}: {one.why}" for name, one in said.items())
    return {**better, "reasoning": reasons}
