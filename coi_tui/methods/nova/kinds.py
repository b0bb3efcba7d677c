"""The cells of Nova: what each holds, who makes it, what is shown of it, and what a person decides
on its rows by a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coi_tui.methods.base.cell_table import (
    held,
    kinds_of,
    nth,
    row,
    running_text,
    table,
    title_of,
    turned,
)
from coi_tui.methods.ideas import kinds
from coi_tui.methods.nova import contents
from coi_tui.methods.nova.theories import THEORIES, ticked
from coi_tui.model.document import Block, Bullets, Paragraph, RowChange, RowKey, Section
from coi_tui.model.state import State
from coi_tui.model.text import count


def trends_table(state: State, address: str) -> Iterator[Block]:
    """The report, and the recent papers with their citations a year."""
    it = held(state, address, contents.TrendsContent)
    rows = (
        row(
            one.paper,
            n,
            f"{one.velocity:.1f}",
            "" if one.citations is None else one.citations,
            one.year or "",
            title_of(state, one.paper),
            paper=one.paper,
        )
        for n, one in enumerate(it.papers, 1)
    )
    note = "Citations a year stand for likes and reposts, which no source of papers counts."
    yield from running_text(state, address)
    yield from table("rank|a year|citations|year|title", rows, note)


def weighed_table(state: State, address: str) -> Iterator[Block]:
    """Every draft with what was said for and against it, the kept ones first."""
    it = held(state, address, contents.WeighedContent)
    rows = (
        row(
            n,
            "kept" if n <= len(it.kept) else "repeats" if one.repeats else "dropped",
            one.score or "",
            one.source,
            one.title,
            idea=one.text,
            pros=one.pros,
            cons=one.cons,
            repeats=one.repeats,
        )
        for n, one in enumerate([*it.kept, *it.dropped], 1)
    )
    return table("|score|from|title", rows)


def found_table(state: State, address: str) -> Iterator[Block]:
    """The papers of a search plan, line by line."""
    rows = (
        row(
            f"{n} {paper}",
            n,
            title_of(state, paper) or "nothing was found",
            paper=paper,
            line=item.name,
            searched=item.query,
        )
        for n, item in enumerate(held(state, address, contents.FoundContent).items, 1)
        for paper in item.papers or [""]
    )
    return table("line|title", rows)


def seed_document(state: State, address: str) -> Iterator[Block]:
    """The idea, where it comes from, what was thought, and the papers that it rests on."""
    seed = held(state, address, contents.SeedContent)
    texts = {
        "Title": seed.title,
        "Idea": seed.text,
        "From": ": ".join(filter(None, (seed.source, seed.theory))),
        "Thinking": seed.thinking,
        "For": seed.pros,
        "Against": seed.cons,
    }
    yield from (Section(name, (Paragraph(text),)) for name, text in texts.items() if text)
    if seed.papers:
        papers = tuple(title_of(state, paper) for paper in seed.papers)
        yield Section("Papers", (Bullets(papers),))


def plan_table(state: State, address: str) -> Iterator[Block]:
    """The lines of a plan, each with what is searched and why."""
    rows = (
        row(n, n, item.name, keywords=item.description, why=item.rationale, thinking=item.thinking)
        for n, item in enumerate(held(state, address, contents.PlanContent).items, 1)
    )
    return table("line|field and direction", rows, "One search a line.")


def choices_table(state: State, address: str) -> Iterator[Block]:
    """The ten theories, each used or left out."""
    it = held(state, address, contents.ChoiceContent)
    used = ticked(it.theories)
    if it.target:
        yield Section("Target", (Bullets(tuple(it.target)),))
    rows = (
        row(
            one.number,
            "used" if one in used else "out",
            one.number,
            one.name,
            rests_on="\n".join(one.thinkers),
            ways="\n".join(one.ways),
        )
        for one in THEORIES
    )
    yield from table("|number|theory", rows, "Drafts are led by the theories that are used.")


def theory_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Use a theory or leave it out; the last one cannot be left out."""
    used = list(ticked(held(state, address, contents.ChoiceContent).theories))
    theory = nth(THEORIES, number)
    off = turned(key, theory not in used) if theory is not None else None
    if off is None or used == [theory]:
        return None
    left = [one for one in THEORIES if (one in used) != (one == theory)]
    lines = [] if len(left) == len(THEORIES) else [one.line() for one in left]
    word, done = ("leave out", "left out") if off else ("use", "used")
    return RowChange(address, {"theories": lines}, word, f"“{theory.name}” is {done}.")


