"""COI-14, COI-15: an experiment plan, its review by points, and its refinement."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.evidence import Evidence, chain_evidence, chain_of, entities_of
from coi_tui.methods.shared.reads import experiment, idea
from coi_tui.methods.shared.replies import Experiment, Facts, PointAnswer, RefinedExperiment, Review, ReviewQuery
from coi_tui.methods.shared.settings import bounds_of
from coi_tui.model.address import Branch, parse_address, ref
from coi_tui.model.content import ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.errors import ReplyError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import NOTHING_TICKED, points_to_answer, ticked_points, unanswered_own_points
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services, ServiceSet

LONGEST_FACTS_TEXT = 24_000


class PlanStep(MethodStep):
    """A step about an experiment plan. ``evidence`` says what a plan may draw on: for a chain its cards' experiments and entities."""

    def __init__(self, tools: ServiceSet | None = None, evidence: Evidence = chain_evidence) -> None:
        super().__init__(tools)
        self._evidence = evidence

    def _seen(self, state: State, branch: Branch) -> tuple[Read, ...]:
        """What a review or refinement is shown: of one version, so no input for freshness."""
        entities = [replace(read, parent=True) for read in self._evidence(state, branch) if read.name == "entities"]
        return (*idea("idea", branch, parent=True), *experiment("experiment", branch, parent=True), *entities)


