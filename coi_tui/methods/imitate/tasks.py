"""IE-1 to IE-10: the request in its parts, papers for both sides, pairs, outlines, the plan; step by
step evidence, the step revised, its section, and the later steps; then a review, and title
and abstract last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.cell_table import by_field
from coi_tui.methods.base.reads import TOPIC, ReadsOf, criteria, first_line, reading, reads_of_named
from coi_tui.methods.base.reply_models import Idea
from coi_tui.methods.base.task import MethodTask, TextTask, Values, known, one_call, result, shown
from coi_tui.methods.base.text_tools import Draft, line_of, mapping, mappings, text_of
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.imitate import ImitateSettings
from coi_tui.methods.imitate.kinds import (
    SIDES,
    EvidenceRanges,
    EvolvedStep,
    ImitatedPlan,
    LaterStep,
    ManuscriptReview,
    PairScore,
    PaperOutline,
    PassageRow,
    PassagesContent,
    PointDecision,
    ScoredPairs,
    SideContent,
    SplitRequest,
    WrittenSection,
)
from coi_tui.methods.imitate.manuscript import (
    PassageSource,
    cut,
    labels_of,
    lines_of,
    outcome,
    points_of,
    sections_of,
    shown_passages,
    steps_of,
    with_names,
)
from coi_tui.methods.services import Services
from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.content import Named
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, clipped, first_sentences
from coi_tui.services.llm.chat import Choices
from coi_tui.services.llm.offline import TO_WRITE

HITS = 30
"""Papers that the search of a side asks for, before they are ranked."""
LONGEST = 80_000
"""Characters of a paper's text that an outline is read from at most."""
WHOLE = (1_000, 12_000)
"""Tokens of a prompt with the whole manuscript."""


# -- what tasks read, and what prompts are shown of it

REQUEST = "request={instance}/split#algorithm application constraints?"
PAIR = "pair={branch}/pair#algorithm application"
PAPERS = tuple(f"{side}={{instance}}/{side}#papers off?" for side in SIDES)


def section_reads(*names: str) -> ReadsOf:
    """The request, and of a step or section: ``before``, the step as it was before this section,
    after those ``between``; ``after``, the one that the section is written from; ``earlier``
    sections; ``evidence``."""

    def reads(state: State, address: str) -> Reads:
        numbers = cell_ref(address).numbers
        after, number = numbers[0], numbers[-1]
        written = range(1, (after if number > after else number - 1) + 1)
        parts = {
            "before": [step(after - 1, number)],
            "between": [step(after - 1, n, "between") for n in range(after + 1, number)],
            "after": [step(number, number)],
            "earlier": [f"earlier={{branch}}/section{n}#title text" for n in written],
            "evidence": [evidence(number)],
        }
        return reading(REQUEST, *(read for name in names for read in parts[name]))(state, address)

    return reads


def step(after: int, number: int, name: str = "step") -> str:
    """A step as it is once ``after`` sections are written; for a step of these the one that its
    section was written from."""
    if number <= after:
        return f"{name}={{branch}}/step{number}#steps.1"
    if after:
        return f"{name}={{branch}}/later{after}.{number}#steps.1"
    return f"{name}={{branch}}/plan#steps.{number}"


def evidence(number: int) -> str:
    """The passages of a section, and what the person left out of them."""
    return f"evidence={{branch}}/passages{number}#passages off?"


def review_reads(*more: str) -> ReadsOf:
    """The request and the manuscript: for title and abstract as it is now, else as it was before
    its sections were revised."""

    def reads(state: State, address: str) -> Reads:
        at = cell_ref(address)
        written = [cell_at(at.branch, "section", number) for number in steps_of(state, at.branch)]
        now = [*sections_of(state, at.branch)]
        cells = now if at.kind == "idea" and len(now) == len(written) else written
        texts = (f"sections={cell}#title text" for cell in cells)
        return reading(REQUEST, *texts, *more)(state, address)

    return reads


def answer_reads(state: State, address: str) -> Reads:
    """IE-9: a point of the review, its section and the evidence of that."""
    at = cell_ref(address)
    number = points_of(state, at.branch).get(at.numbers[0], 1)
    return reading(
        REQUEST,
        f"sections={{branch}}/section{number}#title text",
        f"point={{branch}}/referee#points.{at.item}",
        evidence(number),
    )(state, address)


