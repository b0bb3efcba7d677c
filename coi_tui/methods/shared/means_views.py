"""A check of a plan against the person's means: its line in the tree, its parts in the detail pane, its table."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.model.content import ExperimentPlan
from coi_tui.model.entries import Version
from coi_tui.model.means import (
    ENOUGH,
    NO_NEED,
    NOT_SAID,
    SHORT,
    UNCLEAR,
    CheckedStep,
    MeansCheck,
    means_of,
)
from coi_tui.model.plan_steps import StepSource, source_in_short, source_words, sources, steps_of
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView, TitledText
from coi_tui.model.wording import count

WORDS = (SHORT, UNCLEAR, ENOUGH, NO_NEED, NOT_SAID)
"""The judgements, the ones that need a look first."""


def means_caption(check: MeansCheck) -> str:
    """``short in 2 of 9 steps; 3 cannot tell``."""
    counts = {word: sum(step.judgement == word for step in check.steps) for word in WORDS}
    told = [f"short in {counts[SHORT]} of {count(len(check.steps), 'step')}"]
    told += [f"{counts[word]} {word}" for word in (UNCLEAR, NOT_SAID) if counts[word]]
    return "; ".join(told)


def means_parts(state: State, address: str) -> Iterator[TitledText]:
    """What stands in the detail pane."""
    check = state.read(address, MeansCheck)
    if check is None:
        return
    yield ("", f"{means_caption(check).capitalize()}.")
    yield ("YOUR MEANS", "\n".join(means_of(state).lines()) or "none named")
    yield from _judged_parts(check)
    if check.left_out:
        yield (
            "NOT CHECKED",
            f"{count(check.left_out, 'more step', 'more steps')} of the plan; one call holds no more.",
        )


def _judged_parts(check: MeansCheck) -> Iterator[TitledText]:
    """The steps by their judgement; those that need nothing, or of which nothing was said, by their numbers."""
    for word in WORDS[:-2]:
        if rows := [step for step in check.steps if step.judgement == word]:
            yield (word.upper(), "\n".join(map(step_line, rows)))
    for word, said in (
        (NO_NEED, "no need of means was found"),
        (NOT_SAID, "nothing was said of them"),
    ):
        if quiet := [str(step.step) for step in check.steps if step.judgement == word]:
            yield (word.upper(), f"Steps {', '.join(quiet)}: {said}.")


def step_line(step: CheckedStep) -> str:
    """``3. baselines: the step -- compute, short by 6 GPUs: the reason``."""
    return (
        f"{step.step}. {step.part}: {step.text}\n   {judgement_words(step)}. {step.reason}".rstrip()
    )


def judgement_words(step: CheckedStep) -> str:
    """``compute: short of GPUs, by 6``."""
    what = f" of {step.short}" if step.short else ""
    much = f", by {step.by}" if step.by else ""
    return f"{f'{step.of}: ' if step.of else ''}{step.judgement}{what}{much}"


def means_table(state: State, address: str) -> TableView:
    """A row a step: the judgement, by how much, where the step comes from, and the step."""
    check = state.read(address, MeansCheck) or MeansCheck()
    plan = state.in_use(address.replace("/check", "/exp"))
    origin = (
        {step.n: (step.text, source) for step, source in sources(state, plan)}
        if plan is not None
        else {}
    )
    rows = []
    for step in check.steps:
        text, source = origin.get(step.step, ("", None))
        rows.append(
            _row(state, step, source if text == step.text else None)
        )  # the plan's step may say something else by now
    return TableView(("step", "your means", "short by", "from", "what is to be done"), tuple(rows))


def _row(state: State, step: CheckedStep, source: StepSource | None) -> TableRow:
    judged = (
        "-"
        if step.judgement == NO_NEED
        else f"{step.judgement}: {step.of}"
        if step.of
        else step.judgement
    )
    cells = (
        f"{step.step} {step.part}",
        judged,
        step.by,
        source_in_short(source) if source is not None else "",
        step.text,
    )
    said = (
        ("MEANS", judgement_words(step)),
        ("WHY", step.reason),
        ("FROM", source_words(state, source) if source is not None else ""),
    )
    return TableRow(str(step.step), cells, tuple((title, body) for title, body in said if body))


def plan_check(state: State, plan: Version) -> MeansCheck | None:
    """The check in use of a version of the plan; None where there is none, or where it is of other steps."""
    check = state.read(plan.address.replace("/exp", "/check"), MeansCheck)
    if check is None:
        return None
    said = [step.text for step in steps_of(state.content(plan, ExperimentPlan))]
    return check if [step.text for step in check.steps] == said[: len(check.steps)] else None
