"""COI-14, COI-15, IE-9, IE-10: an experiment plan, its review by points, and the next version of it
from these points; then the proposal, the decided texts of an idea for a reader who has seen none of
them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pydantic import BaseModel

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, NewVersion, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.citations import marks_in
from coi_tui.methods.base.idea_settings import bounds_of
from coi_tui.methods.base.labelled import bearing_on
from coi_tui.methods.base.reads import IDEA_BRIEF, PLAN, TOPIC, ReadsOf, means, of_parents, reading
from coi_tui.methods.base.reply_models import (
    ClearSentences,
    Facts,
    ProposalReply,
    RefinedExperiment,
    Review,
    SourcedExperiment,
)
from coi_tui.methods.base.rewrite import asked_of
from coi_tui.methods.base.task import MethodTask, one_call, result
from coi_tui.methods.base.text_tools import terms
from coi_tui.methods.citing import contains_quote
from coi_tui.methods.evidence.cards import chain_evidence, chain_of, citable, records_of, short
from coi_tui.methods.prompt_calls import Asked
from coi_tui.methods.services import Services
from coi_tui.model.address import Branch, cell_at
from coi_tui.model.content import (
    CLOSENESS,
    ComparedPaper,
    ExperimentPlan,
    IdeaContent,
    PlanScore,
    ReviewPoint,
    Rival,
)
from coi_tui.model.entries import Version
from coi_tui.model.errors import ReplyError
from coi_tui.model.experiment_plans import faults_of_plan, most_words, words_of
from coi_tui.model.papers import Paper
from coi_tui.model.proposals import (
    assembled,
    faults_of_whole,
    is_written,
    tidied,
    unclear_sentences,
)
from coi_tui.model.reviewing import (
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
from coi_tui.model.text import Fields, Values, clean_line, listed, sentences
from coi_tui.process import run_in_thread
from coi_tui.services.llm.chat import Choices

IDEA_OF_PLAN = "idea={branch}/idea#title problem? mechanism? evaluation? setting? final"
"""What an experiment plan is made from: an edit of any of these makes it stale."""
PLAN_AS_IT_IS = of_parents(TOPIC, "idea={branch}/idea#title final", PLAN)
"""What is said of one version of a plan, or made from it."""


@dataclass(eq=False)
class PlanTask(MethodTask):
    """A task about an experiment plan. ``evidence`` says what a plan may draw on, as reads named
    ``papers``, ``experiments`` and ``records``: for a chain its cards' experiments."""

    evidence: ReadsOf = chain_evidence

    def reads(self, state: State, address: str) -> Reads:
        return reading(IDEA_OF_PLAN, means, self.evidence)(state, address)


class ExperimentTask(PlanTask):
    """COI-14: the first plan. Reads the idea, the person's means, and of a chain the cards'
    experiments alone."""

    name = "experiment"
    prompts = ("coi_experiment",)
    size = one_call((2_000, 4_000), (800, 1_600))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, known = self.services(ctx), ctx.state.papers
        rule = inputs.fields("idea")["mechanism"]
        together = [known[row["paper"]] for row in records_of(inputs) if row["paper"] in known]
        papers = [*(found for _, found in inputs.all("papers")), *together]
        values = {
            "idea": inputs.fields("idea"),
            "means": next((text for _, text in inputs.all("means")), ""),
            "experiments": chain_of(inputs, "experiments"),
            "datasets": list(dict.fromkeys(name for p in papers for name in p.datasets)),
            "baselines": list(dict.fromkeys(name for p in papers for name in p.baselines)),
        }
        asked = await services.ask(
            "coi_experiment",
            values,
            SourcedExperiment,
            lambda reply: "; ".join(faults_of_plan(reply.plan, rule)),
            strict=False,
        )
        return result(inputs, asked.value.content(), services.origin, asked.recipe)


class ReviewTask(MethodTask):
    """What is fatal to one version of the plan, the remarks on it, and its scores; no points mean
    that nothing needs to change.

    The researcher's own points that the plan in use does not answer yet are carried on from the
    review before.
    """

    name = "review"
    prompts = ("coi_review",)
    size = one_call((2_500, 5_000), (450, 900))

    reads = staticmethod(PLAN_AS_IT_IS)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        branch, services = inputs.at.branch, self.services(ctx)
        asked = await reviewed(services, branch, inputs, inputs.fields("experiment"))
        points = [*map(shown, [*asked.value.points, *unanswered_own_points(ctx.state, branch)])]
        points += [{**shown(one), "remark": True} for one in asked.value.remarks]
        of, scores = ctx.state.in_use(cell_at(branch, "exp")), asked.value.scores
        content: Fields = {
            "points": [{**point, "n": n} for n, point in enumerate(points, 1)],
            "of": of.seq if of else 0,
            **({"scores": scores.model_dump()} if scores is not None else {}),
        }
        return result(inputs, content, services.origin, asked.recipe)


