"""How far the team of an instance has come: who sits where, how many turns there are, what the
votes come to, and which abstract counts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeVar

from coi_tui.methods.base.settings import settings_in
from coi_tui.methods.virsci.contents import (
    LEADER,
    AbstractContent,
    BestContent,
    Chosen,
    OverlapContent,
    PollContent,
    SaidContent,
    SummaryContent,
    TeamContent,
    VoteContent,
)
from coi_tui.methods.virsci.settings import ATTEMPTS, VirSciSettings
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import Content
from coi_tui.model.state import State

C = TypeVar("C", bound=Content)

LABELS = "ABC"
"""Of the ideas in a vote."""
SEATED = frozenset({"said", "draft", "vote", "abstract", "revised"})
"""Cells whose last number is a seat."""


def struck(state: State, address: str) -> bool:
    """Whether a person struck what stands there: in the tree, or in the transcript, where it can be
    taken in again."""
    return state.cell(address).rejected or bool(state.value(ref(address, "struck")))


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
        team = self.read(TeamContent, "team") or TeamContent()
        self.members, self.outsiders = team.members, team.outsiders
        self.seats = range(1, (len(team.members) or self.bounds.team * supposed) + 1)
        """The leader's is 1."""

    def cell(self, name: str, *numbers: int) -> str:
        """The address of a cell of the instance: ``V1/said2.3``."""
        return f"{self.instance}/{name}{'.'.join(map(str, numbers))}"

    def made(self, name: str, *numbers: int) -> bool:
        return self.state.in_use(self.cell(name, *numbers)) is not None

    def read(self, model: type[C], name: str, *numbers: int) -> C | None:
        """What stands in a cell of the instance."""
        return self.state.read(self.cell(name, *numbers), model)

    # -- the two discussions

    def turns(self, summary: str) -> int:
        """The number of the last turn that was or is to be held, as far as is known now.
        ``summary``: the cell that ends each turn."""
        for turn in range(1, self.bounds.turns):
            said = self.read(SummaryContent, summary, turn)
            if said is None or (self.bounds.adaptive and said.enough):
                return turn
        return self.bounds.turns

    def over(self, summary: str) -> bool:
        """Whether a discussion has come to its end: the summary of its last turn is there."""
        return self.made(summary, self.turns(summary))

    def guests(self, turn: int) -> list[int]:
        """VIR-5: the seats whose questions in a turn are put to an outsider. Each outsider answers
        once in the whole discussion."""
        waiting = {one.name for one in self.outsiders} if self.bounds.guests else set()
        found: list[int] = []
        for k in range(1, turn + 1):
            for seat in self.seats:
                said = self.read(SaidContent, "said", k, seat)
                if said is None or said.guest is None or said.guest.name not in waiting:
                    continue
                if not struck(self.state, f"{self.instance}/said{k}.{seat}"):
                    waiting.remove(said.guest.name)
                    found += [seat] if k == turn else []
        return found

    def drafts(self) -> list[str]:
        """The numbers of the ideas written so far that nobody struck, turn by turn."""
        turns = range(1, self.turns("digest") + 1)
        items = [f"{turn}.{seat}" for turn in turns for seat in self.seats]
        living = {item: f"{self.instance}/draft{item}" for item in items}
        return [
            item
            for item, address in living.items()
            if self.state.in_use(address) is not None and not struck(self.state, address)
        ]

    # -- the vote

    def ideas(self) -> list[Chosen]:
        """Those in the vote."""
        return (self.read(BestContent, "best") or BestContent()).all()

    def vote_rounds(self) -> int:
        """VIR-8: the last round of votes, as far as is known now. Where turns are not fixed it is
        the first after which one idea leads."""
        ideas, choices = len(self.ideas()), list[int]()
        for turn in range(1, self.bounds.turns) if self.bounds.adaptive else ():
            for seat in self.seats:
                vote = self.read(VoteContent, "vote", turn, seat)
                if vote is None:
                    return turn
                if not struck(self.state, f"{self.instance}/vote{turn}.{seat}"):
                    choices.append(vote.choice)
            if counted(choices, ideas)[1]:
                return turn
        return self.bounds.turns

    def ranked(self) -> list[int]:
        """The ideas in the order in which they may become an abstract; none while the vote is open
        or tied."""
        return (self.read(PollContent, "poll") or PollContent()).ranked()[:ATTEMPTS]

    # -- the abstract

    def last_abstract(self, attempt: int) -> str:
        """The cell with which the abstract of an attempt is done, before its self-review."""
        turns, last = self.bounds.turns, len(self.seats)
        for turn in range(2, turns + 1) if self.bounds.adaptive else ():
            said = self.read(AbstractContent, "abstract", attempt, turn, LEADER)
            if said is None or said.enough:
                return self.cell("abstract", attempt, turn, last if said is None else LEADER)
        return f"{self.instance}/abstract{attempt}.{turns}.{last}"

    def abstract_cells(self, attempt: int) -> Iterator[str]:
        """The abstracts of an attempt in their order, up to the last one that is known to come."""
        last = parse_address(self.last_abstract(attempt)).numbers
        for turn in range(1, self.bounds.turns + 1):
            for seat in self.seats:
                if (attempt, turn, seat) <= last:
                    yield f"{self.instance}/abstract{attempt}.{turn}.{seat}"

    def close(self, attempt: int, review: int) -> bool | None:
        """VIR-10: what a self-review of an attempt found; None where there is none yet."""
        found = self.read(OverlapContent, "overlap", attempt, review)
        return found.close if found is not None else None

    def discarded(self, attempt: int) -> bool:
        """VIR-10: too close once and, after a revision, once more."""
        return bool(self.close(attempt, 1) and self.close(attempt, 2))

    def attempt(self) -> int:
        """The attempt whose abstract counts: the first that was not discarded; 0 where all were, or
        where no idea has won."""
        attempts = range(1, len(self.ranked()) + 1)
        return next((n for n in attempts if not self.discarded(n)), 0)

    def revised(self, attempt: int) -> str:
        """The cell with which the revision after a first self-review is done."""
        return self.cell("revised", attempt, len(self.seats))

    def abstract(self) -> str:
        """The abstract that counts or is to count: the revised one where its first self-review was
        too close."""
        attempt = max(1, self.attempt())
        close = self.close(attempt, 1)
        return self.revised(attempt) if close else self.last_abstract(attempt)

    def passed(self) -> bool:
        """Whether that abstract has passed its self-review."""
        attempt = self.attempt()
        review = 2 if self.close(attempt, 1) else 1
        return bool(attempt) and self.close(attempt, review) is False
