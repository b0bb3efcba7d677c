"""VIR-9, VIR-10: the abstract, written by the leader and revised seat by seat without history, its self-review, and the idea."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.methods.virsci import course, reads
from coi_tui.methods.virsci.contents import AbstractContent, Chosen, Overlap
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.discussion import Words
from coi_tui.methods.virsci.replies import AbstractReply, OverlapReply, RevisionReply
from coi_tui.methods.virsci.settings import bounds_of
from coi_tui.methods.virsci.table import TableStep, usable
from coi_tui.model.address import parse_address, ref
from coi_tui.model.papers import Paper
from coi_tui.model.plan_steps import sentences
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

HITS = 20
"""Papers that the search of a self-review asks for; the nearest of them and of the session's own are compared."""


def _before(inputs: Inputs, name: str = "before") -> dict[str, str]:
    """The abstract that was read, section by section."""
    return {field: str(text) for field, text in inputs.fields(name).items()}


class AbstractStep(TableStep):
    """VIR-9: the leader's first text, then one revision after the other, each from the text before it alone."""

    name, prompts = "virsci abstract", ("virsci_abstract", "virsci_revise")

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.abstract(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (700, 3_500), (400, 1_300))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        if any(read.name == "idea" for read in inputs.reads):
            idea = Chosen.from_held(inputs.one("idea") or {})
            shown = {"title": idea.title, "idea": idea.idea, "experiment": idea.experiment}
            values = {"speaker": reads.speaker(inputs), "idea": shown}
            asked = await self.services(ctx).ask("virsci_abstract", values, AbstractReply)
            return asked.value.content(), asked.recipe
        return await revised(self, ctx, reads.speaker(inputs), _before(inputs), [])


async def revised(
    step: MethodStep,
    ctx: Context,
    speaker: Mapping[str, str],
    before: Mapping[str, str],
    review: Sequence[Mapping[str, str]],
) -> Words:
    """An abstract judged and revised. ``review``: papers that it came too close to, each with the reason; empty for none."""
    values = {"speaker": speaker, "abstract": before, "review": list(review)}
    asked = await step.services(ctx).ask("virsci_revise", values, RevisionReply)
    return asked.value.content(), asked.recipe


class RevisedStep(TableStep):
    """VIR-10: one more turn after a first failure, with the review and the papers that it names."""

    name, prompts = "virsci revision", ("virsci_revise",)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        return reads.revised(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 5_000), (400, 1_300))

    async def words(self, ctx: Context, inputs: Inputs) -> Words:
        rows = [Overlap.from_held(row) for row in inputs.one("review") or []]
        bound = bounds_of(ctx.state, parse_address(inputs.address).instance).close
        near = [row for row in rows if row.score >= bound] or rows[:1]
        review = [_told(row, ctx.state.papers.get(row.paper)) for row in near]
        return await revised(self, ctx, reads.speaker(inputs), _before(inputs), review)


def _told(row: Overlap, paper: Paper | None) -> dict[str, str]:
    """A paper that an abstract is too close to, as a prompt shows it."""
    abstract = (paper.abstract or "")[: reads.ABSTRACT] if paper is not None else ""
    return {"title": row.title, "reason": row.reason, "abstract": abstract}


class OverlapStep(MethodStep):
    """VIR-10: how similar the abstract is to the papers nearest to it, each from 0 to 100."""

    name, prompts = "virsci self-review", ("virsci_overlap",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        attempt, review = at.numbers
        last = course.last_abstract(state, at.instance, attempt)
        about = (
            last
            if review == 1
            else cell(at.instance, "revised", attempt, len(course.seats(state, at.instance)))
        )
        return (*reads.text_of(state, about), *criteria(state))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 4_000), (120, 600), searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        abstract = AbstractContent.from_held(inputs.fields("abstract"))
        source = services.source(stage=0)
        answer = await source.search(abstract.title, HITS)
        found = usable(ctx.state, rules(inputs), answer.papers)
        text = f"{abstract.title}\n{abstract.text()}"
        held = {paper.id: paper for paper in found if paper.abstract}
        nearest = (
            [
                held[paper]
                for paper in (await services.similarity(text, list(held.values()))).nearest(
                    bounds.nearest
                )
            ]
            if held
            else []
        )
        rows: list[dict[str, Any]] = []
        recipe: Mapping[str, Any] = {}
        if nearest:
            services.at(1)
            values = {
                "title": abstract.title,
                "text": abstract.text(),
                "papers": reads.shown(nearest),
            }
            asked = await services.ask("virsci_overlap", values, OverlapReply)
            rows, recipe = _rows(asked.value, nearest), asked.recipe
        close = any(row["score"] >= bounds.close for row in rows)
        content = {
            "rows": rows,
            "bound": bounds.close,
            "close": close,
            "tries": [search_record(answer)],
        }
        return Result(
            (Made(inputs.address, content, services.origin, {**recipe, "source": source.name}),),
            tuple(nearest),
        )


def _rows(said: OverlapReply, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """What was said of each paper, the most similar first; a paper that the answer names twice counts with the higher number."""
    labels = {f"P{n}": paper for n, paper in enumerate(papers, start=1)}
    rows: dict[str, dict[str, Any]] = {}
    for one in sorted(said.scores, key=lambda one: -one.score):
        if (paper := labels.get(one.id)) is not None:
            rows.setdefault(
                paper.id,
                {"paper": paper.id, "title": paper.title, "score": one.score, "reason": one.reason},
            )
    return list(rows.values())


def _first(text: str) -> str:
    return next(iter(sentences(text)), "")


class IdeaStep(MethodStep):
    """The abstract that passed its self-review as an idea like any other. Without a call, unless a novelty check held papers against it."""

    name, prompts = "virsci idea", ("virsci_revise",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        instance, attempt = at.instance, max(1, course.attempt_now(state, at.instance))
        about = course.final_abstract(state, instance) or course.last_abstract(
            state, instance, attempt
        )
        reviewed = Read("reviewed", ref(cell(instance, "overlap", attempt, 1), "close"))
        chosen = reads.voted_idea(state, instance, attempt)
        bad = Read("bad_cases", ref(f"{at.branch}/bad", "cases"), optional=True)
        return (*reads.team(instance), *reads.text_of(state, about), *chosen, reviewed, bad)

    def cost(self, state: State, address: str) -> Cost:
        asks = bool(state.value(ref(f"{parse_address(address).branch}/bad", "cases")))
        return Cost("main", (1, 2), (900, 5_000), (400, 1_300)) if asks else Cost()

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        abstract, recipe = AbstractContent.from_held(inputs.fields("abstract")), dict[str, Any]()
        idea, cases = Chosen.from_held(inputs.one("idea") or {}), inputs.one("bad_cases") or []
        if cases:
            review = [
                {"title": case["title"], "reason": case["reason"], "abstract": ""} for case in cases
            ]
            said, made = await revised(
                self, ctx, reads.speaker(inputs), _before(inputs, "abstract"), review
            )
            abstract, recipe = AbstractContent.from_held(said), dict(made)
        problem, mechanism, evaluation = (
            _first(text) for text in (abstract.introduction, abstract.methods, idea.experiment)
        )
        content = {
            "title": abstract.title,
            "summary": abstract.objective,
            "final": f"{abstract.text()}\n\n{idea.experiment}".strip(),
            "problem": problem,
            "mechanism": mechanism,
            "evaluation": evaluation,
            "origin": f"Idea {idea.of} of the team, chosen by its vote.",
        }
        return Result((Made(inputs.address, content, self.services(ctx).origin, recipe),))