def revision_reads(state: State, address: str) -> Reads:
    """IE-10: the manuscript, the evidence of a section, and what was decided about its points; a
    decision that a person rejected is absent."""
    at = cell_ref(address)
    answers = [
        f"answers?={{branch}}/answer{n}#point decision text"
        for n, section in points_of(state, at.branch).items()
        if section == at.numbers[0]
    ]
    rating = "rating?={branch}/referee#rating"
    return review_reads(rating, evidence(at.numbers[0]), *answers)(state, address)


def rows_in(inputs: Inputs, name: str) -> list[Fields]:
    """Cells that were read under one name: their fields, each with its number."""
    found = by_field(inputs.all(name)).items()
    return [{"number": cell_ref(at).numbers[0], **fields} for at, fields in found]


def passages_in(inputs: Inputs) -> list[PassageRow]:
    """The passages that are used."""
    return PassagesContent.from_stored(inputs.fields("evidence")).on()


def prompt_values(ctx: Context, inputs: Inputs, **more: Any) -> Fields:
    """What prompts are shown of that."""
    number = (0, *inputs.at.numbers)[-1]
    between = inputs.all("between")
    steps = [value for _, value in (*between, *inputs.all("step"))]
    numbered = [{"number": number - n, **one} for n, one in enumerate(reversed(steps))][::-1]
    return {
        "request": inputs.fields("request"),
        "step": numbered[-1] if numbered else {},
        "between": numbered[: len(between)],
        "earlier": rows_in(inputs, "earlier"),
        "sections": rows_in(inputs, "sections"),
        "passages": shown_passages(passages_in(inputs), ctx.state.papers),
        **more,
    }


# -- the request and its papers


def _split_reads(state: State, address: str) -> Reads:
    """The topic, and the idea that the person chose."""
    named = reads_of_named(state, address)
    return (TOPIC, *(read for read in named if read.name != "chosen_paper"))


def _request(ctx: Context, inputs: Inputs) -> Values:
    """The topic, or the idea that the person named."""
    line, idea = first_line(inputs.one("target")), inputs.fields("chosen_idea")
    if not line:
        return {"request": inputs.one("topic")}
    if idea.get("final"):
        return {"request": f"{idea['title']}\n{idea['final']}"}
    raise CoiError(
        f"“{line[:80]}” is no idea of this session, or comes from this manuscript itself.",
        "Name the address of an idea, such as 1/idea, or nothing for the topic.",
    )


class SideTask(MethodTask):
    """IE-2: the papers of one side: a search, then ranked by the query against title and
    abstract."""

    name = "imitate search"
    reads = staticmethod(reading("query={instance}/split#{kind}_query", criteria))
    size = Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, query = self.services(ctx), inputs.one("query")
        found = await search_each(services, inputs, [query], HITS)
        if not found.readable:
            why = f"The search for “{query[:80]}” found no paper that can be read."
            raise found.nothing(why, "Edit the split.")
        similar = await services.similarity(query, found.readable)
        scores = similar.vectors or similar.words
        most = ctx.state.bounds(ImitateSettings, inputs.address).papers
        papers = [found.papers[key] for key in similar.nearest(most)]
        content = {
            "papers": [
                {"paper": p.id, "title": p.title, "score": round(scores.get(p.id, 0.0), 3)}
                for p in papers
            ],
            "query": query,
            "ranked": similar.how,
            "tries": found.tries,
        }
        return result(inputs, content, "source", {"source": found.source}, papers)


def side_papers(state: State, inputs: Inputs, side: str) -> list[Paper]:
    """The papers of a side that are not left out, best first."""
    it = SideContent.from_stored(inputs.fields(side))
    return known(state, (one.paper for one in it.papers if one.paper not in it.off))


Pairs = Mapping[str, tuple[str, str]]


def pair_labels(algorithm: Iterable[str], application: Iterable[str]) -> Pairs:
    """Every paper of one side with every one of the other, row by row: ``A1-B2``. A paper is no
    pair with itself."""
    columns = [*enumerate(application, 1)]
    return {
        f"A{n}-B{m}": (one, other)
        for n, one in enumerate(algorithm, 1)
        for m, other in columns
        if one != other
    }


