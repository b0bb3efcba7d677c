"""How far the discussions of an instance have come: who sits where, how many turns there are, which
text is the last. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.methods.virsci.ballot import counted
from coi_tui.methods.virsci.contents import (
    LEADER,
    YOU,
    AbstractContent,
    BestContent,
    OverlapContent,
    PollContent,
    SaidContent,
    SummaryContent,
    TeamContent,
    VoteContent,
)
from coi_tui.methods.virsci.settings import ATTEMPTS, bounds_of
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import Named
from coi_tui.model.state import State


def cell(instance: str, name: str, *numbers: int) -> str:
    """The address of a cell of the instance: ``V1/said2.3``."""
    return f"{instance}/{name}{'.'.join(map(str, numbers))}"


# -- who sits where


def members(state: State, instance: str) -> list[Named]:
    """The team, the leader first."""
    team = state.read(cell(instance, "team"), TeamContent)
    return list(team.members) if team is not None else []


def seats(state: State, instance: str) -> range:
    """The numbers of the seats; the leader's is 1."""
    return range(1, len(members(state, instance)) + 1)


SEATED = frozenset({"said", "draft", "vote", "abstract", "revised"})
"""Cells whose last number is a seat."""
LEADERS = frozenset({"sum", "subject", "digest"})
"""Cells that the leader writes."""


def seat_of(address: str) -> int:
    """The seat whose words stand in a cell; 0 for a cell that nobody at the table writes."""
    at = parse_address(address)
    return (
        at.numbers[-1] if at.part in SEATED and at.numbers else LEADER if at.part in LEADERS else 0
    )


def is_yours(state: State, address: str) -> bool:
    """Whether the person writes a cell, since they sit at that seat."""
    team, seat = members(state, parse_address(address).instance), seat_of(address)
    return 1 <= seat <= len(team) and team[seat - 1].name.strip().casefold() == YOU.casefold()


def struck(state: State, address: str) -> bool:
    """Whether a person struck what stands there: in the tree, or in the transcript, where it can be
    taken in again."""
    return state.cell(address).rejected or bool(state.value(ref(address, "struck")))


# -- the two discussions


def turns_of(state: State, instance: str, summary: str) -> int:
    """The number of the last turn that was or is to be held, as far as is known now."""
    bounds = bounds_of(state, instance)
    for turn in range(1, bounds.turns):
        said = state.read(cell(instance, summary, turn), SummaryContent)
        if said is None or (bounds.adaptive and said.enough):
            return turn
    return bounds.turns


def topic_turns(state: State, instance: str) -> int:
    """The last turn of the discussion of the topic, as far as is known now."""
    return turns_of(state, instance, "sum")


def idea_turns(state: State, instance: str) -> int:
    """The last turn in which ideas are written, as far as is known now."""
    return turns_of(state, instance, "digest")


def guests(state: State, instance: str, turn: int) -> list[int]:
    """VIR-5: the seats whose questions in a turn are put to an outsider. Each outsider answers once
    in the whole discussion."""
    if not bounds_of(state, instance).guests:
        return []
    team = state.read(cell(instance, "team"), TeamContent) or TeamContent()
    known, heard = {one.name for one in team.outsiders}, set[str]()
    found: list[int] = []
    for k in range(1, turn + 1):
        for seat in seats(state, instance):
            name = _asked(state, cell(instance, "said", k, seat))
            if name in known and name not in heard:
                heard.add(name)
                found += [seat] if k == turn else []
    return found


def _asked(state: State, address: str) -> str:
    said = state.read(address, SaidContent) if not struck(state, address) else None
    return (
        said.guest.name
        if said is not None and said.guest is not None and said.guest.question
        else ""
    )


def drafts(state: State, instance: str) -> list[str]:
    """The numbers of the ideas written so far that nobody struck, turn by turn."""
    turns = range(1, idea_turns(state, instance) + 1)
    found = [(turn, seat) for turn in turns for seat in seats(state, instance)]
    return [f"{k}.{j}" for k, j in found if _living(state, cell(instance, "draft", k, j))]


def _living(state: State, address: str) -> bool:
    return state.in_use(address) is not None and not struck(state, address)


