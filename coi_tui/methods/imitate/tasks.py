"""IE-1 to IE-10: the request in its parts, papers for both sides, pairs, outlines, the plan; step by
step evidence, the step revised, its section, and the later steps; then a review, and title
and abstract last."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.cell_table import by_field, nth
from coi_tui.methods.base.reads import (
    TOPIC,
    ReadsOf,
    comes_from,
    criteria,
    first_line,
    reading,
    reads_of_named,
)
from coi_tui.methods.base.replies import Idea
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    admitted,
    known,
    one_call,
    result,
    shown,
)
from coi_tui.methods.evidence.reading_list import search_record
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.imitate.contents import (
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
    RevisedSection,
    ScoredPairs,
    SideContent,
    SplitRequest,
    WrittenSection,
)
from coi_tui.methods.imitate.manuscript import (
    Section,
    earlier,
    manuscript,
    numbered,
    sections_in,
    step,
    step_content,
    step_values,
    steps_of,
)
from coi_tui.methods.imitate.passages import (
    Text,
    cut,
    labels_of,
    lines_of,
    shown_lines,
    shown_passages,
    with_names,
)
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.errors import CoiError, ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.chat import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

HITS = 30
"""Papers that the search of a side asks for, before they are ranked."""
LONGEST = 80_000
"""Characters of a paper's text that an outline is read from at most."""
WHOLE = (1_000, 12_000)
"""Tokens of a prompt with the whole manuscript."""
KEPT, NOT_COMPARED = ("better", "as good"), "not compared"
"""Outcomes of a revision that is used, and of one without two ratings."""
YOURS = "your text stays"
"""The outcome of a revision that would be used, of a section that a person wrote or accepted: it
waits for the person."""


# -- what tasks read, and what prompts are shown of it

REQUEST = (
    "request={instance}/split#algorithm",
    "request={instance}/split#application",
    "request?={instance}/split#constraints",
)
PAIR = ("pair={branch}/pair#algorithm", "pair={branch}/pair#application")
PAPERS = tuple(
    f"{side}{'?' * (field == 'off')}={{instance}}/{side}#{field}"
    for side in SIDES
    for field in ("papers", "off")
)
OUTLINES = tuple(
    f"outlines={{branch}}/outline{n}#{name}" for n in (1, 2) for name in ("title", "parts")
)
thought = reading(
    "thought={instance}/split#algorithm",
    "thought={instance}/split#application",
    "thought={branch}/outline1#title",
    "thought={branch}/outline2#title",
)
"""What the manuscript of a branch will be about."""


