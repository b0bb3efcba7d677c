"""What each kind of cell of SciPIP holds."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.cell_table import numbered
from coi_tui.methods.scipip.entities import Entity
from coi_tui.model.content import Content, Named, SearchTry


class BackgroundContent(Content):
    """What the ideas are to answer, and the words that papers are searched with."""

    text: str = ""
    queries: list[str] = []


class BrainstormContent(Content):
    """SCI-11: rough directions."""

    directions: list[str] = []


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
    entities: list[Entity] = []


class ChoiceContent(Content):
    """What the person leaves out or pins; papers by id or title."""

    entities_off: list[str] = Field([], title="Entities that are switched off")
    papers_off: list[str] = Field([], title="Papers that are unticked")
    pinned: list[str] = Field([], title="Papers that are pinned")


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


class ProblemContent(Content):
    """SCI-10: the problem and the reasons for it."""

    text: str = ""
    reasons: list[str] = []


class InspiredContent(Content):
    """SCI-13: what each paper, by title, suggests; nothing where it suggests nothing."""

    papers: list[Named] = []


class FirstContent(Content):
    """SCI-10: first ideas."""

    ideas: list[str] = []


class FilteredContent(Content):
    """SCI-10: the ideas that stay, word for word, and the reason for each that stays or goes."""

    kept: list[str] = []
    judged: list[Named] = []


MOST_IDEAS = 4
ImprovedContent = numbered("ImprovedContent", MOST_IDEAS, Content, idea=str, sources=list[str])
"""SCI-10: two to four improved ideas, a field each so that an edit of one touches no other;
``sourcesN`` says what each was made of."""
