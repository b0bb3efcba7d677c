"""The manuscript as part of a proposal, and how it came about: what it imitates, each step's evidence, points and revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.imitate import contents
from coi_tui.methods.imitate.citations import marks_in
from coi_tui.methods.imitate.manuscript import gates, sections_of, steps_of
from coi_tui.methods.imitate.plan_steps import cell, step_of
from coi_tui.methods.imitate.settings import MOST_ROUNDS, bounds_of
from coi_tui.model.address import Branch
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import (
    Block,
    Bullets,
    Diagram,
    DiagramArrow,
    Manuscript,
    MethodDocument,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
    Table,
)
from coi_tui.model.state import State
from coi_tui.model.wording import count


def imitate_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a branch."""
    if not branches:
        return MethodDocument()
    sections = (
        part
        for branch in branches
        for part in (*_in_sections(state, branch), *_paradigm(state, branch))
    )
    provenance = (part for branch in branches for part in _provenance(state, branch))
    warnings = (warning for branch in branches for warning in _warnings(state, branch))
    whole = tuple(text for branch in branches for text in _whole(state, branch))
    return MethodDocument(
        tuple(sections), tuple(provenance), tuple(warnings), tuple(_limits(state, instance)), whole
    )


def cited_papers(state: State, branch: Branch) -> list[str]:
    """The papers that the manuscript cites as it stands, in the order of its sections, each once."""
    out: list[str] = []
    for section in sections_of(state, branch):
        if section.revised:
            gate = state.read(cell(branch, "gate", section.revised), contents.GateContent)
            out += (
                next((row.papers for row in gate.rows if row.section == section.number), [])
                if gate is not None
                else []
            )
        elif (
            held := state.read(cell(branch, "section", section.number), contents.SectionContent)
        ) is not None:
            out += held.papers
    return [paper for paper in dict.fromkeys(out) if paper in state.papers]


def _text(state: State, branch: Branch, *, cited: bool) -> tuple[Section, ...]:
    """The sections as they stand; with ``cited`` each marks the papers that it names, so that a format may write citations of its own."""
    papers = [state.papers[paper] for paper in cited_papers(state, branch)]
    parts = []
    for section in sections_of(state, branch):
        address = (
            cell(branch, "gate", section.revised)
            if section.revised
            else cell(branch, "section", section.number)
        )
        marks = marks_in(section.text, papers) if cited else ()
        parts.append(
            Section(section.title, (_passage(state, address, section.text, marks),), branch)
        )
    return tuple(parts)


def _passage(
    state: State, address: str, text: str, marks: tuple[tuple[str, str], ...] = ()
) -> Passage:
    version = state.in_use(address)
    return Passage(address, text, version.origin if version else "model", marks)


def _in_sections(state: State, branch: Branch) -> Iterator[Section]:
    """The manuscript as a part of the proposal: section by section, then the papers that they cite."""
    if parts := _text(state, branch, cited=False):
        numbered = (
            Section(f"{n}. {part.title}", part.blocks, branch)
            for n, part in enumerate(parts, start=1)
        )
        papers = PaperList(tuple(PaperEntry(paper) for paper in cited_papers(state, branch)))
        cited = (Section("Papers that it cites", (papers,), branch),) if papers.entries else ()
        yield Section(f"Manuscript {branch}", (*numbered, *cited), branch)


def _whole(state: State, branch: Branch) -> Iterator[Manuscript]:
    """The manuscript by itself, with its title and abstract; none before there are some."""
    parts, idea = _text(state, branch, cited=True), state.read(f"{branch}/idea", IdeaContent)
    if parts and idea is not None:
        yield Manuscript(
            idea.title, parts, _passage(state, f"{branch}/idea", idea.summary or idea.final), branch
        )


def _paradigm(state: State, branch: Branch) -> Iterator[Section]:
    """The two papers that are imitated, and the plan as it was followed, each step with its part of a paradigm."""
    pair = state.read(cell(branch, "pair"), contents.PairContent)
    if pair is None or not {pair.algorithm, pair.application} <= set(state.papers):
        return
    chosen = (
        "You chose the pair."
        if pair.chosen
        else f"Of all pairs it was scored best ({pair.score} of 10)."
        if pair.score
        else ""
    )
    entries = (
        PaperEntry(pair.algorithm, ("Its algorithm is imitated.",)),
        PaperEntry(pair.application, ("Its application is imitated.",)),
    )
    arrow = DiagramArrow(pair.algorithm, pair.application, "imitated together")
    blocks: list[Block] = [
        PaperList(entries),
        Diagram((pair.algorithm, pair.application), (arrow,)),
        Paragraph(" ".join(filter(None, (chosen, pair.reason)))),
    ]
    rows = []
    for number in range(1, steps_of(state, branch) + 1):
        held = state.read(cell(branch, "step", number), contents.StepContent)
        if held is not None:
            step = step_of(held.step)
            rows.append(
                (str(number), step.title, step.like or "none", "kept" if held.kept else "revised")
            )
    if rows:
        blocks.append(Table(("Step", "Section", "As in", "When it was written"), tuple(rows)))
    yield Section(f"What manuscript {branch} imitates", tuple(blocks), branch)


