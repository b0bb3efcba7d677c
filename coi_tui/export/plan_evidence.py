"""What stands behind an experiment plan in a proposal: where each step comes from, and what the researcher's means suffice for."""

from __future__ import annotations

from typing import Any

from coi_tui.export.escape import inline, joined, table
from coi_tui.export.snapshot import ExportContext
from coi_tui.methods.shared.means_views import judgement_words, means_caption, plan_check
from coi_tui.model.entries import Version
from coi_tui.model.means import NO_NEED, means_of
from coi_tui.model.plan_steps import StepSource, source_words, sources
from coi_tui.model.wording import clipped, sentence

FIRST_WORDS = 8
"""A step is named by its first words: it stands in the plan already."""


def step_sources(context: ExportContext, plan: Version, level: str) -> str:
    """Where each step comes from; one sentence where all come from the same."""
    found = sources(context.state, plan)
    if not found:
        return ""
    head = f"{level} Where each step comes from"
    told = [_source(context, source) for _, source in found]
    if len(set(told)) == 1:
        return joined(head, f"Every step of the plan: {told[0]}.")
    rows = [(str(step.n), step.part, inline(clipped(step.text, FIRST_WORDS)), said) for (step, _), said in zip(found, told, strict=True)]
    return joined(head, table(("Step", "Part", "Begins with", "Comes from"), rows))


def _source(context: ExportContext, source: StepSource) -> str:
    papers = [f"paper {context.bibliography.mark(paper)}" for paper in source.papers if context.bibliography.number(paper) is not None]
    return ", ".join([inline(source_words(context.state, source)), *papers])


def means_section(context: ExportContext, plan: Version, level: str) -> str:
    """A check of this very plan against the researcher's means; empty where none was asked for."""
    check = plan_check(context.state, plan)
    if check is None:
        return ""
    status = context.snapshot.fresh.get(plan.address.replace("/exp", "/check"), "")
    stale = "**Stale**: the means or the plan were changed after this check." if status in ("stale", "upstream") else ""
    means = "; ".join(means_of(context.state).lines()) or "none named"
    rows = [
        (str(step.step), inline(clipped(step.text, FIRST_WORDS)), inline(judgement_words(step)), inline(step.reason))
        for step in check.steps if step.judgement != NO_NEED
    ]  # fmt: skip
    parts = [f"{level} Against the researcher's means", stale, inline(f"Means: {means}."), sentence(inline(means_caption(check)))]
    parts += [table(("Step", "Begins with", "Means", "Why"), rows)] if rows else []
    if (test := check.decisive) is not None:
        parts += [
            f"{level} Cheapest decisive experiment", sentence(inline(test.test)),
            f"The idea is wrong if: {sentence(inline(test.wrong_if))}",
            f"It needs: {inline(test.needs)} (the means: {inline(test.judgement)}).",
        ]  # fmt: skip
    return joined(*parts)


def steps_as_data(context: ExportContext, plan: Version) -> list[dict[str, Any]]:
    """The steps with their sources, for JSON."""
    return [
        {"step": step.n, "part": step.part, "text": step.text, "from": source_words(context.state, source),
         "point": source.point or None, "papers": list(source.papers)}
        for step, source in sources(context.state, plan)
    ]  # fmt: skip
