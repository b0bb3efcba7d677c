"""Nova's part of a proposal: the target, how each idea came about seed by seed, and how different the seeds are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.methods.nova import contents, diversity, reads
from coi_tui.methods.nova.diversity_cell import counts_of
from coi_tui.methods.nova.proposals import seed_of
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.model.address import Branch
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
from coi_tui.model.wording import count, sentence


def nova_document(state: State, instance: str, branches: Sequence[Branch]) -> MethodDocument:
    """All that the method says in a proposal about some of its branches; nothing without a branch."""
    if not branches:
        return MethodDocument()
    sections = (
        *_target(state, instance, branches[0]),
        *(s for branch in branches for s in _descent(state, instance, branch)),
    )
    return MethodDocument(
        tuple(sections),
        tuple(_provenance(state, instance)),
        tuple(_warnings(state, instance)),
        tuple(_limits(state, instance)),
    )


def _passage(state: State, address: str, text: str) -> Passage:
    version = state.in_use(address)
    return Passage(address, text, version.origin if version else "model")


def _target(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    if (target := state.read(f"{instance}/target", contents.TargetContent)) is None:
        return
    blocks: list[Block] = [Paragraph(f"The ideas start from “{target.title}”.")]
    if target.paper:
        blocks.append(PaperList((PaperEntry(target.paper, ()),)))
    yield Section("Where the ideas start from", tuple(blocks), branch)


def _descent(state: State, instance: str, branch: Branch) -> Iterator[Section]:
    """The seeds that led to a proposal, the first one first, with the searches between them and the papers that each rests on."""
    blocks: list[Block] = []
    for item in reversed(reads.line_of(seed_of(state, branch))):
        address = reads.seed(instance, item)
        if (seed := state.read(address, contents.SeedContent)) is None:
            continue
        blocks += [
            Paragraph(
                f"Seed {item}{f' (from {seed.source}{_by(seed)})' if seed.source else ''}: {sentence(seed.title)}"
            )
        ]
        blocks.append(_passage(state, address, seed.text))
        blocks += _searched(state, instance, item, used=seed_of(state, branch) != item)
        if papers := [paper for paper in seed.papers if paper in state.papers]:
            blocks.append(
                PaperList(
                    tuple(PaperEntry(paper, (f"Seed {item} rests on it.",)) for paper in papers)
                )
            )
    if blocks:
        yield Section(f"How idea {branch} came about", tuple(blocks), branch)


def _by(seed: contents.SeedContent) -> str:
    return f", theory {seed.theory}" if seed.theory else ""


def _searched(state: State, instance: str, item: str, *, used: bool) -> Iterator[Block]:
    """The lines of a seed's search plan that were searched, where a further seed came of them."""
    found = state.read(f"{instance}/found{item}", contents.FoundContent) if used else None
    if found is not None:
        yield Bullets(
            tuple(
                f"Searched: {line.query} ({count(len(line.papers), 'paper')})"
                for line in found.items
            )
        )


def _provenance(state: State, instance: str) -> Iterator[Section]:
    if trends := state.read(f"{instance}/trends", contents.TrendsContent):
        note = (Paragraph(trends.note),) if trends.note else ()
        yield Section(
            "The trend report", (_passage(state, f"{instance}/trends", trends.text), *note)
        )
    if found := state.read(f"{instance}/diversity", contents.DiversityContent):
        counts = counts_of(found)
        lines = [
            f"Round {one.round}: {one.new} of {count(one.ideas, 'idea')} new, {one.total} distinct in all."
            for one in counts
        ]
        yield Section(
            "New ideas by round", (Bullets(tuple(lines)), Paragraph(diversity.advice(counts)))
        )


def _warnings(state: State, instance: str) -> Iterator[ProposalWarning]:
    """Proposals of seeds that repeat each other."""
    found = state.read(f"{instance}/diversity", contents.DiversityContent)
    if found is not None and (
        repeated := [row for row in found.seeds if row.repeats and row.seed in found.picks]
    ):
        said = "; ".join(f"seed {row.seed} repeats seed {row.repeats}" for row in repeated)
        yield ProposalWarning("Repeated ideas", f"{said}.", (f"{instance}/diversity",))


def _limits(state: State, instance: str) -> Iterator[str]:
    bounds = bounds_of(state, instance)
    yield (
        f"Nova with {count(bounds.seeds, 'seed')}, {bounds.each} new ones for each and at most {count(bounds.steps, 'round')}; "
        "the paper has 15 seeds, 3 each and 3 rounds."
    )
    found = state.read(f"{instance}/diversity", contents.DiversityContent)
    if found is not None and not found.model:
        yield "Seeds were compared by their words; ideas in wholly other words count as different."
