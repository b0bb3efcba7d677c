"""What each kind of cell of SciPIP holds, and what each model call must answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coi_tui.methods.base.replies import Reasoned, Reply, Words, reply_of
from coi_tui.methods.scipip.entities import Entity
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.services.llm.replies import EACH_BY_ITSELF

# -- background, entities and papers


class BackgroundContent(Content):
    """What the ideas are to answer, and the words that papers are searched with."""

    text: str = ""
    queries: list[str] = []


Background = reply_of(
    "Background",
    BackgroundContent,
    "text",
    "queries",
    queries=Field(min_length=1, max_length=3),
)


class BrainstormContent(Content):
    """SCI-11: rough directions."""

    directions: list[str] = []


Brainstorm = reply_of(
    "Brainstorm",
    BrainstormContent,
    "directions",
    directions=Field(min_length=1, max_length=6),
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


class EntitiesContent(Content):
    """SCI-3: ``off``: the numbers of those that are not searched with."""

    entities: list[Entity] = []
    off: list[str] = []


class NamedEntity(Reply):
    """SCI-3: an entity of the text under a label, with other names for the same thing."""

    text: Words
    name: Words
    also: list[Words] = Field(default_factory=list, max_length=6)


class Entities(Reasoned):
    """SCI-3: the entities of several texts."""

    entities: Annotated[list[NamedEntity], EACH_BY_ITSELF] = Field(min_length=1)


class RetrievedPaper(Content):
    """A paper with its rank by each route, its score, and what the session's criteria say against
    it."""

    paper: str
    title: str = ""
    routes: dict[str, int] = {}
    score: float = 0.0
    left_out: str = ""


class RetrievedContent(Content):
    """SCI-4 to SCI-9: the papers of the three routes in one order, those picked, and the clusters
    of more than one paper.

    ``entities``: those searched with, the rarest first.
    """

    papers: list[RetrievedPaper] = []
    picked: list[str] = []
    clusters: list[list[str]] = []
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


class Inspiration(Reasoned):
    """SCI-13: what a paper's method suggests for the background, or null."""

    inspiration: str | None

    @property
    def text(self) -> str:
        """What it suggests; empty for nothing."""
        text = (self.inspiration or "").strip()
        return "" if text.casefold().rstrip(".") in ("none", "null") else text


class FirstContent(Content):
    """SCI-10: first ideas, a few sentences each."""

    ideas: list[str] = []


FirstIdeas = reply_of("FirstIdeas", FirstContent, "ideas", ideas=Field(min_length=1, max_length=12))


class FilteredContent(Content):
    """SCI-10: the ideas that stay, word for word, and the reason for each that stays or goes."""

    kept: list[str] = []
    judged: list[Named] = []


class IdeaVerdict(Reply):
    """SCI-10: whether the idea under a label stays, after the reason."""

    id: Words
    reason: Words
    keep: bool


class Filtered(Reply):
    """SCI-10: a judgement on every idea, the reason first."""

    judged: Annotated[list[IdeaVerdict], EACH_BY_ITSELF] = Field(min_length=1)


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
    ideas: Annotated[list[ImprovedIdea], EACH_BY_ITSELF] = Field(min_length=1, max_length=4)
