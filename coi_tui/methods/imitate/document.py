"""The manuscript as part of a proposal, and how it came about: what it imitates, each step's
evidence, points and revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import bullets, held, paragraph, passage, section
from coi_tui.methods.imitate import contents
from coi_tui.methods.imitate.kinds import rated
from coi_tui.methods.imitate.manuscript import sections_of, steps_of
from coi_tui.methods.imitate.passages import MISSING, marks_in
from coi_tui.methods.imitate.settings import MOST_ROUNDS, bounds_of
from coi_tui.model.address import Branch
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import (
    Block,
    Manuscript,
    MethodDocument,
    PaperEntry,
    PaperList,
    ProposalWarning,
    Section,
    plain_table,
)
from coi_tui.model.state import State
from coi_tui.model.text import count


def imitate_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a
    branch."""
    bounds = bounds_of(state, instance)
    limit = (
        f"Imitate-and-Evolve with {count(bounds.papers, 'paper')} a side, a plan of {count(bounds.steps, 'step')} and at most "
        f"{count(bounds.rounds, 'round')} of review, by a model's own rating."
    )
    return sum(
        (_of_branch(state, branch) for branch in branches),
        MethodDocument(limits=(limit,) if branches else ()),
    )


def _of_branch(state: State, branch: Branch) -> MethodDocument:
    parts, cited = _text(state, branch)
    idea = state.read(f"{branch}/idea", IdeaContent)
    named = [Section(f"{n}. {part.title}", part.blocks, branch) for n, part in enumerate(parts, 1)]
    papers = PaperList(tuple(map(PaperEntry, cited))) if cited else None
    named += section("Papers that it cites", papers, branch=branch)
    whole: tuple[Manuscript, ...] = ()
    if parts and idea is not None:
        abstract = passage(state, f"{branch}/idea", idea.summary or idea.final)
        whole = (Manuscript(idea.title, parts, abstract, branch),)
    return MethodDocument(
        (*section(f"Manuscript {branch}", *named, branch=branch), *_paradigm(state, branch)),
        tuple(_provenance(state, branch)),
        tuple(_warnings(state, branch)),
        manuscripts=whole,
    )


def _text(state: State, branch: Branch) -> tuple[tuple[Section, ...], list[str]]:
    """The sections as they stand, each with marks where it names papers, so that a format may write
    citations of its own; and the papers that they cite, in their order."""
    sections, cited = sections_of(state, branch), dict[str, None]()
    for one in sections:
        gate = held(state, f"{branch}/gate{one.revised}", contents.GateContent)
        revised = (row.papers for row in gate.rows if row.section == one.number)
        first = held(state, f"{branch}/section{one.number}", contents.SectionContent).papers
        cited |= dict.fromkeys(next(revised, []) if one.revised else first)
    papers = [state.papers[paper] for paper in cited if paper in state.papers]
    parts = []
    for one in sections:
        name, number = ("gate", one.revised) if one.revised else ("section", one.number)
        text = passage(state, f"{branch}/{name}{number}", one.text, marks_in(one.text, papers))
        parts.append(Section(one.title, (text,), branch))
    return tuple(parts), [paper.id for paper in papers]


def _paradigm(state: State, branch: Branch) -> Iterator[Section]:
    """The two papers that are imitated."""
    pair = state.read(f"{branch}/pair", contents.PairRow)
    if pair is None:
        return
    yield from section(
        f"What manuscript {branch} imitates",
        PaperList(
            (
                PaperEntry(pair.algorithm, ("Its algorithm is imitated.",)),
                PaperEntry(pair.application, ("Its application is imitated.",)),
            )
        ),
        paragraph(f"Its score is {pair.score or '?'} of 10. {pair.reason}".strip()),
        branch=branch,
    )


def _provenance(state: State, branch: Branch) -> Iterator[Section]:
    """The points of each review with what became of them, and the revisions with their ratings."""
    for number in range(1, MOST_ROUNDS + 1):
        title = f"Review of manuscript {branch}, round {number}"
        yield from section(title, *_round(state, branch, number), branch=branch)


def _round(state: State, branch: Branch, number: int) -> Iterator[Block | None]:
    review = state.read(f"{branch}/referee{number}", contents.RefereeContent)
    if review is None:
        return
    answers = held(state, f"{branch}/answers{number}", contents.AnswersContent)
    said = {one.name: ("taken", one.description) for one in answers.taken}
    said |= {one.name: ("rebutted", one.description) for one in answers.rebutted}
    rows = tuple(
        (str(n), point.name, point.description, *said.get(str(n), ("open", "")))
        for n, point in enumerate(review.points, 1)
    )
    yield paragraph(f"Rating {rated(review.rating)} of 10, {count(len(rows), 'point')}.")
    if rows:
        yield plain_table(("Point", "Section", "What", "Decision", "Change or reason"), rows)
    gate = held(state, f"{branch}/gate{number}", contents.GateContent)
    yield bullets(
        f"Section {row.section}: {row.outcome} (rating {rated(row.before)} before, {rated(row.after)} after); "
        f"the {'revision' if gate.kept(row.section) else 'text before it'} is used."
        for row in gate.rows
    )


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """Steps on weak evidence, and citations that named no paper."""
    weak = [
        number
        for number in steps_of(state, branch)
        if held(state, f"{branch}/step{number}", contents.StepContent).weak
        and not state.cell(f"{branch}/step{number}").accepted
    ]
    missing = [one.number for one in sections_of(state, branch) if MISSING in one.text]
    if weak:
        said = f"Manuscript {branch}: weak evidence for {_numbers(weak)}; accept each step, or edit it."
        yield ProposalWarning("Weak evidence", said, tuple(f"{branch}/step{n}" for n in weak))
    if missing:
        said = f"Manuscript {branch}: citations that name no paper in {_numbers(missing)}; they are marked in the text."
        addresses = tuple(f"{branch}/section{n}" for n in missing)
        yield ProposalWarning("Missing citations", said, addresses)


def _numbers(found: Sequence[int]) -> str:
    return f"section{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}"
