"""IE-1 to IE-6: the request in its parts, papers for both sides, pairs, outlines, the plan, and step
by step evidence, the step revised, its section, and the later steps revised or kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import (
    TOPIC,
    comes_from,
    criteria,
    first_line,
    reading,
    reads_of_named,
)
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    admitted,
    one_call,
    result,
    shown,
    too_few,
)
from coi_tui.methods.evidence.reading_list import search_record
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.citations import labels_of, with_names
from coi_tui.methods.imitate.contents import PassageRow
from coi_tui.methods.imitate.pairs import pair_labels, ranked
from coi_tui.methods.imitate.passages import Text, cut, lines_of, shown_lines
from coi_tui.methods.imitate.plan_steps import PlanStep, step_of
from coi_tui.methods.imitate.reads import OUTLINES, PAIR, REQUEST, SIDE_PAPERS, SIDES
from coi_tui.methods.imitate.replies import (
    EvidenceRanges,
    EvolvedStep,
    ImitatedPlan,
    LaterStep,
    PaperOutline,
    ScoredPairs,
    SplitRequest,
    WrittenSection,
)
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.reply_schemas import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

HITS = 30
"""Papers that the search of a side asks for, before they are ranked."""
LONGEST = 80_000
"""Characters of a paper's text that an outline is read from at most."""


# -- the request and its papers


def _split_reads(state: State, address: str) -> tuple[Read, ...]:
    chosen = Read("target", f"{parse_address(address).instance}/choice#target", optional=True)
    named = reads_of_named(state, address, state.value(chosen.ref))
    return (TOPIC, chosen, *(read for read in named if read.name == "chosen_idea"))


def _request(ctx: Context, inputs: Inputs) -> Values:
    """The topic, or the idea that the person named."""
    said, idea = first_line(inputs.one("target")), inputs.fields("chosen_idea")
    if not said:
        return {"request": str(inputs.one("topic"))}
    if idea.get("final"):
        return {"request": f"{idea['title']}\n{idea['final']}"}
    hint = "Name the address of an idea, such as 1/idea, or nothing for the topic."
    if comes_from(ctx.state, said, parse_address(inputs.address).instance):
        raise CoiError(
            f"{said} comes from this request, so that it cannot be the request itself.", hint
        )
    raise CoiError(f"“{said[:80]}” is no idea of this session.", hint)