def diversity_table(state: State, address: str) -> Iterator[Block]:
    """Every seed with its round and its group, and the earlier one that it repeats."""
    it = held(state, address, contents.DiversityContent)
    by = f"sentence vectors ({it.model})" if it.model else "words"
    rows = (
        row(
            one.seed,
            one.round,
            f"seed {one.seed}",
            "chosen" if one.seed in it.picks else "",
            one.group or "",
            f"repeats seed {one.repeats} ({one.alike:.2f})" if one.repeats else "",
        )
        for one in it.seeds
    )
    note = f"Compared by {by}; one of each group is chosen."
    return table("round|seed||group|", rows, note)


def new_by_round(it: contents.DiversityContent) -> str:
    """How many seeds are distinct, and how many of each round are new."""
    new = Counter(one.round for one in it.seeds if not one.repeats)
    rounds = sorted({one.round for one in it.seeds})
    said = ", ".join(str(new[number]) for number in rounds)
    return f"{new.total()} of {count(len(it.seeds), 'seed')} distinct; new by round: {said}"


kind = kinds_of("N")
OWN_KINDS = (
    kind(
        "target",
        "Target",
        contents.TargetContent,
        "nova target",
        "target",
        "title text",
        caption=lambda it: f"{it.title} ({it.of})" if it.of else it.title,
    ),
    kind(
        "choice",
        "Your choices",
        contents.ChoiceContent,
        edits="target theories",
        label="your choices",
        document=choices_table,
        row_change=theory_change,
        caption=lambda it: f"{len(ticked(it.theories))} of {len(THEORIES)} theories",
    ),
    kind(
        "trends",
        "Trend report",
        contents.TrendsContent,
        "nova trends",
        "trends",
        "text",
        document=trends_table,
    ),
    kind(
        "drafts",
        "Drafts from three sources",
        contents.DraftsContent,
        "nova drafts",
        "drafts",
        label="draft seeds",
        caption=lambda it: count(len(it.drafts), "draft"),
    ),
    kind(
        "weighed",
        "Drafts weighed",
        contents.WeighedContent,
        "nova weigh",
        "drafts",
        label="seeds chosen",
        caption=lambda it: f"{len(it.kept)} of {count(len(it.kept) + len(it.dropped), 'draft')}",
        document=weighed_table,
    ),
    kind(
        "seed",
        "Seed idea",
        contents.SeedContent,
        "nova seed",
        "seeds",
        "title text",
        item="2",
        decisions=kinds.OF_TEXT | {"reject"},
        caption=lambda it: it.title,
        document=seed_document,
        optional=True,
        other_steps={"nova new seeds": "round-1"},
    ),
    kind(
        "plan",
        "Search plan",
        contents.PlanContent,
        "nova plan",
        "plans-1",
        "items",
        item="2",
        label="searches",
        caption=lambda it: "; ".join(one.name for one in it.items),
        document=plan_table,
        optional=True,
    ),
    kind(
        "found",
        "Papers found",
        contents.FoundContent,
        "nova search",
        "round-1",
        item="2",
        label="papers",
        caption=lambda it: (
            f"{count(len(it.papers()), 'paper')} of {count(len(it.items), 'search', 'searches')}"
        ),
        document=found_table,
        optional=True,
    ),
    kind(
        "diversity",
        "Diversity",
        contents.DiversityContent,
        "nova diversity",
        "diversity",
        caption=new_by_round,
        document=diversity_table,
    ),
    kind(
        "initial",
        "First proposal",
        contents.InitialContent,
        "nova initial",
        "proposals",
        "name problem existing motivation method experiment",
        own=True,
        label="proposal",
        caption=lambda it: it.name,
        main="method",
    ),
    kind(
        "modules",
        "Modules of the method",
        contents.ModulesContent,
        "nova modules",
        "proposals",
        "modules",
        own=True,
        label="parts",
        caption=lambda it: "; ".join(part.name for part in it.modules),
    ),
    kinds.RIVALS,
    kinds.idea("nova proposal", "ideas"),
)
