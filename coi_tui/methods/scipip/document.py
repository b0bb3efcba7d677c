"""SciPIP's part of a proposal: background, problem, the papers of the three routes, and how the ideas came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.model.address import Branch
from coi_tui.model.content import ReadPapers
from coi_tui.model.document import (
    Block,
    Bullets,
    MethodDocument,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.wording import count, listed, sentence


def scipip_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a branch."""
    if not branches:
        return MethodDocument()
    return MethodDocument(
        tuple(_sections(state, instance, branches[0])),
        tuple(_provenance(state, instance)),
        tuple(_warnings(state, instance)),
        tuple(_limits(state, instance)),
    )


def _text(state: State, address: str, text: str) -> Passage:
    version = state.in_use(address)
    return Passage(address, text, version.origin if version else "model")


def _sections(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    if background := state.read(f"{instance}/background", contents.BackgroundContent):
        yield Section(
            "Background", (_text(state, f"{instance}/background", background.text),), branch
        )
    if found := state.read(f"{instance}/retrieved", contents.RetrievedContent):
        yield Section("The papers that the ideas come from", tuple(_papers(found)), branch)
    if problem := state.read(f"{instance}/problem", contents.ProblemContent):
        blocks: list[Block] = [_text(state, f"{instance}/problem", problem.text)]
        yield Section(
            "The problem",
            (*blocks, Bullets(tuple(problem.reasons))) if problem.reasons else tuple(blocks),
            branch,
        )


def _papers(found: contents.RetrievedContent) -> Iterator[Block]:
    rows = {row.paper: row for row in found.papers}
    yield Paragraph(
        f"{count(len(found.papers), 'paper')} by three routes; one paper of each cluster in turn was taken, best first."
    )
    entries = []
    for paper in found.picked:
        row = rows.get(paper)
        if row is not None:
            routes = listed([f"{route} (rank {rank})" for route, rank in row.routes.items()])
            entries.append(PaperEntry(paper, (f"Found by {routes}; score {row.score:.2f}.",)))
    yield PaperList(tuple(entries))


def _provenance(state: State, instance: str) -> Iterator[Section]:
    if brainstorm := state.read(f"{instance}/brainstorm", contents.BrainstormContent):
        yield Section(
            "The brainstorm, from the background alone", (Bullets(tuple(brainstorm.directions)),)
        )
    if filtered := state.read(f"{instance}/filtered", contents.FilteredContent):
        gone = tuple(
            f"{sentence(row.name)} Went because: {row.description}" for row in filtered.dropped
        )
        yield Section("First ideas that went", (Bullets(gone) if gone else Paragraph("None."),))


def _warnings(state: State, instance: str) -> Iterator[ProposalWarning]:
    records = state.read(f"{instance}/records", ReadPapers)
    unread = [row.title for row in records.papers if row.unread] if records else []
    if unread:
        yield ProposalWarning(
            "Not read", f"no text could be had of {listed(unread)}.", (f"{instance}/records",)
        )


def _limits(state: State, instance: str) -> Iterator[str]:
    found, bounds = (
        state.read(f"{instance}/retrieved", contents.RetrievedContent),
        bounds_of(state, instance),
    )
    yield f"SciPIP in mode {bounds.mode}, {bounds.path} path: the papers are those of this session's searches, not a whole field."
    if found and found.note:
        yield found.note
