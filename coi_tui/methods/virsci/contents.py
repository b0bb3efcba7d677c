"""What each kind of cell of VirSci holds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from coi_tui.methods.virsci.replies import GuestQuestion
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.text import count

LEADER = 1
"""The leader's seat."""


Said = Annotated[
    bool,
    BeforeValidator(lambda said: bool(said.strip()) and said if isinstance(said, str) else said),
]
"""A person says it in words: yes or no; an empty text is no."""


class Scientist(Content):
    """VIR-1: a person behind the papers, under a masked name. ``met``: masked names of those they
    wrote with, and how often."""

    name: str = ""
    topics: list[str] = []
    affiliation: str = ""
    papers: int | None = None
    citations: int | None = None
    met: dict[str, int] = {}

    def profile(self) -> str:
        """Who this is, in one or two sentences without a name of a person or a place."""
        told = [f"works on {', '.join(self.topics)}" if self.topics else "works on this field"]
        told += [count(self.papers, "paper")] if self.papers else []
        told += [f"cited {count(self.citations, 'time')}"] if self.citations is not None else []
        others = sorted(self.met, key=lambda name: (-self.met[name], name))[:4]
        return ", ".join(told) + (f"; has written with {', '.join(others)}" if others else "")


class EcosystemContent(Content):
    """VIR-1: everybody who may be invited. ``names``: the real names, which no prompt is shown.

    Papers from the year ``split`` on are contemporary.
    """

    people: list[Scientist] = []
    names: dict[str, str] = {}
    papers: list[str] = []
    split: int | None = None
    note: str = ""


class Invitation(Content):
    """VIR-2: who was asked, with which probability at that draw, and what they said."""

    name: str = ""
    chance: float = 0.0
    joined: bool = False
    reason: str = ""


class TeamContent(Content):
    """VIR-2: the members with their profiles, the leader first. ``outsiders``: people whom the
    members know and may ask."""

    members: list[Named] = Field([], title="Members, the leader first, each a name and a profile")
    outsiders: list[Named] = []
    invitations: list[Invitation] = []
    note: str = ""


class MineContent(Content):
    """What the person says after a turn. ``struck``: a text that a person struck, which no prompt
    is shown; ``text`` is empty then."""

    text: str = ""
    struck: str = ""


class SaidContent(MineContent):
    """VIR-3: what a member or a guest says. ``guest``: the outsider whom a member asks."""

    guest: GuestQuestion | None = None


class SummaryContent(Content):
    """VIR-3, VIR-4: the leader's summary of a turn, and whether the discussion may end with it."""

    text: str = ""
    enough: Said = Field(False, title="Enough: yes ends the discussion with this turn, no goes on")


class SubjectContent(Content):
    """VIR-6: the topic that the leader fixed."""

    text: str = ""


class PapersContent(Content):
    """VIR-7, VIR-8: the papers of a search."""

    papers: list[str] = []
    query: str = ""
    tries: list[SearchTry] = []


class IdeaDraft(Content):
    """VIR-7: an idea with the scores that its own author gave it, 1 to 10. They stand in the same
    cell, so that none is off by one."""

    title: str = ""
    idea: str = ""
    experiment: str = ""
    clarity: int = 0
    feasibility: int = 0
    novelty: int = 0

    @property
    def score(self) -> float:
        """VIR-7: the mean of the three, novelty counted twice."""
        return (self.clarity + self.feasibility + 2 * self.novelty) / 4

    def chosen(self, item: str) -> dict[str, Any]:
        """As it goes into the vote."""
        return {
            "of": item,
            **self.model_dump(include={"title", "idea", "experiment"}),
            "score": self.score,
        }


class Chosen(Content):
    """An idea that goes into the vote; ``of`` is the number of its draft."""

    of: str = ""
    title: str = ""
    idea: str = ""
    experiment: str = ""
    score: float = 0.0

    def told(self) -> dict[str, str]:
        """As prompts show it."""
        return {"title": self.title, "idea": self.idea, "experiment": self.experiment}


PLACES = ("first", "second", "third")
"""The fields of the three ideas."""


class BestContent(Content):
    """VIR-7: the three best by their own scores."""

    first: Chosen | None = None
    second: Chosen | None = None
    third: Chosen | None = None

    def all(self) -> list[Chosen]:
        """Those there are, in their order."""
        return [
            one for one in (self.first, self.second, self.third) if one is not None and one.idea
        ]


class VoteContent(Content):
    """VIR-8: the number of an idea, 0 for an abstention."""

    choice: int = Field(0, title="Choice: the number of an idea, 0 abstains")
    reason: str = ""


class PollContent(Content):
    """VIR-8: votes by idea. ``winner`` is 0 where the vote is tied, until a person decides;
    ``order``: the ideas, the winner first."""

    counts: list[int] = []
    abstentions: int = 0
    winner: int = Field(0, title="Winner: the number of an idea")
    order: list[int] = []
    note: str = ""

    def ranked(self) -> list[int]:
        """The ideas in the order in which they may become an abstract: the winner, which a person
        may have named, then the others; none where what was named is no idea of the vote."""
        others = [number for number in self.order if number != self.winner]
        return [self.winner, *others] if self.winner in self.order else []


SECTIONS = ("introduction", "objective", "methods", "results", "conclusion")
"""VIR-9: the sections of an abstract; ``results`` are those expected."""


class AbstractContent(Content):
    """VIR-9: an abstract in five sections, with what its writer said of the one before."""

    title: str = ""
    introduction: str = ""
    objective: str = ""
    methods: str = ""
    results: str = Field("", title="Expected results")
    conclusion: str = ""
    scores: list[Named] = []
    changes: str = ""
    enough: bool = False

    def text(self) -> str:
        """The sections as one text."""
        return "\n\n".join(said for name in SECTIONS if (said := str(getattr(self, name)).strip()))


class Overlap(Content):
    """VIR-10: how similar an abstract is to a paper, 0 to 100."""

    paper: str = ""
    title: str = ""
    score: int = 0
    reason: str = ""


class OverlapContent(Content):
    """VIR-10: an abstract held against the papers nearest to it. ``close``: at least one is as
    similar as the bound."""

    rows: list[Overlap] = []
    bound: int = 0
    close: Said = Field(False, title="Too close: yes revises the abstract, no lets it pass")
    tries: list[SearchTry] = []


class MeasuresContent(Content):
    """VIR-11: the four measures, each a multiple of its mean over the library; None where it cannot
    be told.

    ``model``: whose vectors were compared, empty for those of words; ``past`` and ``contemporary``:
    abstracts on both sides of ``split``.
    """

    hd: float | None = None
    cd: float | None = None
    ci: float | None = None
    on: float | None = None
    split: int | None = None
    past: int = 0
    contemporary: int = 0
    model: str = ""
