"""COI-4, COI-5: the verdict on candidates. The candidate is judged, and an unreadable verdict is no verdict."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.growth import active, guesses
from coi_tui.methods.coi.reads import MOST_TURNED_DOWN, TOPIC, TURNED_DOWN, criteria, held_elsewhere, told
from coi_tui.methods.coi.steps.base import CoiStep, eligible, settings_of
from coi_tui.methods.coi.steps.cards import CardStep
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services


class RelevanceStep(CoiStep):
    """Judges candidates in rank order until one is relevant, at most ``judge_limit``; reads the likeliest beside its verdict.

    An unreadable verdict is none: the next candidate is judged. Where no verdict at all can be read the step fails.
    """

    name = "relevance"
    prompts = ("coi_relevance",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        cands = f"{at.slot}.cands"
        listed = (Read("entries", ref(cands, "entries"), optional=True), Read("listed", ref(cands, "of")))
        return (TOPIC, *criteria(state), TURNED_DOWN, *listed, *held_elsewhere(state, str(at.slot)))

    def cost(self, state: State, address: str) -> Cost:
        limit = settings_of(state).judge_limit
        more = 30 * (len(state.turned_down()[-MOST_TURNED_DOWN:]) + (8 if criteria(state) else 0))
        return Cost("main", (1, limit), (400, (600 + more) * limit), (50, 150 * limit))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        at, services, bounds = parse_address(inputs.address), self.services(ctx), settings_of(ctx.state)
        barred = {p.id for _, p in inputs.all("held")} | ctx.state.rejected(at.branch)
        entries: list[dict[str, Any]] = inputs.one("entries") or []
        free = [e["paper"] for e in entries if eligible(e) and e["paper"] not in barred]
        verdicts: list[dict[str, Any]] = []
        chosen: str | None = None
        recipe: dict[str, Any] = {}
        unread: list[ReplyError] = []
        wishes = told(inputs)
        about = {"topic": str(inputs.one("topic")), **wishes}
        for n, together in enumerate(self._rounds(ctx, str(at.slot), free[: bounds.judge_limit])):
            services.at(n)
            papers = [ctx.state.papers[paper_id] for paper_id in together]
            if n == 0:
                self._read_ahead(services, ctx, inputs, papers[-1])
            judged = await asyncio.gather(*(self._judge(services, about, paper, unread) for paper in papers))
            verdicts += [verdict for verdict, _ in judged]
            recipe = judged[-1][1] or recipe
            chosen = next((v["paper"] for v in verdicts if v["relevant"]), None)
            if chosen:
                break
        if unread and len(unread) == len(verdicts):
            raise unread[0]
        content: dict[str, Any] = {
            "verdicts": verdicts,
            "chosen": chosen,
            "free": len(free),
            "listed": len(entries),
            "unreadable": sum(not e["readable"] for e in entries),
        }
        if left := sum(bool(e.get("left_out")) for e in entries):
            content["left_out"] = left
        if wishes["turned_down"]:
            content["turned_down"] = wishes["turned_down"]
        return Result((Made(inputs.address, content, services.origin if verdicts else "source", recipe),))

    def _rounds(self, ctx: Context, place: str, free: list[str]) -> list[list[str]]:
        """One after the other; where a side before this one wants the same paper first, down to the one that is then left at once.

        Every verdict of the first round is needed: if the paper wanted twice is relevant it goes there, if not the next is judged anyway.
        """
        guess = guesses(ctx.state, active(ctx.state)).get(place)
        first = free.index(guess) + 1 if guess in free else 1
        return [free[:first], *([p] for p in free[first:])] if free else []

    async def _judge(
        self, services: Services, about: dict[str, Any], paper: Paper, unread: list[ReplyError]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A verdict and its recipe. One that cannot be read is no verdict: the candidate is passed over, and the list says so."""
        from coi_tui.methods.coi.replies import Relevance

        values = {**about, "title": paper.title, "year": paper.year, "abstract": paper.abstract}
        try:
            asked = await services.ask("coi_relevance", values, Relevance)
        except ReplyError as error:
            unread.append(error)
            return {"paper": paper.id, "relevant": False, "unread": True, "reasoning": "The verdict could not be read; not taken."}, {}
        said = {"paper": paper.id, "relevant": asked.value.relevant, "reasoning": asked.value.reasoning}
        return said, dict(asked.recipe)

    def _read_ahead(self, services: Services, ctx: Context, inputs: Inputs, paper: Paper) -> None:
        """Start reading the likeliest candidate, and fetch what it cites, while it is judged; the steps find the replies kept."""
        card = CardStep(self._tools)
        address = f"{parse_address(inputs.address).slot}.card"
        under = ctx.beside(address, card.name)
        ctx.ahead(card.read(under, str(inputs.one("topic")), paper))
        card.list_ahead(ctx, address, paper)
