"""COI-14, COI-15, IE-9, IE-10: an experiment plan, its review by points, and the next version of it
from these points."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.asked import asked_of
from coi_tui.methods.base.reads import IDEA_OF_PLAN, IDEA_TEXT, TOPIC, experiment, idea, means
from coi_tui.methods.base.replies import (
    Experiment,
    Facts,
    PointAnswer,
    RefinedExperiment,
    Review,
)
from coi_tui.methods.base.settings import bounds_of
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.evidence.papers import Evidence, chain_evidence, chain_of, records_of
from coi_tui.model.address import Branch, parse_address, ref
from coi_tui.model.content import PlanScore, ReviewPoint
from coi_tui.model.entries import Version
from coi_tui.model.errors import ReplyError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.reviewing import (
    NOTHING_TICKED,
    PARTS,
    dismissed_points,
    in_words,
    outcome,
    points_to_answer,
    score,
    score_of,
    ticked_points,
    unanswered_own_points,
)
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.prompt_calls import Asked
    from coi_tui.methods.services import Services, ServiceSet


class PlanTask(MethodTask):
    """A step about an experiment plan. ``evidence`` says what a plan may draw on: for a chain its
    cards' experiments."""

    def __init__(
        self, tools: ServiceSet | None = None, evidence: Evidence = chain_evidence
    ) -> None:
        super().__init__(tools)
        self._evidence = evidence


