"""The rows of VirSci in the tree, step by step and turn by turn; what waits for the person's own words has a row as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import shorten

from coi_tui.engine.declarations import OutlineRow
from coi_tui.methods.virsci import course
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.settings import ATTEMPTS
from coi_tui.model.content import Named
from coi_tui.model.state import State

There = Callable[[str], bool]


def shared_rows(state: State, instance: str, there: There) -> Iterator[OutlineRow]:
    """Everything before the idea."""
    yield OutlineRow(cell(instance, "people"), 1, title="people behind the papers")
    yield OutlineRow(cell(instance, "team"), 1, title="team")
    for turn in range(1, course.topic_turns(state, instance) + 1):
        yield from _topic_turn(state, instance, turn, there)
    yield OutlineRow(cell(instance, "subject"), 1, title="topic of the team")
    for turn in range(1, course.idea_turns(state, instance) + 1):
        yield from _idea_turn(state, instance, turn, there)
    yield OutlineRow(cell(instance, "best"), 1, title="three best ideas")
    yield from _votes(state, instance, there)
    for attempt in range(1, ATTEMPTS + 1):
        yield from _abstracts(state, instance, attempt, there)
    yield OutlineRow(cell(instance, "measures"), 1, title="measures of novelty")


def _members(state: State, instance: str) -> list[tuple[int, Named]]:
    return list(enumerate(course.members(state, instance), start=1))


def _label(member: Named, turn: int) -> str:
    """Who speaks, and in which turn where it is not the first."""
    name = shorten(member.name, 16, placeholder="...")
    return f"{name}, {turn}" if turn > 1 else name


def _topic_turn(state: State, instance: str, turn: int, there: There) -> Iterator[OutlineRow]:
    asking = course.guests(state, instance, turn)
    for seat, member in _members(state, instance):
        said = cell(instance, "said", turn, seat)
        if there(said):
            yield OutlineRow(said, 1, _label(member, turn), "reply in the discussion")
        if seat in asking:
            yield OutlineRow(
                cell(instance, "guest", turn, seat), 2, "guest", f"asked by {member.name}"
            )
    summary = cell(instance, "sum", turn)
    if there(summary):
        yield OutlineRow(summary, 1, f"summary {turn}", "summary by the leader")
        yield OutlineRow(cell(instance, "mine", turn), 2, "you", "your words, where you have some")


def _idea_turn(state: State, instance: str, turn: int, there: There) -> Iterator[OutlineRow]:
    for seat, member in _members(state, instance):
        draft, found = cell(instance, "draft", turn, seat), cell(instance, "found", turn, seat)
        if there(draft) or there(found):
            yield OutlineRow(draft, 1, _label(member, turn), "idea")
            yield OutlineRow(found, 2, title="references")
    if there(digest := cell(instance, "digest", turn)):
        yield OutlineRow(digest, 1, f"summary {turn}", "summary of the ideas")


def _votes(state: State, instance: str, there: There) -> Iterator[OutlineRow]:
    for number in range(1, course.ideas_in_vote(state, instance) + 1):
        yield OutlineRow(cell(instance, "near", number), 2, title=f"papers near idea {number}")
    for turn in range(1, course.vote_rounds(state, instance) + 1):
        for seat, member in _members(state, instance):
            if there(vote := cell(instance, "vote", turn, seat)):
                yield OutlineRow(vote, 2, _label(member, turn), "vote")
    yield OutlineRow(cell(instance, "poll"), 1, title="outcome of the vote")


def _abstracts(state: State, instance: str, attempt: int, there: There) -> Iterator[OutlineRow]:
    members = dict(_members(state, instance))
    for address in course.abstract_cells(state, instance, attempt):
        if there(address):
            yield OutlineRow(
                address, 1, _label(members[course.seat_of(address)], attempt), "abstract"
            )
    if there(review := cell(instance, "overlap", attempt, 1)):
        yield OutlineRow(review, 1, title="self-review")
    for seat, member in members.items() if course.too_close(state, instance, attempt, 1) else ():
        if there(revised := cell(instance, "revised", attempt, seat)):
            yield OutlineRow(revised, 1, _label(member, attempt), "revised abstract")
    if there(again := cell(instance, "overlap", attempt, 2)):
        yield OutlineRow(again, 1, title="second self-review")
