"""What the cells of VirSci hold, which is mostly what a model call must answer, and how far the team
of an instance has come: who sits where, how many turns there are, what the votes come to, and which
abstract counts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from coi_tui.methods.base.reply_models import (
    OR_NONE,
    Aside,
    Items,
    Mark,
    Reasoned,
    Reply,
    Sources,
    Words,
)
from coi_tui.methods.virsci import VirSciSettings
from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.state import State
from coi_tui.model.text import count

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


class Scientist(Content):
    """VIR-1: a person behind the papers, under a masked name. ``met``: masked names of those they
    wrote with, and how often."""

    name: str = ""
    topics: list[str] = []
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
    """VIR-1: everybody who may be invited. ``names``: who they are and where, which no prompt is
    shown."""

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
    """VIR-2: the members with their profiles, the leader first, and everybody else."""

    members: list[Named] = Field([], title="Members, the leader first, each a name and a profile")
    outsiders: list[Named] = []
    invitations: list[Invitation] = []


# -- the discussion


class Spoken(Reasoned):
    """What somebody says; the topic that the leader fixes (VIR-6)."""

    text: Words


class GuestQuestion(Reply):
    """VIR-5: an outsider by masked name, and one question."""

    name: Words
    question: Words


class TopicReply(Spoken):
    """VIR-3: what a member says. ``guest``: null, or whom it asks; what cannot be read asks
    nobody."""

    guest: Annotated[GuestQuestion | None, OR_NONE] = None


class SaidContent(Spoken):
    """VIR-3: what a member says. VIR-5: ``guest`` is the outsider who was asked ``question`` and
    gave ``answer``."""

    guest: str = ""
    question: str = ""
    answer: str = ""


class TurnSummary(Spoken):
    """VIR-3, VIR-4: the leader's summary of a turn. ``enough``: the discussion may end with it."""

    why: Aside = ""
    enough: bool = Field(False, title="Enough: yes ends the discussion with this turn, no goes on")


# -- ideas and votes


class FoundPaper(Content):
    """A paper that a search found, by its id."""

    paper: str


class PapersContent(Content):
    """VIR-7, VIR-8: the papers of a search."""

    papers: list[FoundPaper] = []
    query: str = ""
    tries: list[SearchTry] = []

    @property
    def searched(self) -> str:
        return f"Searched: {self.query}"


class MemberIdea(Reasoned):
    """VIR-7: an idea with the scores that its own author gave it, in one cell, so that none is off
    by one."""

    cites = True
    title: Words
    idea: Words
    experiment: Words
    clarity: Mark
    feasibility: Mark
    novelty: Mark
    sources: Sources = Field(default_factory=list)

    @property
    def score(self) -> float:
        """VIR-7: the mean of the three, novelty counted twice."""
        return (self.clarity + self.feasibility + 2 * self.novelty) / 4


class VoteReply(Reasoned):
    """VIR-8: the label of one of the ideas."""

    reason: Words
    choice: Literal["A", "B", "C"]


class VoteContent(Content):
    """VIR-8: the number of a draft, empty for an abstention."""

    choice: str = Field("", title="Choice: the number of a draft; nothing abstains")
    reason: str = ""


class Votes(Content):
    """VIR-8: a draft by its number, with its votes."""

    draft: str
    votes: int = 0


class PollContent(Content):
    """VIR-8: the drafts, that with most votes first. ``winner`` is empty where the vote is tied,
    until a person decides."""

    winner: str = Field("", title="Winner: the number of a draft")
    counts: list[Votes] = []
    abstentions: int = 0

    def ranked(self) -> list[str]:
        """The drafts in the order in which they may become an abstract: the winner, which a person
        may have named, then the others; none where what was named is no draft of the vote."""
        drafts = [one.draft for one in self.counts]
        return sorted(drafts, key=lambda one: one != self.winner) * (self.winner in drafts)


# -- abstracts


class AbstractReply(Reasoned):
    """VIR-9: an abstract in five sections."""

    title: Words
    introduction: Words
    objective: Words
    methods: Words
    results: Words = Field(title="Expected results")
    conclusion: Words

    def text(self) -> str:
        """The sections as one text."""
        return "\n\n".join(text for name in SECTIONS if (text := str(getattr(self, name)).strip()))


class RevisionReply(AbstractReply):
    """VIR-9: the same after a revision, and what was changed in it."""

    changes: Words


class AbstractContent(AbstractReply):
    """VIR-9: an abstract, with what its writer changed in the one before."""

    changes: str = ""


class OverlapScore(Reply):
    """VIR-10: a paper (by its label) against the abstract."""

    id: Words
    reason: Words
    score: int = Field(ge=0, le=100)


class OverlapReply(Reasoned):
    """VIR-10: the abstract against each paper."""

    verdicts: Items[OverlapScore] = Field(min_length=1)


class Overlap(Content):
    """VIR-10: how similar an abstract is to a paper, 0 to 100."""

    paper: str = ""
    score: int = 0
    reason: str = ""


