"""Nova's part of a proposal: the target, how each idea came about seed by seed, and the trend
report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.nova import contents, reads
from coi_tui.methods.nova.picks import seed_of
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.shared.cell_table import bullets, held, paragraph, passage, section
from coi_tui.model.address import Branch
from coi_tui.model.document import (
    Block,
    MethodDocument,
    PaperEntry,
    PaperList,
    ProposalWarning,
    Section,
)
from coi_tui.model.state import State
from coi_tui.model.wording import count, sentence


def nova_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a
    branch."""
    if not branches:
        return MethodDocument()
    bounds = bounds_of(state, instance)
    found = held(state, f"{instance}/diversity", contents.DiversityContent)
    limits = [
        f"Nova with {count(bounds.seeds, 'seed')}, {bounds.each} new ones for each and at most {count(bounds.steps, 'round')}; "
        "the paper has 15 seeds, 3 each and 3 rounds."
    ]
    if found.seeds and not found.model:
        limits.append(
            "Seeds were compared by their words; ideas in wholly other words count as different."
        )
    repeated = "; ".join(
        f"seed {row.seed} repeats seed {row.repeats}"
        for row in found.seeds
        if row.repeats and row.seed in found.picks
    )
    warning = ProposalWarning("Repeated ideas", f"{repeated}.", (f"{instance}/diversity",))
    return MethodDocument(
        tuple(_sections(state, instance, branches)),
        tuple(_provenance(state, instance)),
        (warning,) if repeated else (),
        tuple(limits),
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
    """A seed that led to a proposal, with the searches that it came of and the papers that it rests
    on."""
    address = reads.seed(instance, item)
    seed = state.read(address, contents.SeedContent)
    if seed is None:
        return
    found = held(state, f"{instance}/found{reads.parent_of(item)}", contents.FoundContent)
    yield bullets(
        f"Searched: {line.query} ({count(len(line.papers), 'paper')})" for line in found.items
    )
    by = f", theory {seed.theory}" if seed.theory else ""
    source = f" (from {seed.source}{by})" if seed.source else ""
    yield paragraph(f"Seed {item}{source}: {sentence(seed.title)}")
    yield passage(state, address, seed.text)
    papers = [paper for paper in seed.papers if paper in state.papers]
    if papers:
        rests = (f"Seed {item} rests on it.",)
        yield PaperList(tuple(PaperEntry(paper, rests) for paper in papers))


def _provenance(state: State, instance: str) -> Iterator[Section]:
    address = f"{instance}/trends"
    if trends := state.read(address, contents.TrendsContent):
        text = passage(state, address, trends.text)
        yield from section("The trend report", text, paragraph(trends.note))
