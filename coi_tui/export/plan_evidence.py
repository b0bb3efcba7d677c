"""What stands behind an experiment plan in a proposal: where each step comes from, and what the researcher's means suffice for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coi_tui.export.snapshot import ExportContext
from coi_tui.methods.shared.means_views import judgement_words, means_caption, plan_check
from coi_tui.model.document import Block, Citation, Paragraph, Section, Strong, Table
from coi_tui.model.entries import Version
from coi_tui.model.means import NO_NEED, means_of
from coi_tui.model.plan_steps import StepSource, source_words, sources
from coi_tui.model.wording import clipped, sentence

FIRST_WORDS = 8
"""A step is named by its first words: it stands in the plan already."""


def step_sources(context: ExportContext, plan: Version) -> Iterator[Section]:
    """Where each step comes from; one sentence where all come from the same."""
    found = sources(context.state, plan)
    told = [_source(context, source) for _, source in found]
    if len(set(told)) == 1:
        yield Section(_SOURCES, (Paragraph(("Every step of the plan: ", *told[0], ".")),))
    elif found:
        rows = [
            (str(step.n), step.part, clipped(step.text, FIRST_WORDS), said)
            for (step, _), said in zip(found, told, strict=True)
        ]
        yield Section(
            _SOURCES, (Table(("Step", "Part", "Begins with", "Comes from"), tuple(rows)),)
        )


_SOURCES = "Where each step comes from"


def _source(context: ExportContext, source: StepSource) -> tuple[str | Citation, ...]:
    papers = [
        part
        for paper in source.papers
        if paper in context.state.papers
        for part in (", ", Citation(paper))
    ]
    return (source_words(context.state, source), *papers)


def means(context: ExportContext, plan: Version) -> Iterator[Section]:
    """A check of this very plan against the researcher's means; none where none was asked for."""
    check = plan_check(context.state, plan)
    if check is None:
        return
    status = context.snapshot.fresh.get(plan.address.replace("/exp", "/check"), "")
    blocks: list[Block] = []
    if status in ("stale", "upstream"):
        blocks.append(
            Paragraph((Strong("Stale"), ": the means or the plan were changed after this check."))
        )
    blocks.append(
        Paragraph(f"Means: {'; '.join(means_of(context.state).lines()) or 'none named'}.")
    )
    blocks.append(Paragraph(sentence(means_caption(check))))
    rows = [
        (str(step.step), clipped(step.text, FIRST_WORDS), judgement_words(step), step.reason)
        for step in check.steps
        if step.judgement != NO_NEED
    ]
    blocks += [Table(("Step", "Begins with", "Means", "Why"), tuple(rows))] if rows else []
    yield Section("Against the researcher's means", tuple(blocks))


def steps_as_data(context: ExportContext, plan: Version) -> list[dict[str, Any]]:
    """The steps with their sources, for JSON."""
    return [
        {
            "step": step.n,
            "part": step.part,
            "text": step.text,
            "from": source_words(context.state, source),
            "point": source.point or None,
            "papers": list(source.papers),
        }
        for step, source in sources(context.state, plan)
    ]
