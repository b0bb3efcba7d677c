"""IE-6: step by step: evidence, the step revised, its section, and the later steps revised or kept. Earlier steps are never touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.imitate import reads
from coi_tui.methods.imitate.citations import labels_of, with_names
from coi_tui.methods.imitate.contents import PassageRow
from coi_tui.methods.imitate.passages import Text, cut, lines_of, shown_lines
from coi_tui.methods.imitate.plan_steps import PlanStep, step_of
from coi_tui.methods.imitate.replies import EvidenceRanges, EvolvedStep, LaterStep, WrittenSection
from coi_tui.methods.imitate.request import side_papers, side_reads
from coi_tui.methods.shared.base import MethodStep
from coi_tui.model.address import Branch, parse_address, split_ref
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services


def _number(address: str) -> int:
    return int(parse_address(address).item.partition(".")[0])


def earlier(branch: Branch, number: int) -> tuple[Read, ...]:
    """The sections before a section."""
    return tuple(
        read
        for n in range(1, number)
        for read in reads.own(branch, "section", "title", "text", item=n, as_name="earlier")
    )


def earlier_in(inputs: Inputs) -> list[dict[str, Any]]:
    """These sections as prompts show them, in their order."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in inputs.all("earlier"):
        address, field = split_ref(name)
        found.setdefault(address, {"number": _number(address)})[field] = value
    return list(found.values())


class PassagesStep(MethodStep):
    """IE-6: what bears on a step: lines of papers and of the sections written so far. The model names lines; they are cut out here."""

    name, prompts = "imitate evidence", ("imitate_evidence",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, _number(address)
        pair = reads.own(branch, "pair", *reads.SIDES, as_name="pair")
        return (
            *reads.request(address),
            reads.step(branch, number - 1, number),
            *pair,
            *side_reads(address),
            *earlier(branch, number),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 9_000), (60, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, step = self.services(ctx), step_of(inputs.one("step"))
        texts = [*await self._papers(services, inputs), *_draft(earlier_in(inputs))]
        about = f"{step.title} {step.purpose}"
        shown = [_with_lines(ctx.state, text, about) for text in texts]
        values = {
            **reads.request_values(inputs),
            "step": step.shown(_number(inputs.address)),
            "papers": [row for row in shown if row["id"].startswith("P")],
            "sections": [row for row in shown if row["id"].startswith("S")],
        }
        choices = Choices("ranges", "source", [text.label for text in texts], exactly=False)
        asked = await services.ask("imitate_evidence", values, EvidenceRanges, choices=choices)
        passages, strange = cut(texts, asked.value.ranges)
        if strange:
            ctx.changed += (
                f"{count(strange, 'range')} of lines that there are not {'was' if strange == 1 else 'were'} ignored",
            )
        content = {"passages": passages, "note": _lacking(passages)}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))

    async def _papers(self, services: Services, inputs: Inputs) -> list[Text]:
        """The two papers of the pair as far as they can be read, then the abstracts of the others."""
        state, pair = services.ctx.state, list(inputs.fields("pair").values())
        known = labels_of(
            [*pair, *(p.id for side in reads.SIDES for p in side_papers(state, inputs, side))],
            state.papers,
        )
        out = []
        for label, paper in known.items():
            read = await services.text_to_read(paper) if paper.id in pair else None
            if read is not None and read.text.strip():
                out.append(Text(label, lines_of(read.text), read.kind, paper=paper.id))
            else:
                out.append(
                    Text(label, lines_of(paper.abstract or ""), paper.abstract_kind, paper=paper.id)
                )
        services.at(1)
        return [text for text in out if text.lines]


def _draft(sections: list[dict[str, Any]]) -> list[Text]:
    return [
        Text(
            f"S{said['number']}",
            lines_of(said["text"]),
            f"section {said['number']}",
            section=said["number"],
        )
        for said in sections
    ]


def _with_lines(state: State, text: Text, about: str) -> dict[str, Any]:
    """A text as the prompt shows it, a numbered line for each sentence; it stands where an abstract does, so that it may be shortened."""
    paper = state.papers.get(text.paper)
    lines = "\n".join(f"{n} {line}" for n, line in shown_lines(text, about))
    named = (
        {"title": paper.title, "year": paper.year}
        if paper is not None
        else {"title": "", "year": None}
    )
    return {"id": text.label, **named, "kind": text.kind, "abstract": lines}


