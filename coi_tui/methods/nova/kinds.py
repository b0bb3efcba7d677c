"""The cells of Nova: what each prompt must answer and each cell holds, what is shown of it, and what
a person decides on its rows by a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from pydantic import BeforeValidator, Field

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
from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words
from coi_tui.methods.ideas import kinds
from coi_tui.methods.nova.theories import THEORIES, ticked
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.document import Block, Bullets, Paragraph, RowChange, RowKey, Section
from coi_tui.model.state import State
from coi_tui.model.text import count
from coi_tui.services.llm.replies import EACH_BY_ITSELF

# -- what prompts answer and cells hold


class TargetContent(Content):
    """The paper or idea that everything starts from. ``of``: its address or the paper's id;
    ``related``: papers near it, nearest first."""

    title: str = ""
    text: str = ""
    of: str = ""
    paper: str = ""
    related: list[str] = []
    ranked: str = ""


class ChoiceContent(Content):
    """What the person chose. Without theories all ten are used."""

    target: list[str] = Field([], title="Target: an address, or a paper's id or title")
    theories: list[str] = Field([], title="Theories to use, by number or name; none means all ten")


class TrendReport(Reasoned):
    """NOVA-1: where a field is going."""

    text: Words


class PopularPaper(Content):
    """A recent paper with its citations and how many of them it had a year."""

    paper: str
    year: int | None = None
    citations: int | None = None
    velocity: float = 0.0


class TrendsContent(TrendReport):
    """A report over recent papers that were well received."""

    papers: list[PopularPaper] = []
    tries: list[SearchTry] = []


class SeedDraft(Reply):
    """A first draft of an idea, after the thinking that led to it. ``theory``: the number of the
    one that was used."""

    thinking: Aside = ""
    theory: Annotated[str, BeforeValidator(lambda given: "" if given is None else str(given))] = ""
    title: Words
    text: Words


class SeedDrafts(Reasoned):
    """NOVA-1: drafts from one of the three sources."""

    ideas: Annotated[list[SeedDraft], EACH_BY_ITSELF] = Field(min_length=1, max_length=12)


class SeedContent(SeedDraft):
    """An idea in a few sentences, with where it comes from.

    ``source`` is one of the three sources, or ``search`` for a seed that replaces another;
    ``theory`` names the one it was led by; ``papers`` are those that it comes from; ``pros`` and
    ``cons`` what was said for and against it when it was chosen.
    """

    source: str = ""
    pros: str = ""
    cons: str = ""
    papers: list[str] = []

    def __str__(self) -> str:
        return f"{self.title} ({self.theory or self.source}): {self.text}"


class DraftVerdict(Reply):
    """NOVA-4: what speaks for and against the draft under a label. ``repeats``: the label of an
    existing idea that it repeats."""

    id: Words
    pros: Words
    cons: Words
    repeats: Annotated[str, BeforeValidator(lambda given: given or "")] = ""
    score: int = Field(ge=1, le=10)


class Weighed(Reply):
    """NOVA-4: every draft weighed."""

    judged: Annotated[list[DraftVerdict], EACH_BY_ITSELF] = Field(min_length=1)


class WeighedDraft(SeedContent):
    """A draft after it was weighed. ``repeats``: the title of the existing idea that it repeats."""

    score: int = 0
    repeats: str = ""


class DraftsContent(Content):
    """NOVA-4: about ten drafts: those that become seeds, best first, and those that went."""

    kept: list[WeighedDraft] = []
    dropped: list[WeighedDraft] = []


class PlanLine(Reply):
    """NOVA-5: one search."""

    thinking: Aside = ""
    title: Words
    keywords: Words
    rationale: Words


class SearchPlan(Reasoned):
    """NOVA-5: what to look for next."""

    lines: Annotated[list[PlanLine], EACH_BY_ITSELF] = Field(min_length=1, max_length=8)


class PlanItem(Named):
    """A line of a search plan. ``name`` is the field and direction to search, ``description`` the
    keywords."""

    thinking: str = ""
    rationale: str = ""

    @property
    def query(self) -> str:
        """What is searched: direction and keywords joined."""
        return f"{self.name} {self.description}".strip()


class PlanContent(Content):
    """NOVA-5: what to look for next."""

    items: list[PlanItem] = Field([], title="Lines to search, each a title and its keywords")


class FoundItem(Content):
    """NOVA-6: what a line of a plan found."""

    name: str = ""
    query: str = ""
    papers: list[str] = []


class FoundContent(Content):
    """NOVA-6: the papers of a search plan, line by line."""

    items: list[FoundItem] = []
    tries: list[SearchTry] = []

    def papers(self) -> list[str]:
        """Every paper once, in the order of the lines."""
        return list(dict.fromkeys(paper for item in self.items for paper in item.papers))


class NewSeed(Reply):
    """NOVA-7: a seed that replaces an older one. ``papers``: the labels of those that it comes
    from."""

    thinking: Aside = ""
    papers: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class NewSeeds(Reasoned):
    """NOVA-7: the seeds that replace one."""

    ideas: Annotated[list[NewSeed], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


class ComparedSeed(Content):
    """NOVA-8: a seed, the earlier one that it repeats with their cosine, and its group (0:
    none)."""

    seed: str = ""
    round: int = 0
    repeats: str = ""
    alike: float = 0.0
    group: int = 0


class DiversityContent(Content):
    """NOVA-8: how different the seeds are. ``picks``: one seed of each group; ``model``: whose
    vectors were compared, empty for words."""

    seeds: list[ComparedSeed] = []
    picks: list[str] = []
    model: str = ""


class InitialProposal(Reasoned):
    """NOVA-9: a first proposal in five parts under a short name."""

    name: Words
    problem: Words
    existing: Words
    motivation: Words
    method: Words
    experiment: Words


class InitialContent(InitialProposal):
    """The same with the number of the seed that it was made of."""

    seed: str = ""


class MethodModule(Reply):
    """NOVA-9: a module of the method and what it is for."""

    name: Words
    role: Words


class MethodModules(Reasoned):
    """NOVA-9: the method split into modules."""

    modules: Annotated[list[MethodModule], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


class ModuleDetail(Reasoned):
    """NOVA-9: one module worked out."""

    text: Words


class ModulesContent(Content):
    """NOVA-9: the modules of the method, each worked out."""

    modules: list[Named] = []


# -- what is shown of them


def trends_table(state: State, address: str) -> Iterator[Block]:
    """The report, and the recent papers with their citations a year."""
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
        for n, one in enumerate(held(state, address, TrendsContent).papers, 1)
    )
    note = "Citations a year replace likes and reposts, which no source of papers counts."
    yield from running_text(state, address)
    yield from table("rank|a year|citations|year|title", rows, note)


def drafts_table(state: State, address: str) -> Iterator[Block]:
    """Every draft with what was said for and against it, the kept ones first."""
    it = held(state, address, DraftsContent)
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


def seed_document(state: State, address: str) -> Iterator[Block]:
    """The idea, where it comes from, what was thought, and the papers that it comes from."""
    seed = held(state, address, SeedContent)
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
        for n, item in enumerate(held(state, address, PlanContent).items, 1)
    )
    return table("line|field and direction", rows, "One search a line.")


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
        for n, item in enumerate(held(state, address, FoundContent).items, 1)
        for paper in item.papers or [""]
    )
    return table("line|title", rows)


def choices_table(state: State, address: str) -> Iterator[Block]:
    """The ten theories, each used or left out."""
    it = held(state, address, ChoiceContent)
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
    used = list(ticked(held(state, address, ChoiceContent).theories))
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
    it = held(state, address, DiversityContent)
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


def new_by_round(it: DiversityContent) -> str:
    """How many seeds are distinct, and how many of each round are new."""
    new = Counter(one.round for one in it.seeds if not one.repeats)
    by_round = ", ".join(str(new[number]) for number in sorted({one.round for one in it.seeds}))
    return f"{new.total()} of {count(len(it.seeds), 'seed')} distinct; new by round: {by_round}"


# -- the cells


kind = kinds_of("N")
OWN_KINDS = (
    kind(
        "target",
        "Target",
        TargetContent,
        "nova target",
        "target",
        "title text",
        caption=lambda it: f"{it.title} ({it.of})" if it.of else it.title,
    ),
    kind(
        "choice",
        "Your choices",
        ChoiceContent,
        edits="target theories",
        label="your choices",
        document=choices_table,
        row_change=theory_change,
        caption=lambda it: f"{len(ticked(it.theories))} of {len(THEORIES)} theories",
    ),
    kind(
        "trends",
        "Trend report",
        TrendsContent,
        "nova trends",
        "trends",
        "text",
        document=trends_table,
    ),
    kind(
        "drafts",
        "Drafts from three sources",
        DraftsContent,
        "nova drafts",
        "drafts",
        label="draft seeds",
        caption=lambda it: f"{len(it.kept)} of {count(len(it.kept) + len(it.dropped), 'draft')}",
        document=drafts_table,
    ),
    kind(
        "seed",
        "Seed idea",
        SeedContent,
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
        PlanContent,
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
        FoundContent,
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
        DiversityContent,
        "nova diversity",
        "diversity",
        caption=new_by_round,
        document=diversity_table,
    ),
    kind(
        "initial",
        "First proposal",
        InitialContent,
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
        ModulesContent,
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
