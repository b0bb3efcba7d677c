"""What makes each cell of Sketch."""

from __future__ import annotations

from typing import Any

from coi_sketch.kinds import Background
from coi_tui.plugin import (
    TOPIC,
    Cost,
    Idea,
    Inputs,
    MethodTask,
    Result,
    TextTask,
    reading,
    result,
)

BACKGROUND = TextTask("sketch background", "sketch_background", Background, reading(TOPIC))


class SearchTask(MethodTask):
    """Papers for the topic."""

    name = "sketch search"
    reads = staticmethod(reading(TOPIC))

    def cost(self, state: Any, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        found = await self.services(ctx).source().search(inputs.one("topic"), 20)
        rows = [{"paper": paper.id, "title": paper.title} for paper in found.papers]
        return result(inputs, {"papers": rows}, "source", papers=found.papers)


IDEA = TextTask(
    "sketch idea",
    "sketch_idea",
    Idea,
    reading(
        TOPIC,
        "background={instance}/background#text",
        "gap?={instance}/background#gaps.{number}",
        "papers={instance}/hits#papers",
    ),
)
"""One idea a branch, from the gap of its number."""

TASKS = {"background": BACKGROUND, "hits": SearchTask, "idea": IDEA}