class OverlapContent(Content):
    """VIR-10: an abstract compared with the papers nearest to it. ``close``: at least one is too
    similar."""

    rows: list[Overlap] = []
    close: bool = Field(False, title="Too close: yes revises the abstract, no lets it pass")
    tries: list[SearchTry] = []


class MeasuresContent(Content):
    """VIR-11: the four measures, each a multiple of its mean over the library; None where it is not
    known."""

    hd: float | None = Field(
        None, title="HD, distance to the nearest older abstracts (larger is better)"
    )
    cd: float | None = Field(
        None, title="CD, distance to the nearest recent abstracts (smaller is better)"
    )
    ci: float | None = Field(None, title="CI, citations of those recent papers")
    on: float | None = Field(None, title="ON, overall novelty: HD x CI / CD")
    note: str = ""


# -- how far the team has come


def best_of(drafts: Mapping[str, MemberIdea]) -> list[str]:
    """The numbers of the best drafts, of equals the later one, which had the earlier ones before
    it. Texts that were repeated count once."""
    newest = [*drafts][::-1]
    distinct: dict[tuple[str, str], str] = {}
    for number in sorted(newest, key=lambda number: -drafts[number].score):
        distinct.setdefault((drafts[number].title, drafts[number].idea), number)
    return [*distinct.values()][:IN_VOTE]


C = TypeVar("C", bound=Content)


class Team:
    """The team of the instance of an address. ``supposed``: where there is none yet, as many seats
    as the settings let expect."""

    def __init__(self, state: State, address: str, *, supposed: bool = False) -> None:
        self.state, self.instance = state, cell_ref(address).instance
        self.bounds = state.bounds(VirSciSettings, self.instance)
        self.members = self.read(TeamContent, "team").members
        self.seats = range(1, (len(self.members) or self.bounds.team * supposed) + 1)
        """The leader's is 1."""

    def cell(self, name: str, *numbers: int | str) -> str:
        """The address of a cell of the instance: ``V1/said2.3``."""
        return cell_at(self.instance, name, ".".join(map(str, numbers)))

    def made(self, name: str, *numbers: int) -> bool:
        return self.state.in_use(self.cell(name, *numbers)) is not None

    def read(self, model: type[C], name: str, *numbers: int | str) -> C:
        """The content of a cell of the instance; an empty one where there is none."""
        return self.state.read(self.cell(name, *numbers), model) or model.from_stored({})

    def turns(self, summary: str) -> int:
        """The number of the last turn of a discussion, as far as is known now. ``summary``: the
        cell that ends each turn."""
        for turn in range(1, self.bounds.turns):
            if self.read(TurnSummary, summary, turn).enough or not self.made(summary, turn):
                return turn
        return self.bounds.turns

    def over(self, summary: str) -> bool:
        """Whether a discussion has come to its end: the summary of its last turn is there."""
        return self.made(summary, self.turns(summary))

    def voted(self) -> list[str]:
        """VIR-7: the numbers of the drafts in the vote: the best by the scores that their authors
        gave them, without those that a person rejected."""
        places = [(n, seat) for n in range(1, self.turns("digest") + 1) for seat in self.seats]
        drafts = {
            f"{turn}.{seat}": self.read(MemberIdea, "draft", turn, seat)
            for turn, seat in places
            if self.state.value(f"{self.cell('draft', turn, seat)}#title") is not None
        }
        return best_of(drafts)

    def ballot(self) -> list[str]:
        """The cells of these drafts."""
        return [self.cell("draft", number) for number in self.voted()]

    def ranked(self) -> list[str]:
        """The drafts in the order in which they may become an abstract; none while the vote is open
        or tied."""
        return self.read(PollContent, "poll").ranked()

    def close(self, attempt: int, review: int) -> bool | None:
        """VIR-10: what a self-review of an attempt found; None where there is none yet."""
        found = self.state.read(self.cell("overlap", attempt, review), OverlapContent)
        return found.close if found is not None else None

    def discarded(self, attempt: int) -> bool:
        """VIR-10: too close once and, after a revision, once more."""
        return bool(self.close(attempt, 1) and self.close(attempt, 2))

    def attempt(self) -> int:
        """The attempt whose abstract counts: the first that was not discarded; 0 where all were, or
        where no idea has won."""
        attempts = range(1, len(self.ranked()) + 1)
        return next((n for n in attempts if not self.discarded(n)), 0)

    def last_abstract(self, attempt: int) -> str:
        """The abstract of an attempt before its self-review: that of the last seat."""
        return self.cell("abstract", attempt, max(LEADER, len(self.seats)))

    def abstract(self) -> str:
        """The abstract that counts or is to count: the revised one where its first self-review was
        too close."""
        attempt = max(1, self.attempt())
        close = self.close(attempt, 1)
        return self.cell("revised", attempt) if close else self.last_abstract(attempt)

    def passed(self) -> bool:
        """Whether that abstract has passed its self-review."""
        attempt = self.attempt()
        return bool(attempt) and self.close(attempt, 2 if self.close(attempt, 1) else 1) is False