def rank_pairs(labels: Pairs, scores: Iterable[PairScore]) -> list[Fields]:
    """All pairs, best first. A score of a pair that was not asked for is ignored."""
    found = {one.id: one.model_dump(exclude={"id"}) for one in scores}
    rows = [
        {"algorithm": one, "application": other, **found.get(label, {"score": 0})}
        for label, (one, other) in labels.items()
    ]
    return sorted(rows, key=lambda row: -row["score"])


def _pairs(ctx: Context, inputs: Inputs) -> Pairs:
    return pair_labels(
        *([paper.id for paper in side_papers(ctx.state, inputs, side)] for side in SIDES)
    )


def _to_pair(ctx: Context, inputs: Inputs) -> Values:
    labels = _pairs(ctx, inputs)
    if not labels:
        raise CoiError(
            "There is no pair: a side has no paper, or both have the same one.",
            "Take papers in again, or edit the split.",
        )
    papers = {
        f"{side}_papers": shown(side_papers(ctx.state, inputs, side), letter)
        for side, letter in zip(SIDES, "AB", strict=True)
    }
    return prompt_values(ctx, inputs, pairs=list(labels), **papers)


class PairTask(MethodTask):
    """IE-3: the best pair. A person may choose another."""

    name = "imitate pair"
    reads = staticmethod(reading("pairs={instance}/pairs#pairs"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        return result(inputs, inputs.one("pairs")[0], "source")


# -- outlines and plan


class OutlineTask(MethodTask):
    """IE-4: one call reads how a paper is built; the first is the paper of the algorithm, the
    second that of the application."""

    name, prompts = "imitate outline", ("imitate_outline",)
    size = one_call((400, 22_000), (250, 1_500), "reader")

    def reads(self, state: State, address: str) -> Reads:
        side = SIDES[cell_ref(address).numbers[0] - 1]
        return reading(f"paper={{branch}}/pair#{side}")(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, paper = self.services(ctx), ctx.state.papers[inputs.one("paper")]
        text = await services.text_to_read(paper)
        if not text.text.strip():
            raise CoiError("There is no text of this paper to read.", "Choose another pair.")
        services.at(1)
        values = {
            "title": paper.title,
            "year": paper.year,
            "kind": text.kind,
            "text": first_sentences(text.text, LONGEST),
        }
        asked = await services.ask("imitate_outline", values, PaperOutline)
        of = {"paper": paper.id, "title": paper.title, "source": text.kind}
        return result(inputs, of | asked.value.content(), services.origin, asked.recipe)


def _to_plan(ctx: Context, inputs: Inputs) -> Values:
    steps = ctx.state.bounds(ImitateSettings, inputs.address).steps
    return prompt_values(ctx, inputs, outlines=rows_in(inputs, "outlines"), count=steps)


def _plan(ctx: Context, inputs: Inputs, reply: ImitatedPlan) -> Values:
    """As many steps as are wanted, or as many as there are."""
    most = ctx.state.bounds(ImitateSettings, inputs.address).steps
    if len(reply.steps) < most:
        ctx.changed += (f"{most} steps were asked for, and there are {len(reply.steps)}",)
    return {"steps": reply.content()["steps"][:most]}


# -- section by section


class PassagesTask(MethodTask):
    """IE-6: what bears on a step: lines of papers and of the sections written so far. The model
    names lines; they are cut out here."""

    name, prompts = "imitate evidence", ("imitate_evidence",)
    reads = staticmethod(reading(section_reads("before", "earlier"), PAIR, *PAPERS))
    size = one_call((1_500, 9_000), (60, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), prompt_values(ctx, inputs)
        papers = await self._papers(services, inputs)
        sections = [
            PassageSource(f"S{n}", lines_of(one["text"]), f"section {n}", section=n)
            for one in values["earlier"]
            if (n := one["number"])
        ]
        about = f"{values['step']['name']} {values['step']['description']}"
        for name, some in (("papers", papers), ("sections", sections)):
            values[name] = [source.shown(about) for source in some]
        sources = [*papers, *sections]
        choices = Choices("ranges", "source", [source.label for source in sources], exactly=False)
        asked = await services.ask("imitate_evidence", values, EvidenceRanges, choices=choices)
        passages = [row.model_dump() for row in cut(sources, asked.value.ranges)]
        return result(inputs, {"passages": passages}, services.origin, asked.recipe)

    async def _papers(self, services: Services, inputs: Inputs) -> list[PassageSource]:
        """The two papers of the pair as far as they can be read, then the abstracts of the
        others."""
        state, pair = services.ctx.state, list(inputs.fields("pair").values())
        others = [p.id for side in SIDES for p in side_papers(state, inputs, side)]
        found = []
        for label, paper in labels_of([*pair, *others], state.papers).items():
            text, kind = paper.abstract or "", str(paper.abstract_kind)
            if paper.id in pair and (read := await services.text_to_read(paper)).text.strip():
                text, kind = read.text, read.kind
            found.append(PassageSource(label, lines_of(text), kind, paper))
        services.at(1)
        return [source for source in found if source.lines]


def _evolved(ctx: Context, inputs: Inputs, reply: LaterStep) -> Values:
    """The step as it is after the answer, which may be that nothing changes; of the step that comes
    next what its evidence lacks, by the number of papers alone and by the answer."""
    old = inputs.one("step")
    new = old if reply.step is None else reply.step.model_dump()
    content = {"steps": [new], "unchanged": new == old, "why": reply.why}
    if not isinstance(reply, EvolvedStep):
        return content
    papers = {row.paper for row in passages_in(inputs) if row.paper}
    few = (
        "All its passages come from one paper."
        if papers
        else "No passage of any paper bears on it."
    )
    return {**content, "weak": f"{few if len(papers) < 2 else ''} {reply.weak}".strip()}


def _with_names(ctx: Context, inputs: Inputs, text: str) -> Fields:
    """A section cites the papers of its passages and no others."""
    papers = labels_of((row.paper for row in passages_in(inputs)), ctx.state.papers)
    named, cited = with_names(text, papers)
    return {"text": named, "cited": cited}


def _written(ctx: Context, inputs: Inputs, reply: WrittenSection) -> Values:
    return {"title": inputs.one("step")["name"], **_with_names(ctx, inputs, reply.text)}


# -- review


def _numbers(values: Values) -> Choices:
    numbers = [str(one["number"]) for one in values["sections"]]
    return Choices("points", "name", numbers, exactly=False)


def _to_answer(ctx: Context, inputs: Inputs) -> Values:
    (section,) = rows_in(inputs, "sections")
    point = Named.from_stored(inputs.one("point")).description
    return prompt_values(ctx, inputs, section=section, point=point)


class RevisionTask(MethodTask):
    """IE-10: a section after its points were carried out; then the whole text is reviewed with it
    in the place of the old one, which stays where the rating is lower or there is none."""

    name, prompts = "imitate revision", ("imitate_revise", "imitate_review")
    reads = staticmethod(revision_reads)
    size = one_call((500, 3_500), (150, 1_000)) + one_call(WHOLE, (350, 1_600)).times(0, 1)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, number = self.services(ctx), inputs.at.numbers[0]
        sections = rows_in(inputs, "sections")
        old = next(one for one in sections if one["number"] == number)
        points = [
            {"point": one["point"], "change": one["text"]}
            for one in rows_in(inputs, "answers")
            if one["decision"] == "revise"
        ]
        new: Values = {"title": old["title"], "text": old["text"]}
        recipe: Values = {}
        if points:
            values = prompt_values(ctx, inputs, section=old, points=points)
            asked = await services.ask("imitate_revise", values, WrittenSection)
            new, recipe = {**new, **_with_names(ctx, inputs, asked.value.text)}, asked.recipe
        before = after = (
            ManuscriptReview.from_stored({"rating": inputs.one("rating")}).rating or None
        )
        how = "no change"
        if new["text"] != old["text"]:
            services.at(1)
            whole = [{**one, **new} if one is old else one for one in sections]
            after = await self._rating(services, prompt_values(ctx, inputs, sections=whole))
            how = outcome(before, after)
        content = {**new, "before": before, "after": after, "outcome": how}
        return result(inputs, content, services.origin, recipe)

    async def _rating(self, services: Services, values: Values) -> int | None:
        """The rating of a whole text; the same text is reviewed by the same call, whoever asks."""
        try:
            asked = await services.ask(
                "imitate_review", values, ManuscriptReview, choices=_numbers(values)
            )
        except ReplyError:
            return None
        return asked.value.rating


TASKS: Values = {
    "split": TextTask(
        "imitate split",
        "imitate_split",
        SplitRequest,
        _split_reads,
        one_call((300, 1_200), (120, 500)),
        _request,
    ),
    **dict.fromkeys(SIDES, SideTask),
    "pairs": TextTask(
        "imitate pairs",
        "imitate_pairs",
        ScoredPairs,
        reading(REQUEST, *PAPERS),
        one_call((500, 14_000), (100, 5_000)),
        _to_pair,
        lambda ctx, inputs, reply: {"pairs": rank_pairs(_pairs(ctx, inputs), reply.pairs)},
        choices=lambda values: Choices("pairs", "id", values["pairs"]),
    ),
    "pair": PairTask,
    "outline": OutlineTask,
    "plan": TextTask(
        "imitate plan",
        "imitate_plan",
        ImitatedPlan,
        reading(
            REQUEST,
            "outlines={branch}/outline1#title parts",
            "outlines={branch}/outline2#title parts",
        ),
        one_call((700, 4_500), (350, 1_500)),
        _to_plan,
        _plan,
    ),
    "passages": PassagesTask,
    "step": TextTask(
        "imitate step",
        "imitate_step",
        EvolvedStep,
        section_reads("before", "evidence"),
        one_call((800, 4_500), (80, 500)),
        prompt_values,
        _evolved,
    ),
    "section": TextTask(
        "imitate section",
        "imitate_section",
        WrittenSection,
        section_reads("after", "evidence", "earlier"),
        one_call((600, 8_000), (300, 1_400)),
        prompt_values,
        _written,
    ),
    "later": TextTask(
        "imitate later step",
        "imitate_later",
        LaterStep,
        section_reads("before", "between", "earlier"),
        one_call((700, 8_000), (50, 300)),
        prompt_values,
        _evolved,
    ),
    "referee": TextTask(
        "imitate review",
        "imitate_review",
        ManuscriptReview,
        review_reads(),
        one_call(WHOLE, (350, 1_600)),
        prompt_values,
        choices=_numbers,
    ),
    "answer": TextTask(
        "imitate answer",
        "imitate_point",
        PointDecision,
        answer_reads,
        one_call((500, 3_500), (60, 350)),
        _to_answer,
        lambda ctx, inputs, reply: {
            "point": Named.from_stored(inputs.one("point")).description,
            **reply.content(),
        },
    ),
    "revised": RevisionTask,
    "rivals": lambda tools: RivalsTask(
        tools,
        reading(
            "thought={instance}/split#algorithm application",
            "thought={branch}/outline1#title",
            "thought={branch}/outline2#title",
        ),
    ),
    "idea": TextTask(
        "imitate head",
        "imitate_head",
        Idea,
        review_reads("bad_cases?={branch}/bad#cases"),
        one_call(WHOLE, (250, 1_200)),
        lambda ctx, inputs: prompt_values(ctx, inputs, bad_cases=inputs.one("bad_cases") or []),
    ),
}


# -- where no language model is set


def _draft_split(values: Values) -> Draft:
    """The first line of the request on either side."""
    request = clipped(line_of(values, "request"), 40).rstrip(" .") or "the request"
    queries = {f"{side}_query": clipped(request, 10) for side in SIDES}
    return {**dict.fromkeys(SIDES, request), **queries, "constraints": []}


def _draft_revision(values: Values) -> Draft:
    """The section as it is, with a line for each point that is carried out."""
    todo = [f"{TO_WRITE}{text_of(one, 'point')}" for one in mappings(values, "points")]
    text = text_of(mapping(values, "section"), "text")
    return {"text": "\n\n".join(filter(None, [text, *todo])) or f"{TO_WRITE}the section."}


DRAFTS = {"imitate_split": _draft_split, "imitate_revise": _draft_revision}
"""The rule for each prompt that has one, by the prompt's name; other texts are worksheets."""
