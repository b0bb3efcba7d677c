"""What each kind of cell of SciPIP holds."""

from __future__ import annotations

from pydantic import Field

from coi_tui.model.content import Content, Named, SearchTry


class BackgroundContent(Content):
    """What the ideas are to answer, and the words that papers are searched with."""

    text: str = ""
    queries: list[str] = Field(default_factory=list)


class BrainstormContent(Content):
    """SCI-11: rough directions."""

    directions: list[str] = Field(default_factory=list)


class NearPaper(Content):
    """SCI-2: a paper by meaning, with its similarity to the background."""

    paper: str
    score: float = 0.0


class NearestContent(Content):
    """SCI-2: the papers nearest to the background, best first."""

    papers: list[NearPaper] = Field(default_factory=list)
    ranked: str = ""
    tries: list[SearchTry] = Field(default_factory=list)
    considered: int = 0


class EntityRow(Named):
    """SCI-3: an entity; ``description`` names its synonyms, ``of`` the texts that name it."""

    of: list[str] = Field(default_factory=list)


class EntitiesContent(Content):
    entities: list[EntityRow] = Field(default_factory=list)
    dropped: int = 0
    """Names that are no entities, because of their length."""


class ChoiceContent(Content):
    """What the person leaves out, pins or keeps apart; papers by id or title."""

    entities_off: list[str] = Field(default_factory=list)
    papers_off: list[str] = Field(default_factory=list)
    pinned: list[str] = Field(default_factory=list)
    apart: list[str] = Field(default_factory=list)
    ideas_off: list[str] = Field(default_factory=list)
    """First ideas that the filter does not see, word for word."""


class RetrievedPaper(Content):
    """A paper with its rank by each route, its score, its cluster, and what the session's criteria say against it."""

    paper: str
    title: str = ""
    routes: dict[str, int] = Field(default_factory=dict)
    score: float = 0.0
    fused: float = 0.0
    cluster: int = 0
    left_out: str = ""


class RetrievedContent(Content):
    """SCI-4 to SCI-9: the papers of the three routes in one order, their clusters, and those picked."""

    papers: list[RetrievedPaper] = Field(default_factory=list)
    picked: list[str] = Field(default_factory=list)
    clusters: list[list[str]] = Field(default_factory=list)
    """Clusters of more than one paper."""
    entities: list[str] = Field(default_factory=list)
    """The entities searched with, the rarest first."""
    neighbours: list[str] = Field(default_factory=list)
    tries: list[SearchTry] = Field(default_factory=list)
    note: str = ""
    ranked: str = ""


class ProblemContent(Content):
    """SCI-10: the problem and the reasons for it."""

    text: str = ""
    reasons: list[str] = Field(default_factory=list)


class InspirationRow(Content):
    """SCI-13: what a paper suggests; empty where it suggests nothing."""

    paper: str = ""
    title: str = ""
    inspiration: str = ""


class InspiredContent(Content):
    papers: list[InspirationRow] = Field(default_factory=list)


class FirstContent(Content):
    """SCI-10: first ideas."""

    ideas: list[str] = Field(default_factory=list)


class FilteredContent(Content):
    """SCI-10: the ideas that stay, word for word, and those that went with the reason."""

    kept: list[str] = Field(default_factory=list)
    dropped: list[Named] = Field(default_factory=list)
    reasons: list[Named] = Field(default_factory=list)
    """Why each of the kept ones stays."""


class ImprovedContent(Content):
    """SCI-10: two to four improved ideas, a field each so that an edit of one touches no other; ``sourcesN`` says what each was made of."""

    idea1: str = ""
    idea2: str = ""
    idea3: str = ""
    idea4: str = ""
    sources1: list[str] = Field(default_factory=list)
    sources2: list[str] = Field(default_factory=list)
    sources3: list[str] = Field(default_factory=list)
    sources4: list[str] = Field(default_factory=list)

    def count(self) -> int:
        """How many ideas there are, up to the last that says something."""
        return max((n for n in range(1, 5) if getattr(self, f"idea{n}")), default=0)
