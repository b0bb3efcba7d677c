"""What each kind of cell of Nova holds, and what each of its prompts must answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF

THEORIES, TRENDS, SHORTCOMINGS, SEARCH = "theories", "trends", "shortcomings", "search"
"""Where a seed comes from: one of the three sources of the first seeds, or the papers of a search
plan."""


class TargetContent(Content):
    """The paper or idea that everything starts from. ``of``: its address or the paper's id;
    ``related``: papers near it, nearest first."""

    title: str = ""
    text: str = ""
    of: str = ""
    paper: str = ""
    year: int | None = None
    related: list[str] = []
    ranked: str = ""


class ChoiceContent(Content):
    """What the person chose. Without theories all ten are used."""

    target: list[str] = Field([], title="Target: an address, or a paper's id or title")
    theories: list[str] = Field([], title="Theories to use, by number or name; none means all ten")


class PopularPaper(Content):
    """A recent paper with its citations and how many of them it had a year."""

    paper: str
    year: int | None = None
    citations: int | None = None
    velocity: float = 0.0


class TrendsContent(Content):
    """NOVA-1: a report over recent papers that were well received."""

    text: str = ""
    papers: list[PopularPaper] = []
    tries: list[SearchTry] = []


class SeedContent(Content):
    """An idea in a few sentences, with where it comes from.

    ``source`` is one of the three sources, or ``search`` for a seed that replaces another;
    ``theory`` names the one it was led by;
    ``papers`` are those that it rests on; ``pros`` and ``cons`` what was said for and against it
    when it was chosen.
    """

    title: str = ""
    text: str = ""
    source: str = ""
    theory: str = ""
    thinking: str = ""
    pros: str = ""
    cons: str = ""
    papers: list[str] = []

    def __str__(self) -> str:
        return f"{self.title} ({self.theory or self.source}): {self.text}"


class WeighedDraft(SeedContent):
    """A draft after it was weighed. ``repeats``: the existing idea that it repeats."""

    score: int = 0
    repeats: str = ""


class DraftsContent(Content):
    """NOVA-4: about ten drafts: those that become seeds, best first, and those that went."""

    kept: list[WeighedDraft] = []
    dropped: list[WeighedDraft] = []


class PlanItem(Content):
    """A line of a search plan. ``name`` is the field and direction to search, ``description`` the
    keywords."""

    name: str = ""
    description: str = ""
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


class InitialContent(Content):
    """NOVA-9: a first proposal. ``seed``: the number of the seed that it was made of."""

    seed: str = ""
    name: str = ""
    problem: str = ""
    existing: str = ""
    motivation: str = ""
    method: str = ""
    experiment: str = ""


class ModulesContent(Content):
    """NOVA-9: the modules of the method, each worked out."""

    modules: list[Named] = []


# -- replies


class TrendReport(Reasoned):
    """NOVA-1: where a field is going."""

    text: Words


class SeedDraft(Reply):
    """A first draft of an idea, after the thinking that led to it. ``theory``: the number of the
    one that was used."""

    thinking: Aside = ""
    theory: Annotated[str, BeforeValidator(lambda said: "" if said is None else str(said))] = ""
    title: Words
    text: Words


class SeedDrafts(Reasoned):
    """NOVA-1: drafts from one of the three sources."""

    ideas: Annotated[list[SeedDraft], EACH_BY_ITSELF] = Field(min_length=1, max_length=12)


class DraftVerdict(Reply):
    """NOVA-4: what speaks for and against the draft under a label. ``repeats``: the label of an
    existing idea that it repeats."""

    id: Words
    pros: Words
    cons: Words
    repeats: Annotated[str, BeforeValidator(lambda said: said or "")] = ""
    score: int = Field(ge=1, le=10)


class Weighed(Reply):
    """NOVA-4: every draft weighed."""

    judged: Annotated[list[DraftVerdict], EACH_BY_ITSELF] = Field(min_length=1)


class PlanLine(Reply):
    """NOVA-5: one search."""

    thinking: Aside = ""
    title: Words
    keywords: Words
    rationale: Words


class SearchPlan(Reasoned):
    """NOVA-5: what to look for next."""

    lines: Annotated[list[PlanLine], EACH_BY_ITSELF] = Field(min_length=1, max_length=8)


class NewSeed(Reply):
    """NOVA-7: a seed that replaces an older one. ``papers``: the labels of those that it rests
    on."""

    thinking: Aside = ""
    papers: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class NewSeeds(Reasoned):
    """NOVA-7: the seeds that replace one."""

    ideas: Annotated[list[NewSeed], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


class InitialProposal(Reasoned):
    """NOVA-9: a first proposal in five parts under a short name."""

    name: Words
    problem: Words
    existing: Words
    motivation: Words
    method: Words
    experiment: Words


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
