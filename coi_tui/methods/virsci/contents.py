"""What each kind of cell of VirSci holds, and what each model call must answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words, reply_of
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.text import count
from coi_tui.services.llm.replies import EACH_BY_ITSELF

LEADER = 1
"""The leader's seat."""
SECTIONS = ("introduction", "objective", "methods", "results", "conclusion")
"""VIR-9: the sections of an abstract; ``results`` are those expected."""
IDEA = ("title", "idea", "experiment")
CLOSE = 96
"""An abstract as similar as this to a paper (0 to 100) is too close to it."""
IN_VOTE = 3
"""Ideas that go into the vote, and become an abstract one after the other where those before are
too close to earlier work."""


Mark = Annotated[int, Field(ge=1, le=10)]


# -- people and team


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
        parts = [f"works on {', '.join(self.topics) or 'this field'}"]
        parts += [count(self.papers, "paper")] if self.papers else []
        parts += [f"cited {count(self.citations, 'time')}"] if self.citations is not None else []
        others = sorted(self.met, key=lambda name: (-self.met[name], name))[:4]
        return ", ".join(parts) + (f"; has written with {', '.join(others)}" if others else "")


class EcosystemContent(Content):
    """VIR-1: everybody who may be invited. ``names``: the real names, which no prompt is shown."""

    people: list[Scientist] = []
    names: dict[str, str] = {}
    note: str = ""


class Invitation(Content):
    """VIR-2: who was asked, with which probability at that draw, and what they answered."""

    name: str = ""
    chance: float = 0.0
    joined: bool = False
    reason: str = ""


class InvitationAnswer(Reasoned):
    """VIR-2: whether somebody joins a team."""

    reason: Words
    answer: Literal["join", "refuse"]


class TeamContent(Content):
    """VIR-2: the members with their profiles, the leader first. ``outsiders``: people whom the
    members know and may ask."""

    members: list[Named] = Field([], title="Members, the leader first, each a name and a profile")
    outsiders: list[Named] = []
    invitations: list[Invitation] = []
    note: str = ""


# -- the discussion


class SpokenContent(Content):
    """What the person says after a turn, or the topic that the leader fixed (VIR-6)."""

    text: str = ""


class SaidContent(SpokenContent):
    """VIR-3: what a member says. VIR-5: ``guest`` is the outsider who was asked ``question`` and
    gave ``answer``."""

    guest: str = ""
    question: str = ""
    answer: str = ""


class GuestQuestion(Reply):
    """VIR-5: an outsider by masked name, and one question."""

    name: Words
    question: Words


def _question(said: object) -> object:
    """A question that can be read; anything else asks nobody."""
    try:
        return GuestQuestion.model_validate(said)
    except ValidationError:
        return None


class TopicReply(Reasoned):
    """VIR-3: what a member says. ``guest``: null, or whom it asks."""

    text: Words
    guest: Annotated[GuestQuestion | None, BeforeValidator(_question)] = None


Subject = reply_of("Subject", SpokenContent, "text")
GuestAnswer = reply_of("GuestAnswer", SpokenContent, "text")


class SummaryContent(Content):
    """VIR-3, VIR-4: the leader's summary of a turn, and whether the discussion may end with it."""

    text: str = ""
    enough: bool = Field(False, title="Enough: yes ends the discussion with this turn, no goes on")


class TurnSummary(Reasoned):
    """VIR-4: ``enough``: the team has said what there is to say."""

    text: Words
    why: Aside = ""
    enough: bool = False


# -- ideas and votes


class PapersContent(Content):
    """VIR-7, VIR-8: the papers of a search."""

    papers: list[str] = []
    query: str = ""
    tries: list[SearchTry] = []


class IdeaDraft(Content):
    """VIR-7: an idea with the scores that its own author gave it, in one cell, so that none is off
    by one."""

    title: str = ""
    idea: str = ""
    experiment: str = ""
    clarity: Mark = 0
    feasibility: Mark = 0
    novelty: Mark = 0

    @property
    def score(self) -> float:
        """VIR-7: the mean of the three, novelty counted twice."""
        return (self.clarity + self.feasibility + 2 * self.novelty) / 4


IdeaReply = reply_of("IdeaReply", IdeaDraft, *IDEA, "clarity", "feasibility", "novelty")


class BestContent(Content):
    """VIR-7: the numbers of the drafts that go into the vote, best first."""

    drafts: list[str] = []


class VoteContent(Content):
    """VIR-8: the number of an idea, 0 for an abstention."""

    choice: int = Field(0, title="Choice: the number of an idea, 0 abstains")
    reason: str = ""


class VoteReply(Reasoned):
    """VIR-8: the label of one of the ideas."""

    reason: Words
    choice: Literal["A", "B", "C"]


class PollContent(Content):
    """VIR-8: votes by idea. ``winner`` is 0 where the vote is tied, until a person decides;
    ``order``: the ideas, the winner first."""

    counts: list[int] = []
    abstentions: int = 0
    winner: int = Field(0, title="Winner: the number of an idea")
    order: list[int] = []

    def ranked(self) -> list[int]:
        """The ideas in the order in which they may become an abstract: the winner, which a person
        may have named, then the others; none where what was named is no idea of the vote."""
        others = [number for number in self.order if number != self.winner]
        return [self.winner, *others] if self.winner in self.order else []


# -- abstracts


class AbstractContent(Content):
    """VIR-9: an abstract in five sections, with what its writer said of the one before. ``enough``: no
    further turn would better it."""

    title: str = ""
    introduction: str = ""
    objective: str = ""
    methods: str = ""
    results: str = Field("", title="Expected results")
    conclusion: str = ""
    changes: str = ""
    enough: bool = False

    def text(self) -> str:
        """The sections as one text."""
        return "\n\n".join(said for name in SECTIONS if (said := str(getattr(self, name)).strip()))


AbstractReply = reply_of("AbstractReply", AbstractContent, "title", *SECTIONS)


RevisionReply = reply_of(
    "RevisionReply", AbstractContent, "changes", "title", *SECTIONS, "enough", enough=False
)
"""VIR-9: what is changed and why, and the abstract as it is then."""


class Overlap(Content):
    """VIR-10: how similar an abstract is to a paper, 0 to 100."""

    paper: str = ""
    title: str = ""
    score: int = 0
    reason: str = ""


class OverlapContent(Content):
    """VIR-10: an abstract compared with the papers nearest to it. ``close``: at least one is too
    similar."""

    rows: list[Overlap] = []
    close: bool = Field(False, title="Too close: yes revises the abstract, no lets it pass")
    tries: list[SearchTry] = []


class OverlapScore(Reply):
    """VIR-10: a paper (by its label) against the abstract."""

    id: Words
    reason: Words
    score: int = Field(ge=0, le=100)


class OverlapReply(Reasoned):
    """VIR-10: the abstract against each paper."""

    scores: Annotated[list[OverlapScore], EACH_BY_ITSELF] = Field(min_length=1)
