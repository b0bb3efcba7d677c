"""Where a chain grows next, which paper a place takes, and why a chain ends: rules on the state
alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as numbers_from
from types import MappingProxyType
from typing import Literal, TypeVar

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import CANDIDATES, SUMMARY, VERDICTS, Side, Slot
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.evidence.cards import found_links
from coi_tui.model.address import Branch, CellRef, attached_to, cell_ref, question_of, slot
from coi_tui.model.content import CandidateList, CandidateRow, CandidateVerdict, Content, Verdicts
from coi_tui.model.entries import Decision
from coi_tui.model.papers import Link
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count

C = TypeVar("C", bound=Content)
SIDES: tuple[Side, Side] = ("forward", "backward")
Failed = Mapping[str, str]
"""Cells whose last task failed in a job, each with the reason."""
NO_FAILURES: Failed = MappingProxyType({})


def bounds_of(state: State) -> CoiSettings:
    """All bounds of the method, as a session has them."""
    return state.bounds(CoiSettings)


@dataclass(frozen=True)
class Place:
    """A place that a paper is looked for: 0 for the anchor, else the next one of a side."""

    branch: Branch
    pos: int = 0

    @property
    def side(self) -> Side:
        return "forward" if self.pos > 0 else "backward"

    @property
    def tip_pos(self) -> int:
        """The next place that is nearer to the anchor."""
        return self.pos - 1 if self.pos > 0 else self.pos + 1

    @property
    def tip(self) -> str:
        return slot(self.branch, self.tip_pos)

    @property
    def slot(self) -> str:
        return slot(self.branch, self.pos)

    @property
    def cands(self) -> str:
        return attached_to(self.slot, CANDIDATES)

    @property
    def rel(self) -> str:
        return attached_to(self.slot, VERDICTS)


def active(state: State) -> list[Branch]:
    """Branches that plans include: not parked, question not rejected."""
    return [
        b
        for b in state.branches_of("")
        if b not in state.parked and not state.cell(question_of(b)).rejected
    ]


# -- where it grows


def quota(
    bounds: CoiSettings, used: Mapping[Side, int], ended: Mapping[Side, bool], side: Side
) -> int:
    """Papers that a side may have: its own share, and what the other leaves unused once it has
    ended (COI-6).

    Never so many that the whole chain would pass ``length``.
    """
    (other,) = {*SIDES} - {side}
    spare = max(0, int(getattr(bounds, other)) - used[other]) if ended[other] else 0
    return min(int(getattr(bounds, side)) + spare, bounds.length - 1 - used[other])


def _next(state: State, branch: Branch) -> dict[Side, Place]:
    chain = Chains.of(state).chain(branch)
    return {"forward": Place(branch, chain[-1] + 1), "backward": Place(branch, chain[0] - 1)}


def _ended(state: State, place: Place, failed: Failed) -> str:
    """Why a side has come to its end, whatever its share: a failure in this job, an end that was
    decided, or a milestone at its tail (COI-5). Empty where it has not."""
    card = [attached_to(place.tip, SUMMARY)] if place.side == "backward" else []
    for address in (place.cands, place.rel, *card):
        if address in failed:
            return failed[address]
    chains = Chains.of(state)
    if end := chains.end(place.branch, place.side):
        return end.reason or "it was ended here"
    bounds, tail = bounds_of(state), chains.paper_in(place.tip)
    cited = (tail.citations.count if tail else None) or 0
    long_enough = len(chains.chain(place.branch)) >= bounds.minimum
    if place.side == "backward" and long_enough and cited > bounds.milestone:
        return f"the tail is a milestone ({cited} citations, more than {bounds.milestone}, in a chain of at least {bounds.minimum})"
    return ""


def stopped(state: State, branch: Branch, side: Side, failed: Failed = NO_FAILURES) -> str:
    """Why a side of a chain may not grow; empty where it may. A side whose search or verdict
    ``failed`` in this job is closed for it."""
    if not Chains.of(state).chain(branch):
        return "there is no anchor yet"
    return _stops(state, branch, failed)[side]


def _stops(state: State, branch: Branch, failed: Mapping[str, str]) -> dict[Side, str]:
    """Why each side of a chain that has an anchor may not grow."""
    chain, places, bounds = Chains.of(state).chain(branch), _next(state, branch), bounds_of(state)
    used: dict[Side, int] = {"forward": chain[-1], "backward": -chain[0]}
    why = {side: _ended(state, places[side], failed) for side in SIDES}
    ended = {side: bool(why[side]) for side in SIDES}
    for side in SIDES:
        # A side that has its full share is not "ended": it leaves no place unused.
        if not ended[side] and len(chain) >= bounds.length:
            why[side] = f"the chain has its {count(bounds.length, 'paper')}"
        elif not ended[side] and used[side] >= quota(bounds, used, ended, side):
            why[side] = f"its share of {count(getattr(bounds, side), 'paper')} is used"
    return why


def open_places(state: State, branch: Branch, failed: Failed = NO_FAILURES) -> list[Place]:
    """The next places of a chain's sides that may still grow, forward first."""
    if not Chains.of(state).chain(branch):
        return []
    places, stops = _next(state, branch), _stops(state, branch, failed)
    return [places[side] for side in SIDES if not stops[side]]


# -- which paper a place takes

Finding = tuple[Literal["pending", "take", "again", "none"], str]


