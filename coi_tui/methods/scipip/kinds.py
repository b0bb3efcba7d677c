"""The cells of SciPIP: what each holds and each prompt must answer, what is shown of it, and what a
person decides on its rows by a key."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from coi_tui.methods.base.cell_table import kinds_of
from coi_tui.methods.base.reply_models import Items, Reasoned, Reply, Words, reply_of
from coi_tui.methods.ideas import kinds
from coi_tui.model.content import Content, Named, ReadPapers, SearchTry
from coi_tui.model.text import count

# -- background, entities and papers


class BackgroundContent(Content):
    """What the ideas are to answer, and the words that papers are searched with."""

    text: str = ""
    queries: list[str] = []


Background = reply_of(
    "Background", BackgroundContent, "text", "queries", queries=Field(min_length=1, max_length=3)
)


class BrainstormContent(Content):
    """SCI-11: rough directions."""

    directions: list[str] = []


Brainstorm = reply_of(
    "Brainstorm", BrainstormContent, "directions", directions=Field(min_length=1, max_length=6)
)


class NearPaper(Content):
    """SCI-2: a paper by meaning, with its similarity to the background."""

    paper: str
    score: float = 0.0


class NearestContent(Content):
    """SCI-2: the papers nearest to the background, best first."""

    papers: list[NearPaper] = []
    ranked: str = ""
    tries: list[SearchTry] = []


class PaperEntity(Named):
    """SCI-3: an entity; ``description`` names its synonyms, parted by semicolons, ``of`` the texts
    that name it (``background``, ``brainstorm``, paper ids)."""

    of: tuple[str, ...] = ()


class EntitiesContent(Content):
    """SCI-3: ``off``: the numbers of those that are not searched with."""

    entities: list[PaperEntity] = []
    off: list[str] = []


class NamedEntity(Reply):
    """SCI-3: an entity of the text under a label, with other names for the same thing."""

    text: Words
    name: Words
    also: list[Words] = Field(default_factory=list, max_length=6)


class Entities(Reasoned):
    """SCI-3: the entities of several texts."""

    entities: Items[NamedEntity] = Field(min_length=1)


class RetrievedPaper(Content):
    """A paper with its score, its rank by each route (``meaning 1, entities 3``), and the
    number of its cluster, where that has more than one paper."""

    paper: str
    score: float = 0.0
    routes: str = ""
    cluster: str = ""


class RetrievedContent(Content):
    """SCI-4 to SCI-9: the papers of the three routes in one order; ``off``: those that are not
    picked.

    ``entities``: those searched with, the rarest first.
    """

    papers: list[RetrievedPaper] = []
    off: list[str] = []
    entities: list[str] = []
    neighbours: list[str] = []
    tries: list[SearchTry] = []
    note: str = ""
    ranked: str = ""


# -- ideas


class ProblemContent(Content):
    """SCI-10: the problem and the reasons for it."""

    text: str = ""
    reasons: list[str] = []


Problem = reply_of(
    "Problem", ProblemContent, "text", "reasons", reasons=Field(min_length=1, max_length=6)
)


class InspiredContent(Content):
    """SCI-13: what each paper, by title, suggests; nothing where it suggests nothing."""

    papers: list[Named] = []


def _or_nothing(value: object) -> str:
    text = str(value or "").strip()
    return "" if text.casefold().rstrip(".") in ("none", "null") else text


class Inspiration(Reply):
    """SCI-13: what the method of the paper under a label suggests for the background, or
    nothing."""

    id: Words
    inspiration: Annotated[str, BeforeValidator(_or_nothing)]


class Inspirations(Reasoned):
    """SCI-13: what several papers suggest."""

    papers: Items[Inspiration] = Field(min_length=1)


class FirstContent(Content):
    """SCI-10: first ideas, a few sentences each."""

    ideas: list[str] = []


FirstIdeas = reply_of("FirstIdeas", FirstContent, "ideas", ideas=Field(min_length=1, max_length=12))


class FilteredContent(Content):
    """SCI-10: the ideas, word for word, each with the reason why it stays or goes; ``off``: the
    numbers of those that go."""

    judged: list[Named] = Field([], title="Ideas, each with the reason")
    off: list[str] = Field([], title="Ideas that go, by number")


class IdeaVerdict(Reply):
    """SCI-10: whether the idea under a label stays, after the reason."""

    id: Words
    reason: Words
    keep: bool


class Filtered(Reply):
    """SCI-10: a judgement on every idea, the reason first."""

    judged: Items[IdeaVerdict] = Field(min_length=1)


class ImprovedContent(Content):
    """SCI-10: two to four improved ideas, each a title and a text, and what each was made of."""

    ideas: list[Named] = Field([], title="Ideas, each a title and a text")
    sources: list[list[str]] = []


class ImprovedIdea(Reply):
    """SCI-10: an improved idea, and the labels of those that it was made from."""

    sources: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class Improved(Reasoned):
    ideas: Items[ImprovedIdea] = Field(min_length=1, max_length=4)


# -- the cells


kind = kinds_of("S")
OWN_KINDS = (
    kind(
        "background",
        "Background",
        BackgroundContent,
        "scipip background",
        "background",
        "text queries",
    ),
    kind(
        "brainstorm",
        "Brainstorm",
        BrainstormContent,
        "scipip brainstorm",
        "brainstorm",
        "directions",
        optional=True,
        writes_idea=True,
    ),
    kind(
        "nearest",
        "Papers by meaning",
        NearestContent,
        "scipip nearest",
        "entities",
        label="by meaning",
        rows=("papers", "score title", "ranked"),
    ),
    kind(
        "entities",
        "Entities",
        EntitiesContent,
        "scipip entities",
        "entities",
        "entities",
        rows=("entities", "name"),
        numbered=True,
    ),
    kind(
        "retrieved",
        "Papers retrieved",
        RetrievedContent,
        "scipip retrieval",
        "retrieval",
        label="papers",
        caption=lambda it: (
            f"{len(it.papers) - len(it.off)} of {count(len(it.papers), 'paper')} used"
        ),
        rows=("papers", "score routes cluster title", "note"),
    ),
    kind(
        "records",
        "Papers read",
        ReadPapers,
        "scipip records",
        "retrieval",
        label="papers read",
        rows=("papers", "source title"),
    ),
    kind(
        "problem",
        "Problem",
        ProblemContent,
        "scipip problem",
        "problem",
        "text reasons",
        optional=True,
    ),
    kind(
        "inspired",
        "Inspirations",
        InspiredContent,
        "scipip inspirations",
        "problem",
        label="inspirations",
        optional=True,
        caption=lambda it: count(sum(bool(one.description) for one in it.papers), "inspiration"),
    ),
    kind(
        "first",
        "First ideas",
        FirstContent,
        "scipip first ideas",
        "drafts",
        "ideas",
        label="first ideas",
        writes_idea=True,
    ),
    kind(
        "filtered",
        "Ideas that stay",
        FilteredContent,
        "scipip filter",
        "filter",
        "judged off",
        caption=lambda it: f"{len(it.judged) - len(it.off)} of {count(len(it.judged), 'idea')}",
        optional=True,
        rows=("judged", "name"),
        numbered=True,
    ),
    kind(
        "improved",
        "Ideas improved",
        ImprovedContent,
        "scipip improve",
        "filter",
        "ideas",
        writes_idea=True,
    ),
    kinds.RIVALS,
    kinds.idea("scipip idea", "ideas"),
)
