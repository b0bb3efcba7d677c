"""IE-4 and IE-5: the outlines of the two papers of a pair, and a plan that imitates them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.plan_steps import PlanStep
from coi_tui.methods.imitate.replies import ImitatedPlan, PaperOutline
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

LONGEST = 80_000
"""Characters of a paper's text that an outline is read from at most."""


class OutlineStep(MethodStep):
    """IE-4: one call reads how a paper is built; the first is the paper of the algorithm, the second that of the application."""

    name, prompts = "imitate outline", ("imitate_outline",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        return reads.own(at.branch, "pair", reads.SIDES[int(at.item or 1) - 1], as_name="paper")

    def cost(self, state: State, address: str) -> Cost:
        return Cost("reader", (1, 2), (400, 22_000), (250, 1_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, paper = self.services(ctx), ctx.state.papers.get(str(inputs.one("paper")))
        if paper is None:
            raise CoiError(
                "The paper of this pair is not known to the session.", "Choose another pair."
            )
        text = await services.text_to_read(paper)
        if text.kind == "none" or not text.text.strip():
            raise CoiError(f"There is no text of “{paper.title}” to read.", "Choose another pair.")
        services.at(1)
        values = {
            "title": paper.title,
            "year": paper.year,
            "kind": text.kind,
            "text": text.text[:LONGEST],
        }
        asked = await services.ask("imitate_outline", values, PaperOutline)
        parts = [
            {"name": f"{part.number.strip()} {part.title}".strip(), "description": part.summary}
            for part in asked.value.parts
        ]
        content = {"paper": paper.id, "title": paper.title, "source": text.kind, "parts": parts}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class PlanStepStep(MethodStep):
    """IE-5: a new outline of as many steps as are wanted, each with the part of a paradigm that it imitates."""

    name, prompts = "imitate plan", ("imitate_plan",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (*reads.request(address), *reads.outlines(parse_address(address).branch))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (700, 4_500), (350, 1_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, wanted = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance).steps,
        )
        shown = reads.outlines_in(inputs)
        values = {**reads.request_values(inputs), "outlines": shown, "count": wanted}
        asked = await services.ask(
            "imitate_plan", values, ImitatedPlan, lambda said: _too_few(said, wanted)
        )
        names = dict(reads.part_names(shown))
        steps = [
            PlanStep(said.title, said.purpose, names.get(said.like.strip(), ""))
            for said in asked.value.steps[:wanted]
        ]
        content = {f"step{n}": step.held() for n, step in enumerate(steps, start=1)}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def _too_few(said: ImitatedPlan, wanted: int) -> str | None:
    return (
        f"{wanted} steps are asked for, and there are {len(said.steps)}"
        if len(said.steps) < wanted
        else None
    )
