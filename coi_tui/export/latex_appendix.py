"""The appendix of a LaTeX manuscript: warnings, what the idea rests on and its evidence, decisions and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from coi_tui.export.latex_blocks import LatexBlocks, itemised
from coi_tui.export.main_part import AppendixPart
from coi_tui.export.novelty_evidence import outcome
from coi_tui.export.provenance import Spending, models, people, spending
from coi_tui.export.sections import COMMON, IDEA, PLAN, field_sections
from coi_tui.export.snapshot import NOT_MADE, ExportContext
from coi_tui.export.support_section import marked_section
from coi_tui.export.tex import tex_code, tex_line
from coi_tui.export.titles import cite_named
from coi_tui.model.address import Branch
from coi_tui.model.content import ComparedPaper, ExperimentPlan, IdeaContent, NoveltyReport
from coi_tui.model.document import Bullets, Passage, Section, diagrams
from coi_tui.model.entries import Decision
from coi_tui.model.wording import clipped, count, day, moment, sentence


def appendix(context: ExportContext, write: LatexBlocks, parts: Sequence[AppendixPart]) -> Iterator[str]:
    """The parts under their headings."""
    for part in parts:
        if part.key in COMMON:
            told = write.blocks(Section("", tuple(COMMON[part.key](context, part.branch))), 1)
        else:
            told = [*_WRITERS[part.key](context, write, part.branch)]
        yield write.headed(tex_line(part.title), told or [NOT_MADE], 1)
    cite_named(context)


def _fields(
    context: ExportContext, write: LatexBlocks, address: str, model: type[IdeaContent | ExperimentPlan], fields: Sequence[tuple[str, str]]
) -> Iterator[str]:  # fmt: skip
    """The fields of a text under their headings, after whose words they are."""
    version = context.state.in_use(address)
    if version is None:
        yield NOT_MADE
        return
    yield write.byline(version.origin)
    yield from (write.section(section, 2) for section in field_sections(context, address, context.state.content(version, model), fields))


def _idea(context: ExportContext, write: LatexBlocks, branch: Branch) -> Iterator[str]:
    yield from _fields(context, write, f"{branch}/idea", IdeaContent, IDEA)


def _rests_on(context: ExportContext, write: LatexBlocks, branch: Branch) -> Iterator[str]:
    """What the method says about a branch, then its diagrams, each once."""
    sections = context.method_sections(branch)
    yield from (write.section(context.told.section(marked_section(context, section)), 2) for section in sections)
    for diagram in dict.fromkeys(d for section in sections for d in diagrams(section)):
        if diagram.papers:
            yield write.figure(diagram, "The papers in their order; dots stand for a link that was not confirmed.")


def _novelty(context: ExportContext, write: LatexBlocks, branch: Branch) -> Iterator[str]:
    report = context.state.read(f"{branch}/nov", NoveltyReport)
    if report is None:
        yield f"{NOT_MADE} No search for earlier work has been made for this idea."
        return
    searches = (
        f"{s.query} ({s.source}, {day(s.date)}): {'FAILED' if s.outcome == 'failed' else f'{s.hits} found'}" for s in report.searches
    )
    yield rf"\textbf{{{tex_line(outcome(report).said)}}} This is the result of a search, not a proof."
    yield write.passage(Passage(f"{branch}/nov", context.told.fresh(report.summary)))
    yield write.block(Bullets(tuple(f"Claim {n}: {claim.text}" for n, claim in enumerate(report.claims, start=1))))
    yield write.headed("Searches", [write.block(Bullets(tuple(searches))) or "No search is on record."], 2)
    yield write.headed("Papers compared", [itemised(_compared(write, row) for row in report.papers) or "No paper was found."], 2)


def _compared(write: LatexBlocks, row: ComparedPaper) -> str:
    said = [rf"\textbf{{{tex_line(row.verdict)}}}: {write.titled(row.paper)}."]
    said += [f"{name}: {sentence(tex_line(text))}" for name, text in (("Overlap", row.overlap), ("Reason", row.reason)) if text]
    return " ".join(said)


def _plan(context: ExportContext, write: LatexBlocks, branch: Branch) -> Iterator[str]:
    yield from _fields(context, write, f"{branch}/exp", ExperimentPlan, PLAN)
    held = context.state.read(f"{branch}/exp", ExperimentPlan)
    if held is not None and held.pseudocode.strip():
        yield write.headed("Pseudocode", [tex_code(held.pseudocode)], 2)
    if held is not None and held.references:
        named = [(title, context.bibliography.titles.find(title)) for title in held.references]
        rows = [
            write.titled(paper) if paper else rf"{tex_line(title)} (\textbf{{unverified}}: no paper of the session has this title)"
            for title, paper in named
        ]
        yield write.headed("References of the plan", [itemised(rows)], 2)


def _made(context: ExportContext, write: LatexBlocks, branch: Branch) -> Iterator[str]:
    yield itemised(map(tex_line, _made_with(context)))
    yield write.headed("Decision log", [*_decisions(context)], 2)


def _decisions(context: ExportContext) -> Iterator[str]:
    """Every decision of a person with its reason; what was undone is said to be."""
    snapshot = context.snapshot
    own, undone = people(snapshot), snapshot.undone
    by_rule = sum(d.actor != "you" for d in snapshot.decisions)
    yield f"{count(len(own), 'decision')} by people; {by_rule:,} by the rules of the method are in the session."
    yield itemised(f"{_decision(d)}{' (undone)' if d.group in undone else ''}" for d in own)


def _decision(d: Decision) -> str:
    dated = moment(d.time) if d.time else "undated"
    paper = f", {d.value['paper']}" if isinstance(d.value.get("paper"), str) else ""
    point = f", point {d.value['point']}" if d.value.get("point") else ""
    reason = f": {sentence(clipped(d.reason))}" if d.reason else "."
    return tex_line(f"{dated}: {d.action} {d.address}{paper}{point}{reason}")


def _made_with(context: ExportContext) -> Iterator[str]:
    snapshot = context.snapshot
    for asked, served, n in models(snapshot):
        same = "" if served == asked else f", served as {served}" if served else ", served name not reported"
        yield f"{asked or 'A model without a name'}{same}: {count(n, 'call')}."
    spent = spending(snapshot)
    yield f"{count(len(snapshot.calls), 'call')} on record; {spent.prompt_tokens:,} tokens sent and {spent.completion_tokens:,} received."
    yield _cost(spent)
    yield from context.method.limits


def _cost(spent: Spending) -> str:
    unknown = f"; the price of {count(spent.unpriced, 'call')} is not known" if spent.unpriced else ""
    return f"Cost: {spent.usd:.4f} US dollars{unknown}."


_WRITERS: Mapping[str, Callable[[ExportContext, LatexBlocks, Branch], Iterator[str]]] = {
    "idea": _idea,
    "chain": _rests_on,
    "novelty": _novelty,
    "experiment": _plan,
    "provenance": _made,
}
"""What the appendix has in LaTeX; what else tells of the whole session is in Markdown and in JSON."""
PARTS_IN_LATEX = frozenset({*COMMON, *_WRITERS})