def _lacking(passages: list[dict[str, Any]]) -> str:
    """What evidence lacks by its number alone; empty for enough."""
    papers = {row["paper"] for row in passages if row.get("paper")}
    if not papers:
        return "No passage of any paper bears on it."
    return "" if len(papers) > 1 else "All its passages come from one paper."


class EvolveStep(MethodStep):
    """IE-6: the next version of a step, from its evidence and the draft; *no change* is an answer. Nothing after it is read."""

    name, prompts = "imitate step", ("imitate_step",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, _number(address)
        note = reads.own(branch, "passages", "note", item=number, optional=True)
        return (
            *reads.request(address),
            reads.step(branch, number - 1, number),
            *reads.passages(branch, number),
            *note,
            *reads.outlines(branch),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (800, 4_500), (80, 500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, step, rows = (
            self.services(ctx),
            step_of(inputs.one("step")),
            reads.passages_in(inputs),
        )
        outlines = reads.outlines_in(inputs)
        names = dict(reads.part_names(outlines))
        values = {
            **reads.request_values(inputs),
            "step": step.shown(_number(inputs.address)),
            "outlines": outlines,
            "passages": reads.passages_shown(rows, _labels(rows, ctx.state)),
        }
        asked = await services.ask("imitate_step", values, EvolvedStep)
        said = asked.value
        new = PlanStep(said.title.strip(), said.purpose.strip(), step.like) if said.change else step
        weak = " ".join(filter(None, (str(inputs.one("note") or ""), said.weak.strip())))
        content = {
            "step": new.held(),
            "kept": new == step,
            "why": said.why,
            "weak": weak,
            "other": names.get(said.other.strip(), ""),
        }
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def _labels(rows: list[PassageRow], state: State) -> dict[str, Any]:
    return labels_of([row.paper for row in rows if row.paper], state.papers)


class SectionStep(MethodStep):
    """IE-6: a section from its step, its evidence and the sections before it. It can cite the papers of its passages and no others."""

    name, prompts = "imitate section", ("imitate_section",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch, number = parse_address(address).branch, _number(address)
        return (
            *reads.request(address),
            reads.step(branch, number, number),
            *reads.passages(branch, number),
            *earlier(branch, number),
        )

    def cost(self, state: State, address: str) -> Cost:
        before = _number(address) - 1 if parse_address(address).item else 3
        return Cost("main", (1, 2), (600, 3_000 + 900 * before), (300, 1_400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, step, rows = (
            self.services(ctx),
            step_of(inputs.one("step")),
            reads.passages_in(inputs),
        )
        if not step.title.strip():
            raise CoiError("The step of this section has no title.", "Edit the step.")
        labels = _labels(rows, ctx.state)
        values = {
            **reads.request_values(inputs),
            "step": step.shown(_number(inputs.address)),
            "earlier": earlier_in(inputs),
            "passages": reads.passages_shown(rows, labels),
        }
        asked = await services.ask("imitate_section", values, WrittenSection)
        text, papers, missing = with_names(asked.value.text, labels)
        content = {"title": step.title, "text": text, "papers": papers, "missing": missing}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class LaterStepStep(MethodStep):
    """IE-6: a later step after a section was written, from the sections so far and the steps before it; kept where it still fits."""

    name, prompts = "imitate later step", ("imitate_later",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        after, number = at.numbers
        between = (reads.step(at.branch, after - 1, n, "between") for n in range(after + 1, number))
        return (
            *reads.request(address),
            reads.step(at.branch, after - 1, number),
            *between,
            *earlier(at.branch, after + 1),
        )

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        written = at.numbers[0] if at.numbers else 3
        return Cost("main", (1, 2), (500 + 200 * written, 1_500 + 900 * written), (50, 300))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, step = self.services(ctx), step_of(inputs.one("step"))
        after, number = parse_address(inputs.address).numbers
        steps = (
            (n, step_of(value))
            for n, (_, value) in enumerate(inputs.all("between"), start=after + 1)
        )
        between = [{"number": n, "title": one.title, "purpose": one.purpose} for n, one in steps]
        values = {
            **reads.request_values(inputs),
            "step": step.shown(number),
            "between": between,
            "earlier": earlier_in(inputs),
        }
        asked = await services.ask("imitate_later", values, LaterStep)
        said = asked.value
        new = PlanStep(said.title.strip(), said.purpose.strip(), step.like) if said.change else step
        content = {"step": new.held(), "kept": new == step, "why": said.why}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))
