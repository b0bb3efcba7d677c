"""COI-15: review a plan, decide whether to read more, refine the plan."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.reads import chain_cards, chain_entities, chain_papers, experiment, idea
from coi_tui.methods.coi.steps.base import CoiStep, settings_of
from coi_tui.methods.coi.steps.direction import entities_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.coi.replies import RefinedExperiment
    from coi_tui.methods.services import Services

LONGEST_FACTS_TEXT = 24_000


def _seen(state: State, branch: int) -> tuple[Read, ...]:
    """What a review or refinement is shown: of one version, so no input for freshness (hard case 2)."""
    return (*idea("idea", branch, parent=True), *experiment("experiment", branch, parent=True),
            *chain_entities(state, branch, parent=True))  # fmt: skip


class ReviewStep(CoiStep):
    """Points on one version of the plan; an empty list means there is nothing to mend."""

    name = "review"
    prompts = ("coi_review",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return _seen(state, parse_address(address).branch)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_200, 5_000), (80, 800))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import Review

        branch, services = parse_address(inputs.address).branch, self.services(ctx)
        values = {"idea": inputs.fields("idea"), "experiment": inputs.fields("experiment"), "entities": entities_of(inputs)}
        asked = await services.ask("coi_review", values, Review)
        points = [{"n": n, **p.model_dump()} for n, p in enumerate(asked.value.points, start=1)]
        of = ctx.state.in_use(f"{branch}/exp")
        content = {"points": points, "of": of.seq if of else 0}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class RefineStep(CoiStep):
    """Writes the next version of the plan. Its inputs are the plan's own; the plan and the review it answers are parents."""

    name = "refine"
    prompts = ("coi_review_query", "coi_facts", "coi_refine")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        inputs = (*idea("idea", branch), *chain_papers(state, branch),
                  *chain_cards(state, branch, ("experiment",), "experiments"), *chain_entities(state, branch))  # fmt: skip
        review = f"{branch}/review"
        parents = (Read("points", ref(review, "points"), parent=True), Read("of", ref(review, "of"), parent=True))
        return (*inputs, *experiment("experiment", branch, parent=True), *parents)

    def cost(self, state: State, address: str) -> Cost:
        papers = settings_of(state).refine_papers
        return Cost("main", (2, 2 * (2 + papers)), (3_000, 16_000), (500, 5_000), (0, 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        from coi_tui.methods.coi.replies import RefinedExperiment, ReviewQuery

        branch, services, bounds = parse_address(inputs.address).branch, self.services(ctx), settings_of(ctx.state)
        plan = inputs.fields("experiment")
        points = self._points(ctx, branch, inputs)
        asked = await services.ask("coi_review_query", {"experiment": plan, "points": points}, ReviewQuery)
        query = (asked.value.query or "").strip()
        papers = await self._search(services, query, bounds.refine_papers) if query else []
        services.at(2)
        facts = await asyncio.gather(*(self._facts(services, p, points) for p in papers))
        services.at(4)
        values = {"idea": inputs.fields("idea"), "experiment": plan, "entities": entities_of(inputs), "points": points, "facts": facts}
        refined = await services.ask("coi_refine", values, RefinedExperiment, _answers_exist(len(points)))
        review = ctx.state.in_use(f"{branch}/review")
        content = {
            **refined.value.model_dump(),
            "answers": [{"point": points[a.point - 1]["n"], "change": a.change} for a in refined.value.answers],
            "support": {"query": query, "papers": [p.id for p in papers], "facts": facts},
        }
        recipe = {**refined.recipe, "review": review.seq if review else 0}
        old = ctx.state.in_use(inputs.address)
        return Result((Made(inputs.address, content, services.origin, recipe, (old.seq,) if old else ()),), tuple(papers))

    def _points(self, ctx: Context, branch: int, inputs: Inputs) -> list[dict[str, Any]]:
        """Ticked points; where a person ticked none, all that were not dismissed."""
        review = ctx.state.in_use(f"{branch}/review")
        marks = {n: mark for (b, seq, n), mark in ctx.state.points.items() if review and (b, seq) == (branch, review.seq)}
        kept = ("n", "part", "point", "own")  # what is sent of a person's own point; the mark tells whose it is
        own = ctx.state.own_points.get((branch, review.seq), ()) if review else ()
        points: list[dict[str, Any]] = [*inputs.one("points"), *({key: p[key] for key in kept if p.get(key)} for p in own)]
        ticked = [p for p in points if marks.get(p["n"]) == "ticked"]
        return ticked or [p for p in points if marks.get(p["n"]) != "dismissed"]

    async def _search(self, services: Services, query: str, limit: int) -> list[Paper]:
        services.at(1)
        found = await services.source().search(query, max(limit, 1))
        return [p for p in found.papers if p.abstract][:limit]

    async def _facts(self, services: Services, paper: Paper, points: list[dict[str, Any]]) -> dict[str, Any]:
        from coi_tui.methods.coi.replies import Facts

        text = await services.text(paper)
        values = {"title": paper.title, "year": paper.year, "kind": text.kind, "text": text.text[:LONGEST_FACTS_TEXT], "points": points}
        asked = await services.ask("coi_facts", values, Facts)
        return {"title": paper.title, "paper": paper.id, "facts": asked.value.facts}


def _answers_exist(count: int) -> Any:
    def check(reply: RefinedExperiment) -> str | None:
        if any(answer.point > count for answer in reply.answers):
            return f"answers name review points that do not exist; there are {count}."
        return None

    return check