class ExperimentStep(PlanStep):
    """COI-14: the first plan. Reads the idea, the cards' experiments and the entities, nothing else of a chain."""

    name = "experiment"
    prompts = ("coi_experiment",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (*idea("idea", branch), *self._evidence(state, branch))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 8_000), (500, 3_000), expected=Expected(1, 2_200, 1_100))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        papers = [found for _, found in inputs.all("papers")]
        values: dict[str, Any] = {
            "idea": inputs.fields("idea"),
            "experiments": chain_of(inputs, "experiments"),
            "entities": entities_of(inputs),
            "datasets": list(dict.fromkeys(name for p in papers for name in p.datasets)),
            "baselines": list(dict.fromkeys(name for p in papers for name in p.baselines)),
        }
        asked = await services.ask("coi_experiment", values, Experiment)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class ReviewStep(PlanStep):
    """Points on one version of the plan; none means that nothing needs to change.

    The researcher's own points that the plan in use does not answer yet are carried on from the review before.
    """

    name = "review"
    prompts = ("coi_review",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return self._seen(state, parse_address(address).branch)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_200, 5_000), (80, 800), expected=Expected(1, 2_500, 450))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services = parse_address(inputs.address).branch, self.services(ctx)
        values = {"idea": inputs.fields("idea"), "experiment": inputs.fields("experiment"), "entities": entities_of(inputs)}
        asked = await services.ask("coi_review", values, Review)
        own = [{"part": p.part, "point": p.point, "own": True} for p in unanswered_own_points(ctx.state, branch)]
        points = [{"n": n, **p} for n, p in enumerate([*(p.model_dump() for p in asked.value.points), *own], start=1)]
        of = ctx.state.in_use(f"{branch}/exp")
        content = {"points": points, "of": of.seq if of else 0}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class RefineStep(PlanStep):
    """Writes the next version of the plan. Its inputs are the plan's own; the plan and the review it answers are parents."""

    name = "refine"
    prompts = ("coi_review_query", "coi_facts", "coi_refine")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        inputs = (*idea("idea", branch), *self._evidence(state, branch))
        review = f"{branch}/review"
        parents = (Read("points", ref(review, "points"), parent=True), Read("of", ref(review, "of"), parent=True))
        return (*inputs, *experiment("experiment", branch, parent=True), *parents)

    def cost(self, state: State, address: str) -> Cost:
        papers = bounds_of(state).refine_papers
        sent = ("coi_review_query", *["coi_facts"] * papers, "coi_refine")
        expected = Expected(2 + papers, 4_900 + 800 * papers, 1_350 + 220 * papers)
        return Cost("main", (2, 2 * (2 + papers)), (3_000, 16_000), (500, 5_000), (0, 2), prompts=sent, expected=expected)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services, bounds = parse_address(inputs.address).branch, self.services(ctx), bounds_of(ctx.state)
        plan = inputs.fields("experiment")
        points = self._points(ctx, branch, inputs)
        asked = await services.ask("coi_review_query", {"experiment": plan, "points": points}, ReviewQuery)
        query = (asked.value.query or "").strip()
        papers = await self._search(services, query, bounds.refine_papers) if query else []
        services.at(2)
        facts = await asyncio.gather(*(self._facts(services, p, points) for p in papers))
        services.at(4)
        values = {"idea": inputs.fields("idea"), "experiment": plan, "entities": entities_of(inputs), "points": points, "facts": facts}
        numbers = Choices("answers", "point", range(1, len(points) + 1), exactly=False) if points else None
        refined = await services.ask("coi_refine", values, RefinedExperiment, choices=numbers)
        answers = _existing(refined.value.answers, len(points), ctx)
        review = ctx.state.in_use(f"{branch}/review")
        content = {
            **refined.value.content(),
            "answers": [{"point": points[a.point - 1]["n"], **_said(a)} for a in answers],
            "support": {"query": query, "papers": [p.id for p in papers], "facts": facts},
        }
        recipe = {**refined.recipe, "review": review.seq if review else 0}
        old = ctx.state.in_use(inputs.address)
        return Result((Made(inputs.address, content, services.origin, recipe, (old.seq,) if old else ()),), tuple(papers))

    def _points(self, ctx: Context, branch: Branch, inputs: Inputs) -> list[dict[str, Any]]:
        """The points to answer, with the mark that tells which are the researcher's own."""
        review = ctx.state.in_use(f"{branch}/review")
        if review is None:
            return []
        kept = ("n", "part", "point", "own")  # what is sent of a person's own point; the mark tells whose it is
        own = [{key: p[key] for key in kept if p.get(key)} for p in ctx.state.own_points.get((branch, review.seq), ())]
        wanted = {p.n for p in self._chosen(ctx.state, branch, review)}
        return [p for p in (*inputs.one("points"), *own) if p["n"] in wanted]

    def _chosen(self, state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
        return points_to_answer(state, branch, review)

    async def _search(self, services: Services, query: str, limit: int) -> list[Paper]:
        services.at(1)
        found = await services.source().search(query, max(limit, 1))
        return [p for p in found.papers if p.abstract][:limit]

    async def _facts(self, services: Services, paper: Paper, points: list[dict[str, Any]]) -> dict[str, Any]:
        text = await services.text(paper)
        values = {"title": paper.title, "year": paper.year, "kind": text.kind, "text": text.text[:LONGEST_FACTS_TEXT], "points": points}
        try:
            asked = await services.ask("coi_facts", values, Facts)
        except ReplyError:
            services.ctx.changed += (f"no facts could be read from “{paper.title}”",)
            return {"title": paper.title, "paper": paper.id, "facts": []}
        return {"title": paper.title, "paper": paper.id, "facts": asked.value.facts}


class AskedRefineStep(RefineStep):
    """A refinement that a person asked for: it answers the ticked points and no others."""

    def _chosen(self, state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
        if not (ticked := ticked_points(state, branch, review)):
            raise UsageError(f"Branch {branch}: {NOTHING_TICKED}, so nothing is sent.", "Tick one in the review.")
        return ticked


def _said(answer: PointAnswer) -> dict[str, str]:
    """What an answer says: the part and the change, or the rebuttal."""
    return {name: said for name, said in answer.model_dump(exclude={"point"}).items() if said.strip()}


def _existing(answers: Sequence[PointAnswer], points: int, ctx: Context) -> list[PointAnswer]:
    """The answers to points that there are; the version notes how many others were ignored."""
    found = [answer for answer in answers if answer.point <= points]
    if strange := len(answers) - len(found):
        verb = "was" if strange == 1 else "were"
        ctx.changed += (f"{count(strange, 'answer')} to a review point that does not exist {verb} ignored",)
    return found
