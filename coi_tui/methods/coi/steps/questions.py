"""COI-1: search questions for the topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import HUNCH, TOPIC
from coi_tui.methods.coi.steps.base import CoiStep
from coi_tui.model.address import parse_address
from coi_tui.model.errors import ReplyError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

COUNT = 5
"""Questions asked for in the one call, whatever the number of branches, so that a branch more needs no new call (at most 5, COI-1)."""


class QuestionsStep(CoiStep):
    """One call for all questions; each cell takes its own, is edited and refreshed alone."""

    name = "questions"
    prompts = ("coi_questions",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC, HUNCH)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2) if address == "Q1" else (0, 0), (300, 800), (80, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import Questions

        topic = str(inputs.one("topic"))
        number = parse_address(inputs.address).branch
        services = self.services(ctx)
        values = {"topic": topic, "hunch": inputs.one("hunch") or "", "count": COUNT}
        try:
            asked = await services.ask("coi_questions", values, Questions)
        except ReplyError:
            # COI-1: on an unreadable list the topic itself is searched, and the question says so.
            content = {"text": topic, "note": "The list of questions could not be read; the topic itself is searched."}
            return Result((Made(inputs.address, content, "source", {"prompt": "coi_questions", "fallback": True}),))
        distinct = list({q.casefold(): q for q in asked.value.questions}.values())
        if number <= len(distinct):
            content = {"text": distinct[number - 1], "note": ""}
        else:
            content = {"text": topic, "note": f"Only {len(distinct)} questions were made; the topic itself is searched."}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))
