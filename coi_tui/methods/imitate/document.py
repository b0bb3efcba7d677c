"""The manuscript as the main part of a proposal, the reviews that it went through, and what a reader
must be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import held, passage
from coi_tui.methods.imitate import contents
from coi_tui.methods.imitate.manuscript import sections_of, steps_of
from coi_tui.methods.imitate.passages import MISSING, marks_in
from coi_tui.methods.imitate.settings import bounds_of
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import Manuscript, MethodDocument, ProposalWarning, Section
from coi_tui.model.state import State
from coi_tui.model.text import count

REVIEWS = ("referee", "answers", "gate")
"""The cells of the review."""


def imitate_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches."""
    bounds = bounds_of(state, instance)
    limit = (
        f"Imitate-and-Evolve with {count(bounds.papers, 'paper')} a side, a plan of "
        f"{count(bounds.steps, 'step')} and one review, by a model's own rating."
    )
    reviews = (at for at in state.cells if parse_address(at).part in REVIEWS)
    return MethodDocument(
        tuple(
            at
            for at in reviews
            if parse_address(at).branch in branches and state.in_use(at) is not None
        ),
        tuple(warning for branch in branches for warning in _warnings(state, branch)),
        (limit,),
        tuple(whole for branch in branches for whole in _manuscript(state, branch)),
    )


def _manuscript(state: State, branch: Branch) -> Iterator[Manuscript]:
    """The sections as they are now, each with marks where it names papers, so that a format may
    write citations of its own."""
    sections, cited = sections_of(state, branch), dict[str, None]()
    for one in sections:
        gate = held(state, f"{branch}/gate", contents.GateContent)
        revised = (row.papers for row in gate.rows if row.section == one.number)
        first = held(state, f"{branch}/section{one.number}", contents.SectionContent).papers
        cited |= dict.fromkeys(next(revised, []) if one.revised else first)
    papers = [state.papers[paper] for paper in cited if paper in state.papers]
    parts = []
    for one in sections:
        name = "gate" if one.revised else f"section{one.number}"
        text = passage(state, f"{branch}/{name}", one.text, marks_in(one.text, papers))
        parts.append(Section(one.title, (text,)))
    idea = state.read(f"{branch}/idea", IdeaContent)
    if parts and idea is not None:
        abstract = passage(state, f"{branch}/idea", idea.summary or idea.final)
        yield Manuscript(idea.title, tuple(parts), abstract, branch)


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
        text = f"Manuscript {branch}: weak evidence for {_numbers(weak)}; accept each step, or edit it."
        yield ProposalWarning("Weak evidence", text, tuple(f"{branch}/step{n}" for n in weak))
    if missing:
        text = f"Manuscript {branch}: citations that name no paper in {_numbers(missing)}; they are marked in the text."
        addresses = tuple(f"{branch}/section{n}" for n in missing)
        yield ProposalWarning("Missing citations", text, addresses)


def _numbers(found: Sequence[int]) -> str:
    return f"section{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}"
