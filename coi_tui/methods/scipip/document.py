"""SciPIP's part of a proposal: background, problem, and the papers of the three routes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.methods.shared.cell_table import bullets, held, passage, section
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
from coi_tui.model.wording import listed


def scipip_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a
    branch."""
    if not branches:
        return MethodDocument()
    bounds = bounds_of(state, instance)
    found = held(state, f"{instance}/retrieved", contents.RetrievedContent)
    limit = f"SciPIP in mode {bounds.mode}, {bounds.path} path: the papers are those of this session's searches, not a whole field."
    records = f"{instance}/records"
    unread = [row.title for row in held(state, records, ReadPapers).papers if row.unread]
    said = f"no text could be had of {listed(unread)}."
    return MethodDocument(
        tuple(_sections(state, instance, branches[0], found)),
        warnings=(ProposalWarning("Not read", said, (records,)),) if unread else (),
        limits=tuple(filter(None, (limit, found.note))),
    )


def _sections(
    state: State, instance: str, branch: Branch, found: contents.RetrievedContent
) -> Iterator[Section]:
    for name, title in (("background", "Background"), ("problem", "The problem")):
        address = f"{instance}/{name}"
        if said := held(state, address, contents.ProblemContent):
            text = passage(state, address, said.text) if said.text else None
            yield from section(title, text, bullets(said.reasons), branch=branch)
    entries = tuple(
        PaperEntry(row.paper, (f"Found by {_routes(row)}; score {row.score:.2f}.",))
        for row in sorted(found.papers, key=lambda row: row.paper not in found.picked)
        if row.paper in found.picked
    )
    papers = PaperList(entries) if entries else None
    yield from section("The papers that the ideas come from", papers, branch=branch)


def _routes(row: contents.RetrievedPaper) -> str:
    return listed([f"{route} (rank {rank})" for route, rank in row.routes.items()])
