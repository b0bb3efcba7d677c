"""How far the team of an instance has come: who sits where, how many turns there are, what the
votes come to, and which abstract counts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeVar

from coi_tui.methods.base.settings import settings_in
from coi_tui.methods.virsci.contents import (
    IN_VOTE,
    LEADER,
    AbstractContent,
    BestContent,
    OverlapContent,
    PollContent,
    SummaryContent,
    TeamContent,
    VoteContent,
)
from coi_tui.methods.virsci.settings import VirSciSettings
from coi_tui.model.address import parse_address
from coi_tui.model.content import Content
from coi_tui.model.state import State

C = TypeVar("C", bound=Content)

LABELS = "ABC"
"""Of the ideas in a vote."""
SEATED = frozenset({"said", "draft", "vote", "abstract"})
"""Cells whose last number is a seat."""


def order_shown(ideas: int, turn: int, seat: int) -> tuple[int, ...]:
    """VIR-8: the numbers of the ideas in the order in which a seat sees them: all orders take
    turns, so that no place has an advantage."""
    orders = list(permutations(range(1, ideas + 1)))
    return orders[(turn + seat - 2) % len(orders)]


def counted(choices: Sequence[int], ideas: int) -> tuple[list[int], int]:
    """Votes by idea, and the winner (0: tied, or no vote). A vote for none of the ideas is an
    abstention, never a vote for the first."""
    votes = [choices.count(number) for number in range(1, ideas + 1)]
    most = max(votes, default=0)
    return votes, votes.index(most) + 1 if most and votes.count(most) == 1 else 0


class Team:
    """The team of the instance of an address. ``supposed``: where there is none yet, as many seats
    as the settings let expect."""

    def __init__(self, state: State, address: str, *, supposed: bool = False) -> None:
        self.state, self.instance = state, parse_address(address).instance
        self.bounds = settings_in(state, VirSciSettings, self.instance)
        self.members = self.read(TeamContent, "team").members
        self.seats = range(1, (len(self.members) or self.bounds.team * supposed) + 1)
        """The leader's is 1."""

    def cell(self, name: str, *numbers: int | str) -> str:
        """The address of a cell of the instance: ``V1/said2.3``."""
        return f"{self.instance}/{name}{'.'.join(map(str, numbers))}"

    def made(self, name: str, *numbers: int) -> bool:
        return self.state.in_use(self.cell(name, *numbers)) is not None

    def read(self, model: type[C], name: str, *numbers: int | str) -> C:
        """The content of a cell of the instance; an empty one where there is none."""
        return self.state.read(self.cell(name, *numbers), model) or model()

    # -- the two discussions

    def turns(self, summary: str) -> int:
        """The number of the last turn that was or is to be held, as far as is known now.
        ``summary``: the cell that ends each turn."""
        for turn in range(1, self.bounds.turns):
            if self.read(SummaryContent, summary, turn).enough or not self.made(summary, turn):
                return turn
        return self.bounds.turns

    def over(self, summary: str) -> bool:
        """Whether a discussion has come to its end: the summary of its last turn is there."""
        return self.made(summary, self.turns(summary))

    def drafts(self) -> list[str]:
        """The numbers of the ideas written so far that nobody struck, turn by turn."""
        turns = range(1, self.turns("digest") + 1)
        places = [(turn, seat) for turn in turns for seat in self.seats]
        return [
            f"{turn}.{seat}"
            for turn, seat in places
            if self.made("draft", turn, seat)
            and not self.state.cell(self.cell("draft", turn, seat)).rejected
        ]

    # -- the vote

    def voted(self) -> list[str]:
        """The numbers of the drafts in the vote."""
        return self.read(BestContent, "best").drafts

    def vote_rounds(self) -> int:
        """VIR-8: the last round of votes, as far as is known now: the first after which one idea
        leads."""
        choices: list[int] = []
        for turn in range(1, self.bounds.turns):
            for seat in self.seats:
                if not self.made("vote", turn, seat):
                    return turn
                if not self.state.cell(self.cell("vote", turn, seat)).rejected:
                    choices.append(self.read(VoteContent, "vote", turn, seat).choice)
            if counted(choices, len(self.voted()))[1]:
                return turn
        return self.bounds.turns

    def ranked(self) -> list[int]:
        """The ideas in the order in which they may become an abstract; none while the vote is open
        or tied."""
        return self.read(PollContent, "poll").ranked()[:IN_VOTE]

    # -- the abstract

    def abstracts(self, attempt: int) -> Iterator[str]:
        """The abstracts of an attempt in their order, before its self-review, up to the last one
        that is known to come. The leader may end them at the beginning of a turn."""
        for turn in range(1, self.bounds.turns + 1):
            for seat in self.seats:
                yield self.cell("abstract", attempt, turn, seat)
                may_end = turn > 1 and seat == LEADER
                if may_end and self.read(AbstractContent, "abstract", attempt, turn, seat).enough:
                    return
            if turn > 1 and not self.made("abstract", attempt, turn, LEADER):
                return

    def last_abstract(self, attempt: int) -> str:
        return [*self.abstracts(attempt)][-1]

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

    def abstract(self) -> str:
        """The abstract that counts or is to count: the revised one where its first self-review was
        too close."""
        attempt = max(1, self.attempt())
        close = self.close(attempt, 1)
        return self.cell("revised", attempt) if close else self.last_abstract(attempt)

    def passed(self) -> bool:
        """Whether that abstract has passed its self-review."""
        attempt = self.attempt()
        review = 2 if self.close(attempt, 1) else 1
        return bool(attempt) and self.close(attempt, review) is False