class SideTask(MethodTask):
    """IE-2: the papers of one side: a search, then ranked by the query against title and
    abstract."""

    name = "imitate search"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        query = f"query={{instance}}/split#{parse_address(address).part}_query"
        return reading(query, *criteria(state))(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

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
        scores, best = similar.vectors or similar.words, similar.nearest(bounds.papers)
        content = {
            "papers": [
                {"paper": key, "title": usable[key].title, "score": round(scores.get(key, 0.0), 3)}
                for key in best
            ],
            "query": query,
            "ranked": similar.how,
            "tries": [search_record(answer)],
        }
        kept = [usable[key] for key in best]
        return result(inputs, content, "source", {"source": source.name}, kept)


def _sides(ctx: Context, inputs: Inputs) -> dict[str, list[str]]:
    return {side: [p.id for p in reads.side_papers(ctx.state, inputs, side)] for side in SIDES}


def _to_pair(ctx: Context, inputs: Inputs) -> Values:
    labels = pair_labels(*_sides(ctx, inputs).values())
    if not labels:
        raise CoiError(
            "There is no pair: a side has no paper, or both have the same one.",
            "Take papers in again, or edit the split.",
        )
    papers = {
        f"{side}_papers": shown(reads.side_papers(ctx.state, inputs, side), letter)
        for side, letter in zip(SIDES, "AB", strict=True)
    }
    return {**reads.request(inputs), **papers, "pairs": list(labels)}


def _scored(ctx: Context, inputs: Inputs, said: ScoredPairs) -> Values:
    sides = _sides(ctx, inputs)
    rows, missing = ranked(sides[SIDES[0]], sides[SIDES[1]], said.pairs)
    if missing:
        ctx.changed += (f"{count(missing, 'pair')} got no score",)
    return {**sides, "pairs": rows}


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
        side = SIDES[reads.number_of(address) - 1]
        return reading(f"paper={{branch}}/pair#{side}")(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return one_call((400, 22_000), (250, 1_500), "reader")

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, paper = self.services(ctx), ctx.state.papers.get(str(inputs.one("paper")))
        text = await services.text_to_read(paper) if paper is not None else None
        if paper is None or text is None or text.kind == "none" or not text.text.strip():
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
    names = reads.part_names(reads.outlines_in(inputs))
    steps = said.steps[: bounds_of(ctx.state, inputs.address).steps]
    return {
        f"step{n}": PlanStep(one.title, one.purpose, names.get(one.like.strip(), "")).held()
        for n, one in enumerate(steps, 1)
    }


# -- section by section


class PassagesTask(MethodTask):
    """IE-6: what bears on a step: lines of papers and of the sections written so far. The model
    names lines; they are cut out here."""

    name, prompts = "imitate evidence", ("imitate_evidence",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, reads.number_of(address)
        before = (reads.step(branch, number - 1, number), *reads.earlier(branch, number))
        return reading(*REQUEST, *PAIR, *SIDE_PAPERS, *before)(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return one_call((1_500, 9_000), (60, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, step = self.services(ctx), step_of(inputs.one("step"))
        papers = await self._papers(services, inputs)
        sections = [
            Text(f"S{n}", lines_of(one["text"]), f"section {n}", section=n)
            for one in reads.earlier_in(inputs)
            if (n := one["number"])
        ]
        about = f"{step.title} {step.purpose}"
        values = {
            **reads.request(inputs),
            "step": step.shown(reads.number_of(inputs.address)),
            "papers": [_with_lines(ctx.state, text, about) for text in papers],
            "sections": [_with_lines(ctx.state, text, about) for text in sections],
        }
        texts = [*papers, *sections]
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
        others = [p.id for side in SIDES for p in reads.side_papers(state, inputs, side)]
        out = []
        for label, paper in labels_of([*pair, *others], state.papers).items():
            text, kind = paper.abstract or "", str(paper.abstract_kind)
            if paper.id in pair and (read := await services.text_to_read(paper)).text.strip():
                text, kind = read.text, read.kind
            out.append(Text(label, lines_of(text), kind, paper=paper.id))
        services.at(1)
        return [text for text in out if text.lines]


def _with_lines(state: State, text: Text, about: str) -> dict[str, Any]:
    """A text as the prompt shows it, a numbered line for each sentence; it stands where an abstract
    does, so that it may be shortened."""
    paper = state.papers.get(text.paper)
    return {
        "id": text.label,
        "title": paper.title if paper is not None else "",
        "year": paper.year if paper is not None else None,
        "kind": text.kind,
        "abstract": "\n".join(f"{n} {line}" for n, line in shown_lines(text, about)),
    }


def _lacking(passages: Sequence[PassageRow]) -> str:
    """What evidence lacks by its number alone; empty for enough."""
    papers = {row.paper for row in passages if row.paper}
    if not papers:
        return "No passage of any paper bears on it."
    return "" if len(papers) > 1 else "All its passages come from one paper."


def _step_reads(state: State, address: str) -> tuple[Read, ...]:
    branch, number = parse_address(address).branch, reads.number_of(address)
    step = reads.step(branch, number - 1, number)
    return reading(*REQUEST, step, *reads.evidence(branch, [number]))(state, address)


def _with_step(ctx: Context, inputs: Inputs, **more: Any) -> dict[str, Any]:
    """The request and the step, as prompts show them."""
    number = parse_address(inputs.address).numbers[-1]
    return {**reads.request(inputs), "step": step_of(inputs.one("step")).shown(number), **more}


def _evidence(inputs: Inputs) -> list[PassageRow]:
    """The passages of the step that is made."""
    return reads.evidence_in(inputs).get(reads.number_of(inputs.address), [])


def _changed(inputs: Inputs, said: EvolvedStep | LaterStep) -> dict[str, Any]:
    """The step as it is after the answer, which may be that nothing changes."""
    step = step_of(inputs.one("step"))
    new = PlanStep(said.title.strip(), said.purpose.strip(), step.like) if said.change else step
    return {"step": new.held(), "kept": new == step, "why": said.why}


def _evolved(ctx: Context, inputs: Inputs, said: EvolvedStep) -> Values:
    weak = " ".join(filter(None, (_lacking(_evidence(inputs)), said.weak.strip())))
    return {**_changed(inputs, said), "weak": weak}


def _section_reads(state: State, address: str) -> tuple[Read, ...]:
    branch, number = parse_address(address).branch, reads.number_of(address)
    return reading(
        *REQUEST,
        reads.step(branch, number, number),
        *reads.evidence(branch, [number]),
        *reads.earlier(branch, number),
    )(state, address)


def _to_write(ctx: Context, inputs: Inputs) -> Values:
    if not step_of(inputs.one("step")).title.strip():
        raise CoiError("The step of this section has no title.", "Edit the step.")
    passages = reads.passages(_evidence(inputs), ctx.state.papers)
    return _with_step(ctx, inputs, earlier=reads.earlier_in(inputs), passages=passages)


def _written(ctx: Context, inputs: Inputs, said: WrittenSection) -> Values:
    """A section cites the papers of its passages and no others."""
    text, papers = with_names(said.text, reads.labels(_evidence(inputs), ctx.state.papers))
    return {"title": step_of(inputs.one("step")).title, "text": text, "papers": papers}


def _later_reads(state: State, address: str) -> tuple[Read, ...]:
    at = parse_address(address)
    after, number = at.numbers
    between = (reads.step(at.branch, after - 1, n, "between") for n in range(after + 1, number))
    return reading(
        *REQUEST,
        reads.step(at.branch, after - 1, number),
        *between,
        *reads.earlier(at.branch, after + 1),
    )(state, address)


def _to_revise(ctx: Context, inputs: Inputs) -> Values:
    first = reads.number_of(inputs.address) + 1
    steps = (step_of(value).shown(n) for n, (_, value) in enumerate(inputs.all("between"), first))
    return _with_step(ctx, inputs, between=list(steps), earlier=reads.earlier_in(inputs))


TASKS: Mapping[str, TextTask[Any]] = {
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
        reading(*REQUEST, *SIDE_PAPERS),
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
        lambda ctx, inputs: {
            **reads.request(inputs),
            "outlines": reads.outlines_in(inputs),
            "count": bounds_of(ctx.state, inputs.address).steps,
        },
        _plan,
        check=lambda ctx, inputs, said: too_few(
            said.steps, bounds_of(ctx.state, inputs.address).steps, "steps"
        ),
    ),
    "step": TextTask(
        "imitate step",
        "imitate_step",
        EvolvedStep,
        _step_reads,
        one_call((800, 4_500), (80, 500)),
        lambda ctx, inputs: _with_step(
            ctx, inputs, passages=reads.passages(_evidence(inputs), ctx.state.papers)
        ),
        _evolved,
    ),
    "section": TextTask(
        "imitate section",
        "imitate_section",
        WrittenSection,
        _section_reads,
        one_call((600, 8_000), (300, 1_400)),
        _to_write,
        _written,
    ),
    "later": TextTask(
        "imitate later step",
        "imitate_later",
        LaterStep,
        _later_reads,
        one_call((700, 8_000), (50, 300)),
        _to_revise,
        lambda ctx, inputs, said: _changed(inputs, said),
    ),
}