# -- the vote


def ideas_in_vote(state: State, instance: str) -> int:
    best = state.read(cell(instance, "best"), BestContent)
    return len(best.all()) if best is not None else 0


def vote_rounds(state: State, instance: str) -> int:
    """VIR-8: the last round of votes, as far as is known now. Where turns are not fixed it is the
    first after which one idea leads."""
    bounds, ideas = bounds_of(state, instance), ideas_in_vote(state, instance)
    choices: list[int] = []
    for turn in range(1, bounds.turns):
        addresses = [cell(instance, "vote", turn, seat) for seat in seats(state, instance)]
        found = [state.read(address, VoteContent) for address in addresses]
        if bounds.adaptive and any(vote is None for vote in found):
            return turn
        living = zip(addresses, found, strict=True)
        choices += [
            vote.choice
            for address, vote in living
            if vote is not None and not struck(state, address)
        ]
        if bounds.adaptive and counted(choices, ideas).winner:
            return turn
    return bounds.turns


# -- the abstract


def last_abstract(state: State, instance: str, attempt: int) -> str:
    """The cell with which the abstract of an attempt is done, before its self-review."""
    bounds = bounds_of(state, instance)
    for turn in range(2, bounds.turns + 1) if bounds.adaptive else ():
        first = cell(instance, "abstract", attempt, turn, LEADER)
        said = state.read(first, AbstractContent)
        if said is None or said.enough:
            return (
                first
                if said is not None
                else cell(instance, "abstract", attempt, turn, len(seats(state, instance)))
            )
    return cell(instance, "abstract", attempt, bounds.turns, len(seats(state, instance)))


def abstract_cells(state: State, instance: str, attempt: int) -> Iterator[str]:
    """The abstracts of an attempt in their order, up to the last one that is known to come; none
    while nobody sits at the table."""
    if not seats(state, instance):
        return
    last = parse_address(last_abstract(state, instance, attempt)).numbers
    for turn in range(1, bounds_of(state, instance).turns + 1):
        for seat in seats(state, instance):
            if (attempt, turn, seat) <= last:
                yield cell(instance, "abstract", attempt, turn, seat)


def too_close(state: State, instance: str, attempt: int, review: int) -> bool | None:
    """VIR-10: what a self-review of an attempt found; None where there is none yet."""
    found = state.read(cell(instance, "overlap", attempt, review), OverlapContent)
    return found.close if found is not None else None


def revised_abstract(state: State, instance: str, attempt: int) -> str:
    """The cell with which the revision after a first self-review is done."""
    return cell(instance, "revised", attempt, len(seats(state, instance)))


def discarded(state: State, instance: str, attempt: int) -> bool:
    """VIR-10: too close once and, after a revision, once more."""
    return (
        too_close(state, instance, attempt, 1) is True
        and too_close(state, instance, attempt, 2) is True
    )


def ranked_ideas(state: State, instance: str) -> list[int]:
    """The ideas in the order in which they may become an abstract; none while the vote is open or
    tied."""
    poll = state.read(cell(instance, "poll"), PollContent)
    return poll.ranked()[:ATTEMPTS] if poll is not None else []


def attempt_now(state: State, instance: str) -> int:
    """The attempt whose abstract counts: the first that was not discarded; 0 where all were, or
    where no idea has won."""
    ideas = ranked_ideas(state, instance)
    return next((n for n in range(1, len(ideas) + 1) if not discarded(state, instance, n)), 0)


def abstract_now(state: State, instance: str) -> str:
    """The abstract that counts or is to count: the revised one where its first self-review was too
    close."""
    attempt = max(1, attempt_now(state, instance))
    if too_close(state, instance, attempt, 1):
        return revised_abstract(state, instance, attempt)
    return last_abstract(state, instance, attempt)


def final_abstract(state: State, instance: str) -> str:
    """The abstract that passed its self-review; empty where none has."""
    attempt = attempt_now(state, instance)
    found = [too_close(state, instance, attempt, review) for review in (1, 2)]
    passed = attempt and False in (found if found[0] else found[:1])
    return abstract_now(state, instance) if passed else ""