def _provenance(state: State, branch: Branch) -> Iterator[Section]:
    """The evidence of each section, the points of each review with what became of them, and the revisions with their ratings."""
    lines = []
    for number in range(1, steps_of(state, branch) + 1):
        held = state.read(cell(branch, "passages", number), contents.PassagesContent)
        if held is not None:
            used = held.on()
            papers = {row.paper for row in used if row.paper}
            lines.append(
                f"Section {number}: {count(len(used), 'passage')} of {count(len(papers), 'paper')}. {held.note}".strip()
            )
    if lines:
        yield Section(f"Evidence of manuscript {branch}", (Bullets(tuple(lines)),), branch)
    for number in range(1, MOST_ROUNDS + 1):
        if blocks := tuple(_round(state, branch, number)):
            yield Section(f"Review of manuscript {branch}, round {number}", blocks, branch)


def _round(state: State, branch: Branch, number: int) -> Iterator[Block]:
    review = state.read(cell(branch, "referee", number), contents.RefereeContent)
    if review is None:
        return
    yield Paragraph(
        f"Rating {review.rating if review.rating is not None else 'none'} of 10, {count(len(review.points), 'point')}."
    )
    answers = (
        state.read(cell(branch, "answers", number), contents.AnswersContent)
        or contents.AnswersContent()
    )
    if review.points:
        yield Table(
            ("Point", "Section", "What", "Decision", "Change or reason"),
            tuple(_decided(review, answers)),
        )
    gate = state.read(cell(branch, "gate", number), contents.GateContent)
    if gate is not None and gate.rows:
        yield Bullets(tuple(_revision(row, gate) for row in gate.rows))


def _decided(
    review: contents.RefereeContent, answers: contents.AnswersContent
) -> Iterator[tuple[str, ...]]:
    """Each point with what became of it."""
    said = {row.name: ("taken", row.description) for row in answers.taken}
    said |= {row.name: ("rebutted", row.description) for row in answers.rebutted}
    for number, point in enumerate(review.points, start=1):
        yield (str(number), point.name, point.description, *said.get(str(number), ("open", "")))


def _revision(row: contents.GateRow, gate: contents.GateContent) -> str:
    kept = (
        "the revision is used"
        if getattr(gate, f"text{row.section}", "").strip()
        else "the text before it is used"
    )
    before, after = ("none" if value is None else f"{value:g}" for value in (row.before, row.after))
    return f"Section {row.section}: {row.outcome} (rating {before} before, {after} after); {kept}."


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """Steps on weak evidence, citations that named no paper, and a manuscript that is not whole."""
    numbers, written = range(1, steps_of(state, branch) + 1), len(sections_of(state, branch))
    if weak := [number for number in numbers if _weak(state, branch, number)]:
        said = f"Manuscript {branch}: weak evidence for {_numbers(weak)}; accept each step, or switch what it imitates."
        yield ProposalWarning("Weak evidence", said, tuple(cell(branch, "step", n) for n in weak))
    if missing := [number for number in numbers if _missing(state, branch, number)]:
        said = f"Manuscript {branch}: citations that name no paper in {_numbers(missing)}; they are marked in the text."
        yield ProposalWarning(
            "Missing citations", said, tuple(cell(branch, "section", n) for n in missing)
        )
    if 0 < written < len(numbers):
        yield ProposalWarning(
            "Unfinished manuscript",
            f"Manuscript {branch}: {written} of {count(len(numbers), 'section')} are written.",
        )


def _weak(state: State, branch: Branch, number: int) -> bool:
    """Whether a step's evidence is weak and no person has accepted it."""
    step = state.read(cell(branch, "step", number), contents.StepContent)
    return (
        step is not None
        and bool(step.weak)
        and not state.cell(cell(branch, "step", number)).accepted
    )


def _missing(state: State, branch: Branch, number: int) -> bool:
    section = state.read(cell(branch, "section", number), contents.SectionContent)
    return section is not None and section.missing > 0


def _numbers(numbers: Sequence[int]) -> str:
    return f"section{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _limits(state: State, instance: str) -> Iterator[str]:
    bounds = bounds_of(state, instance)
    yield (
        f"Imitate-and-Evolve with {count(bounds.papers, 'paper')} a side, a plan of {count(bounds.steps, 'step')} and at most "
        f"{count(bounds.rounds, 'round')} of review."
    )
    reviewed = any(gates(state, branch) for branch in state.branches_of(instance))
    if reviewed:
        yield "A rating is a model's own and says only that one text was rated not lower than another by the same prompt."
