"""SciPIP's part of a proposal: background, problem, and the papers of the three routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import bullets, held, passage, section
from coi_tui.methods.scipip.contents import ProblemContent, RetrievedContent
from coi_tui.model.address import Branch
from coi_tui.model.content import ReadPapers
from coi_tui.model.document import (
    MethodDocument,
    PaperEntry,
    PaperList,
    ProposalWarning,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.text import listed


def scipip_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a
    branch."""
    if not branches:
        return MethodDocument()
    found, records = held(state, f"{instance}/retrieved", RetrievedContent), f"{instance}/records"
    unread = [row.title for row in held(state, records, ReadPapers).papers if row.unread]
    said = f"no text could be had of {listed(unread)}."
    return MethodDocument(
        tuple(_sections(state, instance, branches[0], found)),
        warnings=(ProposalWarning("Not read", said, (records,)),) if unread else (),
        limits=(found.note,) if found.note else (),
    )


def _sections(
    state: State, instance: str, branch: Branch, found: RetrievedContent
) -> Iterator[Section]:
    for name, title in (("background", "Background"), ("problem", "The problem")):
        said = held(state, f"{instance}/{name}", ProblemContent)
        if said.text:
            text = passage(state, f"{instance}/{name}", said.text)
            yield from section(title, text, bullets(said.reasons), branch=branch)
    entries = []
    for row in found.papers:
        if row.paper in found.picked:
            routes = listed([f"{route} (rank {rank})" for route, rank in row.routes.items()])
            entries.append(PaperEntry(row.paper, (f"Found by {routes}; score {row.score:.2f}.",)))
    papers = PaperList(tuple(entries)) if entries else None
    yield from section("The papers that the ideas come from", papers, branch=branch)
