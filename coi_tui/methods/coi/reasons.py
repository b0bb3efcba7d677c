"""Where the paper of a slot and its candidates come from, in sentences (``why``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coi_tui.methods.base.cell_table import title_of
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import Slot
from coi_tui.model.address import cell_ref
from coi_tui.model.content import CandidateList, SlotReason, Verdicts
from coi_tui.model.entries import Version
from coi_tui.model.state import State


def extent(listed: CandidateList, pos: int) -> str:
    """``looked at 100 of 5,230 citing papers; 3 left out by your criteria``: how far a list
    reaches; empty where it has everything."""
    seen, total = listed.looked_at, listed.total or 0
    marked = sum(bool(row.left_out) for row in listed.entries)
    number = max(listed.left_out, marked)
    unlisted = f", {number - marked} of them not listed" if number > marked else ""
    parts = (
        f"looked at {seen:,} of {total:,} {'citing' if pos > 0 else 'cited'} papers"
        if 0 < seen < total
        else "",
        f"{number} left out by your criteria{unlisted}" if number else "",
    )
    return "; ".join(filter(None, parts))


def of_slot(state: State, address: str, when: Callable[[int], str]) -> Iterator[str]:
    """What stands in a slot, and how it came there; ``when`` gives the time of a decision."""
    place = Chains.of(state).slot(address)
    if place.paper is None:
        yield f"{place.address} is empty."
        for gone in Chains.of(state).shelf:
            if (gone.branch, gone.pos) == (place.branch, place.pos):
                title = title_of(state, gone.paper)
                yield f"{title} was {gone.kind}: {gone.reason or 'no reason given'}."
        return
    reason = place.reason
    yield f"{place.address} holds “{title_of(state, place.paper)}” ({place.paper}), {place.verdict}."
    yield from _placed(state, place, reason, when(place.since))
    if reason.link:
        evidence = f" ({reason.evidence})" if reason.evidence else ""
        yield f"Link to its neighbour: {reason.link}{evidence}."
    if reason.reasoning:
        yield f"Verdict on the candidate: {reason.grades}. {reason.reasoning}"


def _placed(state: State, place: Slot, reason: SlotReason, since: str) -> Iterator[str]:
    """Who put the paper there, and from which list."""
    if reason.by_you:
        yield f"You {'pinned' if place.verdict == 'pinned' else 'chose'} it{since}."
    elif reason.rank is not None:
        near = f"the papers around {title_of(state, reason.neighbour)}"
        where = f"question {reason.question} (“{reason.query}”)" if reason.question else near
        yield (
            f"It was proposed{since}: rank {reason.rank} of {reason.of} for {where} in {reason.source or 'a source'}, "
            f"match {reason.score:.2f} (similarity of its text to topic and anchor, {reason.ranked})."
        )
        yield from reach_of_list(state, state.versions.get(reason.cands or 0), place.pos)


def reach_of_list(state: State, version: Version | None, pos: int) -> Iterator[str]:
    """How far a candidate list reaches."""
    if version and (reach := extent(state.content(version, CandidateList), pos)):
        yield f"Its list: {reach}."


def of_candidates(state: State, version: Version) -> Iterator[str]:
    """The same of a list in use."""
    yield from reach_of_list(state, version, cell_ref(version.address).pos)


def of_verdicts(state: State, version: Version) -> Iterator[str]:
    """What the verdicts knew of papers that the researcher rejected."""
    gone = state.content(version, Verdicts).turned_down
    if reasons := "; ".join(f"“{item.title}”: {item.reason}" for item in gone):
        yield f"The verdicts were told why you rejected other papers: {reasons}."
