"""Nova's part of a proposal: the target, how each idea came about seed by seed, and the trend
report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.base.cell_table import held, paragraph, passage, section
from coi_tui.methods.nova import contents, reads
from coi_tui.methods.nova.picks import seed_of
from coi_tui.model.address import Branch
from coi_tui.model.document import (
    Block,
    MethodDocument,
    PaperEntry,
    PaperList,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.text import sentence


def nova_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a
    branch."""
    if not branches:
        return MethodDocument()
    found = held(state, f"{instance}/diversity", contents.DiversityContent)
    by_words = "Seeds were compared by their words; ideas in wholly other words count as different."
    return MethodDocument(
        tuple(_sections(state, instance, branches)),
        limits=(by_words,) if found.seeds and not found.model else (),
    )


def _sections(state: State, instance: str, branches: Sequence[Branch]) -> Iterator[Section]:
    target = held(state, f"{instance}/target", contents.TargetContent)
    if target.title:
        yield from section(
            "Where the ideas start from",
            paragraph(f"The ideas start from “{target.title}”."),
            PaperList((PaperEntry(target.paper),)) if target.paper else None,
            branch=branches[0],
        )
    for branch in branches:
        descent = reversed(reads.line_of(seed_of(state, branch)))
        blocks = [block for item in descent for block in _seed(state, instance, item)]
        yield from section(f"How idea {branch} came about", *blocks, branch=branch)


def _seed(state: State, instance: str, item: str) -> Iterator[Block | None]:
    """A seed that led to a proposal, with the papers that it rests on."""
    address = reads.seed(instance, item)
    seed = state.read(address, contents.SeedContent)
    if seed is None:
        return
    source = f" (from {', '.join(filter(None, (seed.source, seed.theory)))})" if seed.source else ""
    yield paragraph(f"Seed {item}{source}: {sentence(seed.title)}")
    yield passage(state, address, seed.text)
    if papers := [paper for paper in seed.papers if paper in state.papers]:
        rests = (f"Seed {item} rests on it.",)
        yield PaperList(tuple(PaperEntry(paper, rests) for paper in papers))
