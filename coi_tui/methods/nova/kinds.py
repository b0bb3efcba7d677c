"""The cells of Nova: what each prompt must answer and each cell holds, what is shown of it, and what
a person decides on its rows by a key; and the ten theories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from pydantic import BeforeValidator, Field

from coi_tui.methods.base.cell_table import kinds_of, stored, title_of
from coi_tui.methods.base.reply_models import Aside, Items, Mark, Reasoned, Reply, Words
from coi_tui.methods.ideas import kinds
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.document import Block, bulleted, section
from coi_tui.model.state import State
from coi_tui.model.text import count

# -- NOVA-2: ten directions in which science has moved on, in our own words


class Theory(Named):
    """A direction; ``description``: ways to go there. ``thinkers``: who described it, with their
    subject."""

    thinkers: str = ""


THEORIES = tuple(
    Theory(name=name, description=ways, thinkers=thinkers)
    for name, ways, thinkers in (
        (
            "Define a new problem",
            "look for what the present account cannot explain; ask where its range of validity ends; carry over what another field knows; take up an old question that was left lying",
            "Kuhn: paradigms; Laudan: science as problem solving; Nichols: how problems arise",
        ),
        (
            "Put forward a new hypothesis",
            "reason by analogy; carry out a thought experiment; follow a hunch and leap ahead of the evidence; assume the opposite and look for the absurdity",
            "Peirce: hypothesis and deduction; Weber: discovery by accident; Simon: discovery as problem solving",
        ),
        (
            "Show the limits of present methods",
            "take a method apart critically; compare what it predicts with what was measured; push it into extreme conditions; compare it with what other fields do",
            "Popper: falsification; Lakatos: research programmes; Feyerabend: against one method",
        ),
        (
            "Improve a method",
            "bring in a new technology or tool; design and control the experiment better; measure more finely; analyse the data in a new way",
            "Laudan: progress of methods; Ziemann: creative extension; Hacking: experimental systems",
        ),
        (
            "Find the law behind several studies",
            "lay cases beside each other; look for the pattern that they share; put a frame of concepts around them; write the common rule as a formula",
            "Whewell: joining facts under a concept; Carnap: inductive logic; Glaser and Strauss: theory grounded in data",
        ),
        (
            "Build or change a theoretical model",
            "weigh taking apart against what emerges from the whole; build a frame across fields; model or simulate it mathematically; simplify until two accounts become one",
            "Quine: beliefs tested as a whole; Lakoff: metaphors as concepts; Kitcher: explaining by unifying",
        ),
        (
            "Design a decisive experiment",
            "find where competing accounts predict different things; test extreme and boundary cases; observe or measure what nobody has observed; use an experiment that nature or circumstance has made",
            "Duhem and Quine: no hypothesis is tested alone; Bayesian design of experiments; Mayo: learning from error in experiments",
        ),
        (
            "Explain what does not fit",
            "question the basic assumptions again; add an auxiliary hypothesis and test it; offer another explanation; let several fields look at it together",
            "Hanson: anomalous findings; Sutton: serendipity; Kuhn: crises",
        ),
        (
            "Judge between competing theories",
            "compare what each explains and predicts; prefer the simpler one where both fit; ask which leads to more to do; check fit with the data and with what else is known",
            "Reichenbach: confirmation; Sober: criteria of choice; Laudan: progress by problems solved",
        ),
        (
            "Change the paradigm",
            "collect the anomalies until they count together; introduce new concepts; read known facts in another way; begin another tradition of practice",
            "Kuhn: scientific revolutions; Toulmin: concepts that evolve; Hall: dynamic systems",
        ),
    )
)


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


class SeedChoice(Content):
    """What the person chose. ``off``: the numbers of the theories that are not used."""

    target: list[str] = Field([], title="Target: an address, or a paper's id or title")
    theories: list[Theory] = list(THEORIES)
    off: list[str] = Field([], title="Theories to leave out, by number")


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

    ideas: Items[SeedDraft] = Field(min_length=1, max_length=12)


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
    repeats: Aside = ""
    score: Mark


class Weighed(Reply):
    """NOVA-4: every draft weighed."""

    judged: Items[DraftVerdict] = Field(min_length=1)


class WeighedDraft(SeedContent):
    """A draft after it was weighed: a ``seed``, ``dropped``, or one that ``repeats`` an existing
    idea, by its title."""

    status: str = ""
    score: int = 0
    repeats: str = ""


class DraftsContent(Content):
    """NOVA-4: about ten drafts, those that become seeds first, best first."""

    drafts: list[WeighedDraft] = []

    @property
    def seeds(self) -> int:
        """How many become seeds."""
        return sum(draft.status == "seed" for draft in self.drafts)


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


class PlanReplyLine(Reply):
    """NOVA-5: one search, as a prompt must answer it."""

    thinking: Aside = ""
    name: Words
    description: Words
    rationale: Words


class SearchPlan(Reasoned):
    """NOVA-5: what to look for next."""

    items: Items[PlanReplyLine] = Field(min_length=1, max_length=8)


class SeedPaper(Content):
    """NOVA-6: a paper, and the line of the plan that found it; a line that found nothing has
    none."""

    paper: str = ""
    line: str = ""
    query: str = ""


class FoundContent(Content):
    """NOVA-6: the papers of a search plan, line by line."""

    items: list[SeedPaper] = []
    tries: list[SearchTry] = []

    def papers(self) -> list[str]:
        """Every paper once, in the order of the lines."""
        return list(dict.fromkeys(item.paper for item in self.items if item.paper))


class NewSeed(Reply):
    """NOVA-7: a seed that replaces an older one. ``papers``: the labels of those that it comes
    from."""

    thinking: Aside = ""
    papers: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class NewSeeds(Reasoned):
    """NOVA-7: the seeds that replace one."""

    ideas: Items[NewSeed] = Field(min_length=1, max_length=5)


class ComparedSeed(Content):
    """NOVA-8: a seed, the earlier one that it repeats with their cosine, its group (0: none), and
    whether it was ``chosen`` of that."""

    seed: str = ""
    round: int = 0
    repeats: str = ""
    cosine: str = ""
    group: int = 0
    chosen: str = ""


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


class ModulesContent(Content):
    """NOVA-9: the modules of the method, each worked out."""

    modules: list[Named] = []


class MethodModule(Reply):
    """NOVA-9: a module of the method, worked out."""

    name: Words
    description: Words


class MethodModules(Reasoned):
    """NOVA-9: the method split into modules."""

    modules: Items[MethodModule] = Field(min_length=1, max_length=5)


# -- what is shown of them


def seed_document(state: State, address: str) -> Iterator[Block]:
    """The idea, where it comes from, what was thought, and the papers that it comes from."""
    seed = stored(state, address, SeedContent)
    for name in ("title", "text", "source", "theory", "thinking", "pros", "cons"):
        if text := getattr(seed, name):
            yield section(name.capitalize(), text)
    if seed.papers:
        yield bulleted("Papers", (title_of(state, one) for one in seed.papers))


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
        SeedChoice,
        edits="target off",
        label="your choices",
        rows=("theories", "name"),
        numbered=True,
        caption=lambda it: f"{len(it.theories) - len(it.off)} of {len(it.theories)} theories",
    ),
    kind(
        "trends",
        "Trend report",
        TrendsContent,
        "nova trends",
        "trends",
        "text",
        rows=("papers", "velocity citations year title"),
    ),
    kind(
        "drafts",
        "Drafts from three sources",
        DraftsContent,
        "nova drafts",
        "drafts",
        label="draft seeds",
        caption=lambda it: f"{it.seeds} of {count(len(it.drafts), 'draft')}",
        rows=("drafts", "status score source title"),
        numbered=True,
        writes_idea=True,
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
        document=seed_document,
        optional=True,
        writes_idea=True,
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
        rows=("items", "name"),
        numbered=True,
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
            f"{count(len(it.papers()), 'paper')} of {count(len(it.tries), 'search', 'searches')}"
        ),
        rows=("items", "line title"),
        numbered=True,
        optional=True,
    ),
    kind(
        "diversity",
        "Diversity",
        DiversityContent,
        "nova diversity",
        "diversity",
        caption=new_by_round,
        rows=("seeds", "seed round group chosen repeats cosine"),
        numbered=True,
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
        writes_idea=True,
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
        writes_idea=True,
    ),
    kinds.RIVALS,
    kinds.idea("nova proposal", "ideas"),
)
