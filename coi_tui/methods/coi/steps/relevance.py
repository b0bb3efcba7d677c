"""COI-4, COI-5: the verdict on candidates. The candidate is judged, and an unreadable verdict is no verdict."""

from __future__ import annotations

from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import TOPIC, held_elsewhere
from coi_tui.methods.coi.replies import Relevance
from coi_tui.methods.coi.steps.base import CoiStep, settings_of
from coi_tui.methods.coi.steps.cards import CardStep
from coi_tui.methods.services import Services
from coi_tui.model.address import parse_address, ref
from coi_tui.model.papers import Paper
from coi_tui.model.state import State


class RelevanceStep(CoiStep):
    """Judges candidates in rank order until one is relevant, at most ``judge_limit``; reads the first beside its verdict."""

    name = "relevance"
    prompts = ("coi_relevance",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        cands = f"{at.slot}.cands"
        return (TOPIC, Read("entries", ref(cands, "entries"), optional=True), Read("listed", ref(cands, "of")),
                *held_elsewhere(state, str(at.slot)))  # fmt: skip

    def cost(self, state: State, address: str) -> Cost:
        limit = settings_of(state).judge_limit
        return Cost("main", (1, limit), (400, 600 * limit), (50, 150 * limit))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services, bounds = parse_address(inputs.address), self.services(ctx), settings_of(ctx.state)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(at.branch)
        entries: list[dict[str, Any]] = inputs.one("entries") or []
        free = [e["paper"] for e in entries if e["readable"] and e["paper"] not in barred]
        verdicts: list[dict[str, Any]] = []
        chosen: str | None = None
        recipe: dict[str, Any] = {}
        for n, paper_id in enumerate(free[: bounds.judge_limit]):
            services.at(n)
            paper = ctx.state.papers[paper_id]
            if n == 0:
                self._read_ahead(services, ctx, inputs, paper)
            verdict, recipe = await self._judge(services, str(inputs.one("topic")), paper)
            verdicts.append(verdict)
            if verdict["relevant"]:
                chosen = paper_id
                break
        content = {
            "verdicts": verdicts,
            "chosen": chosen,
            "free": len(free),
            "listed": len(entries),
            "unreadable": sum(not e["readable"] for e in entries),
        }
        return Result((Made(inputs.address, content, services.origin if verdicts else "source", recipe),))

    async def _judge(self, services: Services, topic: str, paper: Paper) -> tuple[dict[str, Any], dict[str, Any]]:
        values = {"topic": topic, "title": paper.title, "year": paper.year, "abstract": paper.abstract}
        asked = await services.ask("coi_relevance", values, Relevance)
        said = {"paper": paper.id, "relevant": asked.value.relevant, "reasoning": asked.value.reasoning}
        return said, dict(asked.recipe)

    def _read_ahead(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the first candidate while it is judged; the card step finds the reply kept."""
        card = CardStep(self._tools)
        under = ctx.beside(f"{parse_address(inputs.address).slot}.card", card.name)
        ctx.ahead(card.read(under, str(inputs.one("topic")), paper))
