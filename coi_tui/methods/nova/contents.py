"""What each kind of cell of Nova holds."""

from __future__ import annotations

from pydantic import Field

from coi_tui.model.content import Content, Named, SearchTry

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
    proposals: list[str] = Field(
        [], title="Seeds to work out, by number, one line for each proposal"
    )


class PopularPaper(Content):
    """A recent paper with its citations and how many of them it had a year."""

    paper: str
    title: str = ""
    year: int | None = None
    citations: int | None = None
    velocity: float = 0.0


class TrendsContent(Content):
    """NOVA-1: a report over recent papers that were well received. ``note`` says by what that was
    told."""

    text: str = ""
    papers: list[PopularPaper] = []
    note: str = ""
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


class DraftsContent(Content):
    """NOVA-4: about ten drafts."""

    drafts: list[SeedContent] = []


class WeighedDraft(SeedContent):
    """A draft after it was weighed. ``repeats``: the existing idea that it repeats."""

    score: int = 0
    repeats: str = ""


class WeighedContent(Content):
    """NOVA-4: the drafts that become seeds, best first, and those that went."""

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
    """NOVA-5: what to look for next. ``off``: lines that are switched off, by number or title."""

    items: list[PlanItem] = Field([], title="Lines to search, each a title and its keywords")
    off: list[str] = Field([], title="Lines that are switched off, by number or title")

    def on(self) -> list[PlanItem]:
        """The lines that are searched."""
        off = {said.strip().casefold() for said in self.off}
        return [
            item
            for n, item in enumerate(self.items, start=1)
            if item.query and not off & {str(n), item.name.strip().casefold()}
        ]


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


class RoundRow(Content):
    """NOVA-8: ideas of a round, those of them that are new, and all distinct ones up to it."""

    round: int = 0
    ideas: int = 0
    new: int = 0
    total: int = 0


class DiversityContent(Content):
    """NOVA-8: how different the seeds are. ``picks``: one seed of each group; ``model``: whose
    vectors were compared, empty for words."""

    seeds: list[ComparedSeed] = []
    picks: list[str] = []
    rounds: list[RoundRow] = []
    same_from: float = 0.0
    model: str = ""


class InitialContent(Content):
    """NOVA-9: a first proposal. ``seed``: the number of the seed that it was made of; ``papers``:
    those that were shown beside it."""

    seed: str = ""
    name: str = ""
    problem: str = ""
    existing: str = ""
    motivation: str = ""
    method: str = ""
    experiment: str = ""
    papers: list[str] = []


class ModulesContent(Content):
    """NOVA-9: the modules of the method, each worked out."""

    modules: list[Named] = []