async def reviewed(
    services: Services, branch: Branch, inputs: Inputs, plan: Values
) -> Asked[Review]:
    """Review a plan; the same plan is reviewed by the same call, whichever task asks."""
    values = {
        "topic": inputs.one("topic"),
        "idea": inputs.fields("idea"),
        "experiment": dict(plan),
        "dismissed": dismissed_points(services.ctx.state, branch),
    }
    return await services.ask("coi_review", values, Review)


FACTS_TEXT = 6_000
"""Characters of a paper that are searched for facts: what bears on the points of the review."""
QUERY = "query"
"""The name under which a person who asks for a refinement gives the phrases to search for, with a
semicolon between two."""

POINT_WORDS = 12
"""Words of a person's own point that are searched for: services answer longer phrases badly."""

Points = Sequence[ReviewPoint]


def phrase_of(point: ReviewPoint) -> str:
    """What to search for so that a point can be answered: the reviewer's phrase, a person's own
    words; empty where it takes no reading."""
    return point.search.strip() or (
        " ".join(point.point.split()[:POINT_WORDS]) if point.own else ""
    )


class RefineTask(PlanTask):
    """Writes the next version of the plan from the ticked points of its review, or where none is
    ticked from all that are open. Its inputs are the plan's own; the plan and the review it answers
    are parents.

    A refinement that a person asks for is an alternative to the plan, with its score, until it is
    adopted; one of a run is used unless its own review scores it lower. One that is longer than the
    plan is asked for once more, and is not used if it still is.
    """

    name = "refine"
    prompts = ("coi_facts", "coi_refine", "coi_review")

    def reads(self, state: State, address: str) -> Reads:
        before = of_parents(TOPIC, PLAN, "points={branch}/review#points")
        return reading(super().reads, asked_of, before)(state, address)

    def cost(self, state: State, address: str) -> Cost:
        papers = bounds_of(state).refine_papers
        prompt, reply = 4_300 + 700 * papers, 1_740 + 220 * papers
        return Cost("main", (2, 2 * (2 + papers)), (4_300, 2 * prompt), (1_740, 2 * reply), (0, 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, state = self.services(ctx), ctx.state
        review, old = map(state.in_use, (cell_at(inputs.at.branch, "review"), inputs.address))
        rows = {row["n"]: row for row in inputs.one("points")}
        choose = ticked_points if QUERY in ctx.given else points_to_answer
        chosen = choose(state, inputs.at.branch, review) if review is not None else []
        points = [ReviewPoint.from_stored(rows.get(one.n) or one.model_dump()) for one in chosen]
        support, papers = await _support(services, points)
        refined, too_long = await self._refined(services, inputs, points, support["facts"])
        content = refined.value.content()
        # what the plan before rests on and this one cites as well
        content["sources"] += _still_cited(state, old, str(content))
        services.at(5)
        scores = await self._scored(services, inputs, content, longer=too_long)
        content |= {
            "answers": [
                {**shown(answer), "point": points[answer.point - 1].n}
                for answer in refined.value.answers
                if 0 < answer.point <= len(points)
            ],
            "support": support,
            "scored": scores.model_dump(),
        }
        beside = in_words(scores) if outcome(scores) == "rolled back" else ""
        if QUERY in ctx.given:
            beside = f"it waits until you use it ({in_words(scores)})"
        recipe = {**refined.recipe, "review": review.seq if review else 0}
        parents = (old.seq,) if old else ()
        made = NewVersion(inputs.address, content, services.origin, recipe, parents, beside)
        return Result((made,), papers)

    async def _refined(
        self, services: Services, inputs: Inputs, points: Points, facts: Sequence[Fields]
    ) -> tuple[Asked[RefinedExperiment], bool]:
        """The plan as the model rewrites it, and whether that is still too long."""
        plan, papers = inputs.fields("experiment"), services.ctx.state.papers
        most = most_words(ExperimentPlan.from_stored(plan))
        values = {
            "idea": inputs.fields("idea"),
            "experiment": plan,
            "points": [shown(point) for point in points],
            "facts": [row for row in facts if row["facts"]],
            "papers": [citable(papers[one]) for one in marks_in(str(plan), papers).values()],
            "words": most * 9 // 10,  # models do not count them
        }

        def longer(reply: RefinedExperiment) -> str:
            words = words_of(reply.plan)
            return f"{words} words, where {most} are the most" if words > most else ""

        numbers = range(1, len(points) + 1)
        choices = Choices("answers", "point", numbers, exactly=False) if points else None
        refined = await services.ask(
            "coi_refine", values, RefinedExperiment, longer, choices, strict=False
        )
        return refined, services.origin != "drafter" and bool(longer(refined.value))

    async def _scored(
        self, services: Services, inputs: Inputs, content: Values, *, longer: bool
    ) -> PlanScore:
        """The scores of the plan before and of this one, by a review of its own."""
        state, old, given = services.ctx.state, services.ctx.state.in_use(inputs.address), None
        if not longer:
            new = {name: content[name] for name in PARTS}
            given = (await reviewed(services, inputs.at.branch, inputs, new)).value.scores
        return PlanScore(
            before=score_of(state, inputs.at.branch, old) if old is not None else None,
            after=score(given.model_dump()) if given is not None else None,
            longer=longer,
        )


def _still_cited(state: State, old: Version | None, text: str) -> list[Fields]:
    before = state.content(old, ExperimentPlan).sources if old is not None else []
    return [one.model_dump() for one in before if f"[{one.paper}]" in text]


async def _support(services: Services, points: Points) -> tuple[Fields, tuple[Paper, ...]]:
    """What was read so that points can be answered, as it is stored: the phrases that were searched
    for, the papers found, and the facts of each; and these papers."""
    most = bounds_of(services.ctx.state).refine_papers
    queries = _queries(points, services.ctx.given.get(QUERY), most)
    found = await _search(services, list(queries), most)
    papers = {paper.id: paper for paper, _ in found}
    services.ctx.papers.update(papers)
    services.at(2)
    facts = await asyncio.gather(*(_facts(services, p, queries[query]) for p, query in found))
    services.at(4)
    support = {"queries": list(queries), "papers": list(papers), "facts": facts}
    return support, tuple(papers.values())


def _queries(points: Points, given: str | None, most: int) -> dict[str, Points]:
    """The phrases to search for, each with the points that it is for: those that a person gave, of
    which one that no point has is for all; else at most as many as papers are read."""
    found: dict[str, list[ReviewPoint]] = {}
    for point in points:
        if query := phrase_of(point):
            found.setdefault(query, []).append(point)
    if given is None:
        return dict(list(found.items())[:most])
    return {query: found.get(query, points) for part in given.split(";") if (query := part.strip())}


async def _search(services: Services, queries: list[str], limit: int) -> list[tuple[Paper, str]]:
    """Papers with abstracts that bear on the phrase that found them, each with that: the best of
    each phrase, then the second best."""
    services.at(1)
    answers = await asyncio.gather(
        *(services.source().search(query, max(limit, 1)) for query in queries)
    )
    lists = [
        [paper for paper in answer.papers if paper.abstract and _bears_on(paper, query)]
        for answer, query in zip(answers, queries, strict=True)
    ]
    found: dict[str, tuple[Paper, str]] = {}
    for row in zip_longest(*lists):
        for paper, query in zip(row, queries, strict=True):
            if paper is not None:
                found.setdefault(paper.id, (paper, query))
    return list(found.values())[:limit]


def _bears_on(paper: Paper, phrase: str) -> bool:
    """Whether the title or one sentence of the abstract has half of the words of a phrase at least:
    words spread over the abstract are no fact, and what is not to the point is not read."""
    asked = terms(phrase).keys()
    places = (paper.title, *sentences(paper.abstract or ""))
    return any(2 * len(asked & terms(place).keys()) >= len(asked) for place in places)


async def _facts(services: Services, paper: Paper, points: Points) -> Fields:
    """What a paper says about the points that it was found for."""
    from coi_tui.literature.excerpts import excerpt  # only where papers are read

    text = await services.text(paper)
    values = {
        **short(paper),
        "kind": text.kind,
        "text": await run_in_thread(
            excerpt, text.text, [point.point for point in points], FACTS_TEXT
        ),
        "points": [shown(point) for point in points],
    }
    try:
        facts = (await services.ask("coi_facts", values, Facts)).value.facts
    except ReplyError:
        facts = []
        services.ctx.changed += (f"no facts could be read from “{paper.title}”",)
    numbers = [point.n for point in points]
    return {"title": paper.title, "paper": paper.id, "points": numbers, "facts": facts}


def shown(point: BaseModel) -> Fields:
    """What is stored and sent of a point; the mark tells which are the researcher's own."""
    return {name: value for name, value in point.model_dump().items() if value}


# -- the proposal

MOST_CITEABLE = 20
WORDS_SHOWN = 45
"""What bears on the idea in a paper's abstract is shown in so many words, so that it can be cited for
that."""


class ProposalTask(PlanTask):
    """One call, and a short one for the sentences of the text that its reader could not follow.
    Without a model, or where it writes headings alone, the texts are put together as they are."""

    name = "proposal"
    prompts = ("coi_proposal", "coi_sentences")
    size = Cost("main", (1, 4), (3_000, 12_000), (2_200, 8_800))

    def reads(self, state: State, address: str) -> Reads:
        papers = (
            read._replace(parent=True)
            for read in self.evidence(state, address)
            if read.name in ("papers", "records")
        )
        return reading(
            TOPIC,
            f"idea={IDEA_BRIEF} works? final",
            PLAN.replace("=", "?=", 1),
            *papers,
            "rivals?={branch}/rivals#works",
            "compared?={branch}/nov#papers",
        )(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, text = self.services(ctx), inputs.fields("idea")
        plan = {name: value for name, value in inputs.fields("experiment").items() if value}
        parts = assembled(
            IdeaContent.from_stored(text), ExperimentPlan.from_stored(plan) if plan else None
        )
        content: Fields = {
            "title": text["title"],
            "text": "\n\n".join(f"## {title}\n\n{text}" for title, text in parts),
        }
        if services.origin == "drafter":
            return result(inputs, content, services.origin)
        papers = _citeable(ctx.state, inputs)
        near = inputs.one("rivals") or []
        values = {
            "topic": inputs.one("topic"),
            "idea": text,
            "plan": plan,
            "papers": papers,
            "remembered": [row for row in near if not row["paper"]],
        }
        asked = await services.ask(
            "coi_proposal",
            values,
            ProposalReply,
            lambda reply: "; ".join(faults_of_whole(reply.text)),
            strict=False,
        )
        ctx.changed += tuple(f"put right: {one.rstrip('.')}" for one in asked.value.corrections)
        services.at(1)
        whole = f"{asked.value.title}\n\n{tidied(asked.value.text)}"
        title, _, proposal = (await _made_clear(services, whole)).partition("\n\n")
        if is_written(proposal):
            quoted = [source.model_dump() for source in asked.value.sources]
            content |= {"text": proposal, "sources": quoted}
        content["title"] = title
        return result(inputs, content, services.origin, asked.recipe)


async def _made_clear(services: Services, text: str) -> str:
    """A proposal with each sentence that its reader could not follow written once more; where that
    fails, as it is."""
    unclear, marked = unclear_sentences(text, 0), text
    for n, sentence in enumerate(unclear, 1):
        marked = marked.replace(sentence, f"[[{n}]] {sentence}", 1)
    if not unclear:
        return text
    values = {"text": marked, "unclear": [*map(listed, unclear.values())]}

    def check(reply: ClearSentences) -> str | None:
        asked, there = len(unclear), len(reply.sentences)
        return f"{asked} sentences are asked for, and there are {there}" if there < asked else None

    try:
        asked = await services.ask("coi_sentences", values, ClearSentences, check)
    except ReplyError:
        services.ctx.changed += ("its unclear sentences could not be written anew",)
        return text
    for old, new in zip(unclear, asked.value.sentences, strict=False):
        text = text.replace(old, clean_line(new), 1)
    return text


def _citeable(state: State, inputs: Inputs) -> list[Fields]:
    """The papers that may be cited, each with what it says in short: those the idea rests on, then
    the nearest to it, with the passages that the novelty report rests on."""
    own = [paper.id for _, paper in inputs.all("papers")]
    known = dict.fromkeys([*own, *(row["paper"] for row in records_of(inputs))], "")
    for row in map(ComparedPaper.from_stored, inputs.one("compared") or []):
        if row.verdict in CLOSENESS[:2]:
            quoted = (f"“{cell.passage}”" for cell in row.cells if cell.passage)
            known.setdefault(row.paper, " ".join([row.reason, *dict.fromkeys(quoted)]))
    for work in map(Rival.from_stored, inputs.one("rivals") or []):
        # what a model said of it before anybody looked is not the paper's own
        known.setdefault(work.paper, f"From memory: {work.same} {work.left}" if work.same else "")
    about = [inputs.fields("idea")["summary"]]

    def said(paper: Paper) -> str:
        """What is known of a paper, and what bears on the idea in those sentences of its abstract that
        are not quoted yet."""
        quoted = re.findall("“(.+?)”", known[paper.id])
        every = sentences(paper.abstract or "")
        rest = (one for one in every if not any(contains_quote(part, one) for part in quoted))
        return f"{known[paper.id]} {bearing_on(' '.join(rest), about, WORDS_SHOWN)}"

    papers = [state.papers[one] for one in known if one in state.papers][:MOST_CITEABLE]
    return [{**citable(paper), "said": said(paper)} for paper in papers]