class ExperimentTask(PlanTask):
    """COI-14: the first plan. Reads the idea, the person's means, and of a chain the cards'
    experiments alone."""

    name = "experiment"
    prompts = ("coi_experiment",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (*idea("idea", branch, IDEA_OF_PLAN), *means(state), *self._evidence(state, branch))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (2_200, 4_400), (1_100, 2_200))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, known = self.services(ctx), ctx.state.papers
        together = [known[row["paper"]] for row in records_of(inputs) if row["paper"] in known]
        papers = [*(found for _, found in inputs.all("papers")), *together]
        values = {
            "idea": inputs.fields("idea"),
            "means": next((said for _, said in inputs.all("means")), ""),
            "experiments": chain_of(inputs, "experiments"),
            "datasets": list(dict.fromkeys(name for p in papers for name in p.datasets)),
            "baselines": list(dict.fromkeys(name for p in papers for name in p.baselines)),
        }
        asked = await services.ask("coi_experiment", values, Experiment)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class ReviewTask(MethodTask):
    """Points on one version of the plan, and its scores; no points mean that nothing needs to
    change.

    The researcher's own points that the plan in use does not answer yet are carried on from the
    review before.
    """

    name = "review"
    prompts = ("coi_review",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch  # it is of one version, so no input for freshness
        return (
            TOPIC._replace(parent=True),
            *idea("idea", branch, IDEA_TEXT, parent=True),
            *experiment("experiment", branch, parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (2_500, 5_000), (450, 900))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services = parse_address(inputs.address).branch, self.services(ctx)
        asked = await reviewed(services, branch, inputs, inputs.fields("experiment"))
        said = [*asked.value.points, *unanswered_own_points(ctx.state, branch)]
        points = [{**shown(point), "n": n} for n, point in enumerate(said, start=1)]
        of = ctx.state.in_use(f"{branch}/exp")
        content: dict[str, Any] = {"points": points, "of": of.seq if of else 0}
        if asked.value.scores is not None:
            content["scores"] = asked.value.scores.model_dump()
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


async def reviewed(
    services: Services, branch: Branch, inputs: Inputs, plan: Mapping[str, Any]
) -> Asked[Review]:
    """Review a plan; the same plan is reviewed by the same call, whichever step asks."""
    values = {
        "topic": inputs.one("topic"),
        "idea": inputs.fields("idea"),
        "experiment": dict(plan),
        "dismissed": dismissed_points(services.ctx.state, branch),
    }
    return await services.ask("coi_review", values, Review)


LONGEST_FACTS_TEXT = 24_000
QUERY = "query"
"""The name under which a person gives the phrases to search for, with a semicolon between two."""

MOST_WORDS = 12
"""Words of a person's own point that are searched for: services answer longer phrases badly."""

Points = Sequence[ReviewPoint]


def phrase_of(point: ReviewPoint) -> str:
    """What to search for so that a point can be answered: the reviewer's phrase, a person's own
    words; empty where it takes no reading."""
    return point.search.strip() or (" ".join(point.point.split()[:MOST_WORDS]) if point.own else "")


class RefineTask(PlanTask):
    """Writes the next version of the plan. Its inputs are the plan's own; the plan and the review
    it answers are parents.

    In a run of stages, which nobody watches, it answers every point that is left, and a refinement
    that its own review scores lower is rolled back.
    """

    name = "refine"
    prompts = ("coi_facts", "coi_refine", "coi_review")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        review = f"{branch}/review"
        return (
            *idea("idea", branch, IDEA_OF_PLAN),
            *means(state),
            *self._evidence(state, branch),
            *asked_of(state, address),
            TOPIC._replace(parent=True),
            *experiment("experiment", branch, parent=True),
            Read("points", ref(review, "points"), parent=True),
            Read("of", ref(review, "of"), parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        papers = bounds_of(state).refine_papers
        prompt, reply = 4_300 + 700 * papers, 1_740 + 220 * papers
        return Cost("main", (2, 2 * (2 + papers)), (4_300, 2 * prompt), (1_740, 2 * reply), (0, 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services = parse_address(inputs.address).branch, self.services(ctx)
        review, old = ctx.state.in_use(f"{branch}/review"), ctx.state.in_use(inputs.address)
        chosen = self._chosen(ctx.state, branch, review) if review is not None else []
        said = {row["n"]: row for row in inputs.one("points")}
        points = [ReviewPoint.from_held(said.get(one.n) or one.model_dump()) for one in chosen]
        queries = self._queries(ctx, points)
        found = await self._search(services, list(queries), bounds_of(ctx.state).refine_papers)
        services.at(2)
        facts = await asyncio.gather(
            *(_facts(services, paper, queries[query]) for paper, query in found)
        )
        services.at(4)
        values = {
            "idea": inputs.fields("idea"),
            "experiment": inputs.fields("experiment"),
            "points": [shown(point) for point in points],
            "facts": facts,
        }
        numbers = range(1, len(points) + 1)
        choices = Choices("answers", "point", numbers, exactly=False) if points else None
        refined = await services.ask("coi_refine", values, RefinedExperiment, choices=choices)
        papers = tuple(paper for paper, _ in found)
        content = {
            **refined.value.content(),
            "answers": _answers(refined.value.answers, points, ctx),
            "support": {"queries": list(queries), "papers": [p.id for p in papers], "facts": facts},
        }
        services.at(5)
        scored = await reviewed(services, branch, inputs, {name: content[name] for name in PARTS})
        given = scored.value.scores
        result = PlanScore(
            before=score_of(ctx.state, branch, old) if old is not None else None,
            after=score(given.model_dump()) if given is not None else None,
        )
        content["scored"] = result.model_dump()
        recipe = {**refined.recipe, "review": review.seq if review else 0}
        parents, beside = ((old.seq,) if old else ()), self._beside(result)
        made = Made(inputs.address, content, services.origin, recipe, parents, beside)
        return Result((made,), papers)

    # -- what a run of stages does otherwise than a person

    def _chosen(self, state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
        return points_to_answer(state, branch, review)

    def _queries(self, ctx: Context, points: Points) -> dict[str, Points]:
        """The phrases to search for, each with the points that it is for; at most as many as papers
        are read."""
        found: dict[str, list[ReviewPoint]] = {}
        for point in points:
            if query := phrase_of(point):
                found.setdefault(query, []).append(point)
        return dict(list(found.items())[: bounds_of(ctx.state).refine_papers])

    def _beside(self, result: PlanScore) -> str:
        """Why the version is not used; empty where it is."""
        rolled_back = outcome(result.before, result.after) == "rolled back"
        return in_words(result) if rolled_back else ""

    async def _search(
        self, services: Services, queries: list[str], limit: int
    ) -> list[tuple[Paper, str]]:
        """Papers with abstracts, each with the phrase that found it: the best of each phrase, then
        the second best."""
        services.at(1)
        answers = await asyncio.gather(
            *(services.source().search(query, max(limit, 1)) for query in queries)
        )
        lists = [[p for p in answer.papers if p.abstract] for answer in answers]
        found: dict[str, tuple[Paper, str]] = {}
        for row in zip_longest(*lists):
            for paper, query in zip(row, queries, strict=True):
                if paper is not None:
                    found.setdefault(paper.id, (paper, query))
        return list(found.values())[:limit]


async def _facts(services: Services, paper: Paper, points: Points) -> dict[str, Any]:
    """What a paper says about the points that it was found for."""
    text = await services.text(paper)
    values = {
        "title": paper.title,
        "year": paper.year,
        "kind": text.kind,
        "text": text.text[:LONGEST_FACTS_TEXT],
        "points": [shown(point) for point in points],
    }
    facts: list[str] = []
    try:
        facts = (await services.ask("coi_facts", values, Facts)).value.facts
    except ReplyError:
        services.ctx.changed += (f"no facts could be read from “{paper.title}”",)
    numbers = [point.n for point in points]
    return {"title": paper.title, "paper": paper.id, "points": numbers, "facts": facts}


def shown(point: BaseModel) -> dict[str, Any]:
    """What is stored and sent of a point; the mark tells which are the researcher's own."""
    return {name: value for name, value in point.model_dump().items() if value}


def _answers(
    answers: Sequence[PointAnswer], points: Points, ctx: Context
) -> list[Mapping[str, Any]]:
    """What is said to the points that there are; the version notes how many others were
    ignored."""
    found = [answer for answer in answers if answer.point <= len(points)]
    if strange := len(answers) - len(found):
        verb = "was" if strange == 1 else "were"
        said = f"{count(strange, 'answer')} to a review point that does not exist {verb} ignored"
        ctx.changed += (said,)
    return [{**shown(answer), "point": points[answer.point - 1].n} for answer in found]


class AskedRefineTask(RefineTask):
    """A refinement that a person asked for: it answers the ticked points and no others, and is an
    alternative to the plan, with its score, until it is adopted."""

    def _chosen(self, state: State, branch: Branch, review: Version) -> list[ReviewPoint]:
        if not (ticked := ticked_points(state, branch, review)):
            raise UsageError(
                f"Branch {branch}: {NOTHING_TICKED}, so nothing is sent.", "Tick one in the review."
            )
        return ticked

    def _queries(self, ctx: Context, points: Points) -> dict[str, Points]:
        """Where the person gave phrases, these; one that no point has is for all of them."""
        given, own = ctx.given.get(QUERY), super()._queries(ctx, points)
        if given is None:
            return own
        return {
            query: own.get(query, points) for part in given.split(";") if (query := part.strip())
        }

    def _beside(self, result: PlanScore) -> str:
        return f"it waits until you use it ({in_words(result)})"