def finding(state: State, place: Place, failed: Failed, taken: Iterable[str] = ()) -> Finding:
    """What a place's candidate list and verdicts say: wait, take this paper, search or judge
    further, or end with this reason. No chain gets a paper that another has, or that is
    ``taken``."""
    rests_on = (place.cands, place.rel, *([] if place.pos else [question_of(place.branch)]))
    if cause := next((failed[address] for address in rests_on if address in failed), None):
        return "none", cause
    listed = _current(state, place.cands, CandidateList)
    if listed is None:
        return "pending", ""
    barred = {paper for at, paper in Chains.of(state).papers().items() if at != place.slot}
    barred |= {*taken} | Chains.of(state).rejected(place.branch)
    free = [row for row in listed.entries if row.eligible and row.paper not in barred]
    if place.pos == 0:
        return _of_anchor(listed, free, bounds_of(state))
    judged = _current(state, place.rel, Verdicts)
    if judged is None and free:
        return "pending", ""
    return _of_neighbour(listed, free, judged or Verdicts(), barred, bounds_of(state))


def _of_anchor(listed: CandidateList, free: Sequence[CandidateRow], bounds: CoiSettings) -> Finding:
    """Other words are searched within the bound, unless the source has too little on the topic."""
    if fitting := [row.paper for row in free if row.fits]:
        return "take", fitting[0]
    again = not listed.refused and len(listed.tries) < bounds.anchor_tries
    return ("again" if again else "none"), ""


def _of_neighbour(
    listed: CandidateList,
    free: Sequence[CandidateRow],
    judged: Verdicts,
    barred: Container[str],
    bounds: CoiSettings,
) -> Finding:
    """The best that was judged to fit; else more are judged, up to the limit."""
    if best := best_of(verdict for verdict in judged.verdicts if verdict.paper not in barred):
        return "take", best
    known = {verdict.paper for verdict in judged.verdicts}
    if {row.paper for row in free[: bounds.judge_limit]} - known:
        return "again", ""
    return "none", _why_none(listed, judged)


def _current(state: State, address: str, model: type[C]) -> C | None:
    """The content in use, where it was made from what is in use now."""
    version = state.in_use(address)
    return state.content(version, model) if version is not None and state.matches(version) else None


def best_of(verdicts: Iterable[CandidateVerdict]) -> str | None:
    """The paper with the best sum of grades, of equals the nearest of kin, then the first; None
    where no paper fits."""
    fitting = [verdict for verdict in verdicts if verdict.relevant]
    return max(fitting, key=lambda verdict: verdict.standing).paper if fitting else None


def _why_none(listed: CandidateList, judged: Verdicts) -> str:
    """The named reason to stop, in words for the screen."""
    if listed.withheld:
        return "the publisher withholds the list of papers"
    if not listed.entries:
        return (
            f"{listed.source or 'the source'} lists no paper on that side whose year "
            f"fits ({listed.note or f'{listed.looked_at} papers looked at'})"
        )
    left = f", {listed.left_out} left out by your criteria" if listed.left_out else ""
    number = count(sum(not one.unread for one in judged.verdicts), "free candidate")
    return f"none of the {number} judged fits ({len(listed.entries)} listed{left})"


# -- what follows from it


def proposal(state: State, place: Place, paper: str) -> Decision:
    """The machine's suggestion for a slot, with everything it rests on."""
    made = state.in_use(place.cands)
    assert made is not None
    listed = state.content(made, CandidateList)
    row = next(row for row in listed.entries if row.paper == paper)
    why: Fields = {
        **row.model_dump(include={"rank", "score", "ranks"}),
        "of": len(listed.entries),
        "ranked": listed.ranked,
        "cands": made.seq,
    }
    value: Fields = {"paper": paper, "why": why}
    if place.pos == 0:
        last = listed.tries[-1]
        verdict = row.verdict or CandidateVerdict(paper=paper)
        why |= {"question": place.branch, "query": last.query, "source": last.source}
    else:
        tip = Chains.of(state).slot(place.tip).paper
        judged = state.read(place.rel, Verdicts) or Verdicts()
        verdict = next(one for one in judged.verdicts if one.paper == paper)
        why |= row.model_dump(include={"by", "link", "evidence"})
        why |= {"neighbour": tip, "source": listed.source}
        links = {(one.citing, one.cited): one for one in found_links(state)}
        # those beyond a gap go to the shelf, as far as is known; pins stay
        step = 1 if place.side == "forward" else -1
        detach = dict(broken_off(state, cell_ref(place.slot), paper, step, links))
        value |= {"needs": {place.tip: tip}, "detach": detach}
    why |= {"reasoning": verdict.reasoning, "grades": verdict.in_words}
    return Decision(actor="coi", action="propose", address=place.slot, value=value)


Links = Mapping[tuple[str, str], Link]
"""The known links, each by the ids of the newer paper, which cites, and of the older one."""


def outward(state: State, at: CellRef, step: int) -> Iterator[Slot]:
    """The places beyond one, from it outward."""
    return (Chains.of(state).slot(slot(at.branch, at.pos + step * n)) for n in numbers_from(1))


def holds(inner: str, outer: str, step: int, links: Links) -> bool:
    return ((outer, inner) if step > 0 else (inner, outer)) in links


def broken_off(
    state: State, at: CellRef, paper: str, step: int, links: Links
) -> Iterator[tuple[str, str]]:
    """The first unpinned slot without a link to the one before it, and every unpinned one beyond
    it."""
    inner, broken = paper, False
    for there in outward(state, at, step):
        if there.paper is None:
            return
        if there.verdict != "pinned":
            broken = broken or not holds(inner, there.paper, step, links)
            if broken:
                yield there.address, there.paper
        inner = there.paper


def ending(state: State, place: Place, reason: str) -> Decision:
    """A side of a chain ends at its tip, for as long as that paper is its tip."""
    tip = Chains.of(state).slot(place.tip).paper
    value = {"side": place.side, "tip_pos": place.tip_pos, "tip": tip, "needs": {place.tip: tip}}
    return Decision(
        actor="coi", action="end", address=str(place.branch), reason=reason, value=value
    )