def section_reads(*names: str) -> ReadsOf:
    """The request, and of a step or section: ``before``, the step as it was before this section;
    ``after``, the one that the section is written from; ``earlier`` sections; ``evidence``."""

    def reads(state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        after, number = at.numbers[0], at.numbers[-1]
        written = after if number > after else number - 1
        parts = {
            "before": [step(at.branch, after - 1, number)],
            "between": [step(at.branch, after - 1, n, "between") for n in range(after + 1, number)],
            "after": [step(at.branch, number, number)],
            "earlier": earlier(at.branch, range(1, written + 1)),
            "evidence": evidence(at.branch, [number]),
        }
        return reading(*REQUEST, *(read for name in names for read in parts[name]))(state, address)

    return reads


def review_reads(*more: str) -> ReadsOf:
    """The request, and the manuscript, for title and abstract as it was revised; with the points of
    the review the passages of every section as well."""

    def reads(state: State, address: str) -> tuple[Read, ...]:
        at, steps = parse_address(address), steps_of(state, parse_address(address).branch)
        text = manuscript(at.branch, steps, revised=at.part == "idea")
        passages = evidence(at.branch, steps) if at.part in ("answers", "gate") else ()
        return reading(*REQUEST, *text, *more, *passages)(state, address)

    return reads


def evidence(branch: Any, numbers: Sequence[int]) -> list[Read]:
    """The passages of sections, and what the person left out of them."""
    return [
        Read("evidence", f"{branch}/passages{n}#{field}", optional=field == "off")
        for n in numbers
        for field in ("passages", "off")
    ]


def evidence_of(inputs: Inputs, number: int) -> list[PassageRow]:
    """The passages of a section that are used."""
    return PassagesContent.from_held(numbered(inputs, "evidence").get(number, {})).on()


def scene(ctx: Context, inputs: Inputs, **more: Any) -> dict[str, Any]:
    """What prompts are shown of that: the request, the step, sections, passages, outlines."""
    number = (0, *parse_address(inputs.address).numbers)[-1]
    between = [value for _, value in inputs.all("between")]
    return {
        "request": inputs.fields("request"),
        "step": step_values(number, next((value for _, value in inputs.all("step")), None)),
        "between": [
            step_values(number - n, one)
            for n, one in zip(range(len(between), 0, -1), between, strict=True)
        ],
        "earlier": [one.shown() for one in sections_in(inputs, "earlier")],
        "sections": [one.shown() for one in sections_in(inputs)],
        "passages": shown_passages(evidence_of(inputs, number), ctx.state.papers),
        "outlines": outlines_in(inputs),
        **more,
    }


def outlines_in(inputs: Inputs) -> list[dict[str, Any]]:
    """Both outlines with labels for their parts."""
    return [
        {
            "number": address[-1],
            "title": fields.get("title", ""),
            "parts": [
                {"id": f"{letter}{n}", "name": part.name, "summary": part.description}
                for n, part in enumerate(map(Named.from_held, fields.get("parts", [])), 1)
            ],
        }
        for letter, (address, fields) in zip(
            "AB", sorted(by_field(inputs.all("outlines")).items()), strict=False
        )
    ]


# -- the request and its papers


def _split_reads(state: State, address: str) -> tuple[Read, ...]:
    chosen = Read("target", f"{parse_address(address).instance}/choice#target", optional=True)
    named = reads_of_named(state, address, state.value(chosen.ref))
    return (TOPIC, chosen, *(read for read in named if read.name == "chosen_idea"))


def _request(ctx: Context, inputs: Inputs) -> Values:
    """The topic, or the idea that the person named."""
    line, idea = first_line(inputs.one("target")), inputs.fields("chosen_idea")
    if not line:
        return {"request": str(inputs.one("topic"))}
    if idea.get("final"):
        return {"request": f"{idea['title']}\n{idea['final']}"}
    hint = "Name the address of an idea, such as 1/idea, or nothing for the topic."
    if comes_from(ctx.state, line, parse_address(inputs.address).instance):
        raise CoiError(
            f"{line} comes from this request, so that it cannot be the request itself.", hint
        )
    raise CoiError(f"“{line[:80]}” is no idea of this session.", hint)


class SideTask(MethodTask):
    """IE-2: the papers of one side: a search, then ranked by the query against title and
    abstract."""

    name = "imitate search"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        query = f"query={{instance}}/split#{parse_address(address).part}_query"
        return reading(query, *criteria(state))(state, address)

    size = Cost(searches=(1, 1))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        source, query = services.source(stage=0), str(inputs.one("query"))
        answer = await source.search(query, HITS)
        usable = {p.id: p for p in admitted(ctx.state, inputs, answer.papers) if p.abstract}
        if not usable:
            raise CoiError(
                answer.lacking or f"The search for “{query[:80]}” found no paper that can be read.",
                "Edit the split.",
            )
        similar = await services.similarity(query, list(usable.values()))
        scores = similar.vectors or similar.words
        papers = [usable[key] for key in similar.nearest(bounds.papers)]
        content = {
            "papers": [
                {"paper": p.id, "title": p.title, "score": round(scores.get(p.id, 0.0), 3)}
                for p in papers
            ],
            "query": query,
            "ranked": similar.how,
            "tries": [search_record(answer)],
        }
        return result(inputs, content, "source", {"source": source.name}, papers)


def side_papers(state: State, inputs: Inputs, side: str) -> list[Paper]:
    """The papers of a side that are used, best first."""
    fields = {name: value or [] for name, value in inputs.fields(side).items()}
    return known(state, SideContent.from_held(fields).used())


def pair_labels(algorithm: Sequence[str], application: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Every paper of one side with every one of the other, row by row: ``A1-B2``. A paper is no
    pair with itself."""
    rows, columns = enumerate(algorithm, start=1), list(enumerate(application, start=1))
    return {f"A{n}-B{m}": (one, other) for n, one in rows for m, other in columns if one != other}


def ranked(
    labels: Mapping[str, tuple[str, str]], scores: Sequence[PairScore]
) -> list[dict[str, Any]]:
    """All pairs, best first, of equals those of the papers that were ranked higher. A score of a
    pair that was not asked for is ignored; of several scores of one pair the first counts."""
    found = {one.id: one for one in reversed(scores)}
    rows = []
    for label, (algorithm, application) in labels.items():
        one, place = found.get(label), sum(int(part[1:]) for part in label.split("-"))
        row: dict[str, Any] = {"algorithm": algorithm, "application": application}
        row |= one.model_dump(exclude={"id"}) if one is not None else {}
        rows.append((-one.score if one is not None else 0, place, row))
    return [row for *_, row in sorted(rows, key=lambda row: row[:2])]


def _labels(ctx: Context, inputs: Inputs) -> dict[str, tuple[str, str]]:
    sides = ([paper.id for paper in side_papers(ctx.state, inputs, side)] for side in SIDES)
    return pair_labels(*sides)


def _to_pair(ctx: Context, inputs: Inputs) -> Values:
    labels = _labels(ctx, inputs)
    if not labels:
        raise CoiError(
            "There is no pair: a side has no paper, or both have the same one.",
            "Take papers in again, or edit the split.",
        )
    papers = {
        f"{side}_papers": shown(side_papers(ctx.state, inputs, side), letter)
        for side, letter in zip(SIDES, "AB", strict=True)
    }
    return scene(ctx, inputs, pairs=list(labels), **papers)


def _scored(ctx: Context, inputs: Inputs, said: ScoredPairs) -> Values:
    rows = ranked(_labels(ctx, inputs), said.pairs)
    if missing := sum("score" not in row for row in rows):
        ctx.changed += (f"{count(missing, 'pair')} got no score",)
    return {"pairs": rows}


class PairTask(MethodTask):
    """IE-3: the best pair. A person may choose another."""

    name = "imitate pair"

    reads = staticmethod(reading("pairs={instance}/pairs#pairs"))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        return result(inputs, (inputs.one("pairs") or [{}])[0], "source")


# -- outlines and plan


class OutlineTask(MethodTask):
    """IE-4: one call reads how a paper is built; the first is the paper of the algorithm, the
    second that of the application."""

    name, prompts = "imitate outline", ("imitate_outline",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        side = SIDES[parse_address(address).numbers[0] - 1]
        return reading(f"paper={{branch}}/pair#{side}")(state, address)

    size = one_call((400, 22_000), (250, 1_500), "reader")

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, paper = self.services(ctx), ctx.state.papers.get(str(inputs.one("paper")))
        text = await services.text_to_read(paper) if paper is not None else None
        if paper is None or text is None or not text.text.strip():
            raise CoiError("There is no text of this paper to read.", "Choose another pair.")
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
        return result(inputs, content, services.origin, asked.recipe)


def _plan(ctx: Context, inputs: Inputs, said: ImitatedPlan) -> Values:
    """As many steps as are wanted, or as many as there are."""
    names = {
        part["id"]: f"{side} paper, {part['name']}"
        for side, outline in zip(SIDES, outlines_in(inputs), strict=False)
        for part in outline["parts"]
    }
    most = bounds_of(ctx.state, inputs.address).steps
    if len(said.steps) < most:
        ctx.changed += (f"{most} steps were asked for, and there are {len(said.steps)}",)
    return {
        "steps": [
            step_content(one.title, one.purpose, names.get(one.like.strip(), ""))
            for one in said.steps[:most]
        ]
    }


# -- section by section


class PassagesTask(MethodTask):
    """IE-6: what bears on a step: lines of papers and of the sections written so far. The model
    names lines; they are cut out here."""

    name, prompts = "imitate evidence", ("imitate_evidence",)
    reads = staticmethod(reading(section_reads("before", "earlier"), *PAIR, *PAPERS))

    size = one_call((1_500, 9_000), (60, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = self.services(ctx), scene(ctx, inputs)
        papers = await self._papers(services, inputs)
        sections = [
            Text(f"S{one.number}", lines_of(one.text), f"section {one.number}", section=one.number)
            for one in sections_in(inputs, "earlier")
        ]
        texts, about = (
            [*papers, *sections],
            f"{values['step']['title']} {values['step']['purpose']}",
        )
        values |= {
            name: [_with_lines(ctx.state, text, about) for text in some]
            for name, some in (("papers", papers), ("sections", sections))
        }
        choices = Choices("ranges", "source", [text.label for text in texts], exactly=False)
        asked = await services.ask("imitate_evidence", values, EvidenceRanges, choices=choices)
        found, strange = cut(texts, asked.value.ranges)
        if strange:
            ctx.changed += (f"{count(strange, 'range')} of lines that there are not: ignored",)
        return result(inputs, {"passages": found}, services.origin, asked.recipe)

    async def _papers(self, services: Services, inputs: Inputs) -> list[Text]:
        """The two papers of the pair as far as they can be read, then the abstracts of the
        others."""
        state, pair = services.ctx.state, list(inputs.fields("pair").values())
        others = [p.id for side in SIDES for p in side_papers(state, inputs, side)]
        out = []
        for label, paper in labels_of([*pair, *others], state.papers).items():
            text, kind = paper.abstract or "", str(paper.abstract_kind)
            if paper.id in pair and (read := await services.text_to_read(paper)).text.strip():
                text, kind = read.text, read.kind
            out.append(Text(label, lines_of(text), kind, paper=paper.id))
        services.at(1)
        return [text for text in out if text.lines]


def _with_lines(state: State, text: Text, about: str) -> dict[str, Any]:
    """A text as the prompt shows it, a numbered line for each sentence; it is where an abstract
    would be, so that it may be shortened."""
    paper = state.papers.get(text.paper)
    return {
        "id": text.label,
        "title": paper.title if paper is not None else "",
        "year": paper.year if paper is not None else None,
        "kind": text.kind,
        "abstract": "\n".join(f"{n} {line}" for n, line in shown_lines(text, about)),
    }


def _evolved(ctx: Context, inputs: Inputs, said: LaterStep) -> Values:
    """The step as it is after the answer, which may be that nothing changes; of the step that comes
    next what its evidence lacks, by the number of papers alone and by the answer."""
    old = scene(ctx, inputs)["step"]
    new = (
        {**old, "title": said.title.strip(), "purpose": said.purpose.strip()}
        if said.change
        else old
    )
    content = {
        "steps": [step_content(new["title"], new["purpose"], new["like"])],
        "kept": new == old,
        "why": said.why,
    }
    if not isinstance(said, EvolvedStep):
        return content
    number = parse_address(inputs.address).numbers[0]
    papers = {row.paper for row in evidence_of(inputs, number) if row.paper}
    few = (
        "All its passages come from one paper."
        if papers
        else "No passage of any paper bears on it."
    )
    weak = " ".join(filter(None, ("" if len(papers) > 1 else few, said.weak.strip())))
    return {**content, "weak": weak}


def _written(ctx: Context, inputs: Inputs, said: Any) -> Values:
    """A section cites the papers of its passages and no others."""
    rows = evidence_of(inputs, parse_address(inputs.address).numbers[0])
    text, papers = with_names(said.text, labels_of((row.paper for row in rows), ctx.state.papers))
    return {"title": scene(ctx, inputs)["step"]["title"], "text": text, "papers": papers}


# -- review


def _numbers(values: Values) -> Choices:
    return Choices(
        "points", "section", [one["number"] for one in values["sections"]], exactly=False
    )


def _reviewed(ctx: Context, inputs: Inputs, said: ManuscriptReview) -> Values:
    there = {section.number for section in sections_in(inputs)}
    points = [
        {"name": str(p.section), "description": p.point} for p in said.points if p.section in there
    ]
    if strange := len(said.points) - len(points):
        ctx.changed += (f"{count(strange, 'point')} on no section of the text: ignored",)
    return {**said.content(), "points": points}


def _section_values(ctx: Context, inputs: Inputs, section: Section, **more: Any) -> Values:
    passages = shown_passages(evidence_of(inputs, section.number), ctx.state.papers)
    return scene(ctx, inputs, section=section.shown(), passages=passages, **more)


class AnswersTask(MethodTask):
    """IE-9: for each point a call decides, from its section and that section's evidence, what to
    change or why to change nothing."""

    name, prompts = "imitate answers", ("imitate_point",)
    reads = staticmethod(review_reads("points={branch}/referee#points"))

    size = one_call((500, 3_500), (60, 350)).times(1, 8)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        points = [Named.from_held(point) for point in inputs.one("points") or []]
        sections = {str(section.number): section for section in sections_in(inputs)}
        there = [n for n, point in enumerate(points) if point.name.strip() in sections]
        asked = await asyncio.gather(
            *(
                services.ask(
                    "imitate_point",
                    _section_values(
                        ctx,
                        inputs,
                        sections[points[n].name.strip()],
                        point=points[n].description,
                    ),
                    PointDecision,
                )
                for n in there
            )
        )
        content: dict[str, list[dict[str, str]]] = {"taken": [], "rebutted": []}
        for n, one in zip(there, asked, strict=True):
            change, rebuttal = one.value.change.strip(), one.value.rebuttal.strip()
            row = {"name": str(n + 1), "description": change or rebuttal}
            content["taken" if change else "rebutted"].append(row)
        return result(inputs, content, services.origin, asked[0].recipe if asked else {})


class GateTask(MethodTask):
    """IE-10: each section with points that were taken is revised; then the whole text is reviewed
    with that section in the place of the old one, and the revision is used only where the rating is
    not lower. A rating that there is not keeps the old one."""

    name, prompts = "imitate gate", ("imitate_revise", "imitate_review")
    reads = staticmethod(
        review_reads(
            "points?={branch}/referee#points",
            "rating?={branch}/referee#rating",
            "taken={branch}/answers#taken",
        )
    )

    size = (one_call((500, 3_500), (150, 1_000)) + one_call(WHOLE, (350, 1_600))).times(1, 8)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, sections = self.services(ctx), sections_in(inputs)
        wanted = _wanted(inputs.one("taken") or [], inputs.one("points") or [])
        changed = [section for section in sections if section.number in wanted]
        asked = await asyncio.gather(
            *(
                services.ask(
                    "imitate_revise",
                    _section_values(ctx, inputs, section, points=wanted[section.number]),
                    RevisedSection,
                )
                for section in changed
            )
        )
        services.at(1)

        async def gated(section: Section, said: Any) -> dict[str, Any]:
            written = (row.paper for row in evidence_of(inputs, section.number))
            new, papers = with_names(said.value.text, labels_of(written, ctx.state.papers))
            before = inputs.one("rating")
            after, how = before, "no change"
            if new != section.text:
                text = [replace(one, text=new) if one is section else one for one in sections]
                values = scene(ctx, inputs, sections=[one.shown() for one in text])
                after = await self._rating(services, values)
                how = outcome(before, after)
            own = ctx.state.cell(f"{parse_address(inputs.address).branch}/section{section.number}")
            return {
                "section": section.number,
                "old": section.text,
                "new": new,
                "papers": papers,
                "before": before,
                "after": after,
                "outcome": YOURS if how in KEPT and own.lock is not None else how,
            }

        rows = await asyncio.gather(*map(gated, changed, asked))
        texts = [
            {"name": str(row["section"]), "description": row["new"]}
            for row in rows
            if row["outcome"] in KEPT
        ]
        recipe = asked[0].recipe if asked else {}
        return result(inputs, {"rows": rows, "texts": texts}, services.origin, recipe)

    async def _rating(self, services: Services, values: Values) -> int | None:
        """The rating of the whole text; the same text is reviewed by the same call, whoever asks."""
        try:
            asked = await services.ask(
                "imitate_review", values, ManuscriptReview, choices=_numbers(values)
            )
        except ReplyError:
            return None
        return asked.value.rating


def outcome(before: float | None, after: float | None) -> str:
    """The outcome of a revision by the ratings of the whole text: without two there is nothing to
    compare, and the old section stays."""
    if before is None or after is None:
        return NOT_COMPARED
    return "rolled back" if after < before else "better" if after > before else "as good"


def _wanted(taken: Sequence[Any], points: Sequence[Any]) -> dict[int, list[dict[str, str]]]:
    """The points that are to be carried out, each with its change, by section."""
    out: dict[int, list[dict[str, str]]] = {}
    for answer in map(Named.from_held, taken):
        point = Named.from_held(nth(points, answer.name.strip()) or {})
        if point.name.strip().isdecimal():
            change = {"point": point.description, "change": answer.description}
            out.setdefault(int(point.name), []).append(change)
    return out


def _head(ctx: Context, inputs: Inputs, said: Idea) -> Values:
    titles = [f"“{paper.title}”" for paper in known(ctx.state, inputs.fields("pair").values())]
    return {**said.content(), "origin": f"Imitates {' and '.join(titles)}."}


_TEXTS: Mapping[str, TextTask[Any]] = {
    "split": TextTask(
        "imitate split",
        "imitate_split",
        SplitRequest,
        _split_reads,
        one_call((300, 1_200), (120, 500)),
        _request,
    ),
    "pairs": TextTask(
        "imitate pairs",
        "imitate_pairs",
        ScoredPairs,
        reading(*REQUEST, *PAPERS),
        one_call((500, 14_000), (100, 5_000)),
        _to_pair,
        _scored,
        choices=lambda values: Choices("pairs", "id", values["pairs"]),
    ),
    "plan": TextTask(
        "imitate plan",
        "imitate_plan",
        ImitatedPlan,
        reading(*REQUEST, *OUTLINES),
        one_call((700, 4_500), (350, 1_500)),
        lambda ctx, inputs: scene(ctx, inputs, count=bounds_of(ctx.state, inputs.address).steps),
        _plan,
    ),
    "step": TextTask(
        "imitate step",
        "imitate_step",
        EvolvedStep,
        section_reads("before", "evidence"),
        one_call((800, 4_500), (80, 500)),
        scene,
        _evolved,
    ),
    "section": TextTask(
        "imitate section",
        "imitate_section",
        WrittenSection,
        section_reads("after", "evidence", "earlier"),
        one_call((600, 8_000), (300, 1_400)),
        scene,
        _written,
    ),
    "later": TextTask(
        "imitate later step",
        "imitate_later",
        LaterStep,
        section_reads("before", "between", "earlier"),
        one_call((700, 8_000), (50, 300)),
        scene,
        _evolved,
    ),
    "referee": TextTask(
        "imitate review",
        "imitate_review",
        ManuscriptReview,
        review_reads(),
        one_call(WHOLE, (350, 1_600)),
        scene,
        _reviewed,
        choices=_numbers,
    ),
    "idea": TextTask(
        "imitate head",
        "imitate_head",
        Idea,
        review_reads(*PAIR, "bad_cases?={branch}/bad#cases"),
        one_call(WHOLE, (250, 1_200)),
        lambda ctx, inputs: scene(ctx, inputs, bad_cases=inputs.one("bad_cases") or []),
        _head,
    ),
}
TASKS: Mapping[str, Any] = {
    **dict.fromkeys(SIDES, SideTask),
    "pair": PairTask,
    "outline": OutlineTask,
    "passages": PassagesTask,
    "answers": AnswersTask,
    "gate": GateTask,
    "rivals": lambda tools: RivalsTask(tools, thought),
    **_TEXTS,
}
