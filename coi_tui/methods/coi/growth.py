"""What the steps of a chain read, where a chain grows next, and why it ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from coi_tui.engine.freshness import Read
from coi_tui.methods.base.reads import (
    HUNCH,
    REJECTED_PAPERS,
    TOPIC,
    attached,
    card_fields,
    chain_cards,
    chain_papers,
    criteria,
    held_elsewhere,
    paper,
    reading,
    rivals,
)
from coi_tui.methods.base.settings import settings_in
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.methods.evidence.papers import found_links
from coi_tui.methods.evidence.reading_list import LINKS_READ, LIST_READ
from coi_tui.model.address import CANDIDATES, Branch, parse_address, ref, slot
from coi_tui.model.content import CandidateList, Content, Verdict, Verdicts
from coi_tui.model.entries import Decision
from coi_tui.model.state import Side, State
from coi_tui.model.text import count

C = TypeVar("C", bound=Content)
SIDES: tuple[Side, Side] = ("forward", "backward")


def bounds_of(state: State) -> CoiSettings:
    """All bounds of the method, as a session has them."""
    return settings_in(state, CoiSettings)


@dataclass(frozen=True)
class Growing:
    """The next place of a side that may still grow."""

    branch: Branch
    side: Side
    pos: int
    tip_pos: int
    tip: str

    @property
    def slot(self) -> str:
        return slot(self.branch, self.pos)

    @property
    def cands(self) -> str:
        return f"{self.slot}.cands"

    @property
    def rel(self) -> str:
        return f"{self.slot}.rel"


def active(state: State) -> list[Branch]:
    """Branches that plans include: not parked, question not rejected."""
    return [
        b
        for b in state.branches_of("")
        if b not in state.parked and not state.cell(f"Q{b}").rejected
    ]


def quota(
    bounds: CoiSettings, used: Mapping[Side, int], ended: Mapping[Side, bool], side: Side
) -> int:
    """Papers that a side may have: its own share, and what the other leaves unused once it has
    ended (COI-6).

    Never so many that the whole chain would pass ``length``.
    """
    other: Side = "backward" if side == "forward" else "forward"
    own = bounds.forward if side == "forward" else bounds.backward
    others = bounds.backward if side == "forward" else bounds.forward
    spare = max(0, others - used[other]) if ended[other] else 0
    return min(own + spare, bounds.length - 1 - used[other])


def used_places(state: State, branch: Branch) -> dict[Side, int]:
    places = state.chain(branch)
    return {"forward": max(places, default=0), "backward": -min(places, default=0)}


def open_sides(state: State, branch: Branch, failed: Mapping[str, str]) -> list[Growing]:
    """Sides of a chain that may still grow, forward first. A side whose search or verdict failed in
    this job is closed for it."""
    places = state.chain(branch)
    if not places:
        return []
    bounds, used = bounds_of(state), used_places(state, branch)
    nexts = {side: _next(state, branch, side, places) for side in SIDES}
    ended = {side: _closed(state, nexts[side], failed) for side in SIDES}
    out = []
    for side in SIDES:
        # A side that has its full share is not "ended": it leaves no place unused.
        if (
            not ended[side]
            and used[side] < quota(bounds, used, ended, side)
            and not milestone(state, nexts[side])
        ):
            out.append(nexts[side])
    return out


def first_forward(sides: Sequence[Growing]) -> list[Growing]:
    """The sides of one chain that grow now: an anchor that stands alone looks forward first, where
    it may.

    Backward candidates are ranked with the tip's card, forward ones are not: so the anchor's card
    is read beside the first verdicts, and no wave waits for it. What is known alone decides this,
    never which of the two comes in first.
    """
    if any(side.side == "forward" and side.tip_pos == 0 for side in sides):
        return [side for side in sides if side.side == "forward" or side.tip_pos != 0]
    return list(sides)


def _next(state: State, branch: Branch, side: Side, places: list[int]) -> Growing:
    tip = places[-1] if side == "forward" else places[0]
    paper = state.slot(slot(branch, tip)).paper or ""
    return Growing(branch, side, tip + (1 if side == "forward" else -1), tip, paper)


def _closed(state: State, side: Growing, failed: Mapping[str, str]) -> bool:
    card = f"{slot(side.branch, side.tip_pos)}.card"
    if side.cands in failed or side.rel in failed or (side.side == "backward" and card in failed):
        return True
    return state.end(side.branch, side.side) is not None or milestone(state, side)


def milestone(state: State, side: Growing) -> bool:
    """True when the tail is a milestone: more than ``milestone`` citations, in a chain of at least
    ``minimum`` (COI-5)."""
    bounds = bounds_of(state)
    if side.side == "forward" or len(state.chain(side.branch)) < bounds.minimum:
        return False
    tail = state.paper_at(side.branch, side.tip_pos)
    cited = tail.citations.count if tail else None
    return cited is not None and cited > bounds.milestone


Finding = tuple[Literal["pending", "take", "again", "none"], str]


def finding(state: State, side: Growing, taken: set[str], failed: Mapping[str, str]) -> Finding:
    """What a side's candidate list and verdicts say: wait, take this paper, judge further, or end
    with this reason."""
    if side.cands in failed or side.rel in failed:
        return ("none", failed.get(side.cands) or failed[side.rel])
    listed, judged = _current(state, side.cands, CandidateList), _current(state, side.rel, Verdicts)
    if listed is None or judged is None:
        return ("pending", "")
    barred = taken | state.rejected(side.branch)
    if (
        best := best_of([verdict for verdict in judged.verdicts if verdict.paper not in barred])
    ) is not None:
        return ("take", best)
    known = {verdict.paper for verdict in judged.verdicts}
    if any(
        paper not in known
        for paper in [
            row.paper for row in listed.entries if row.eligible and row.paper not in barred
        ][: bounds_of(state).judge_limit]
    ):
        return ("again", "")
    return ("none", _why_none(listed, judged))


def _current(state: State, address: str, model: type[C]) -> C | None:
    """The content in use, where it was made from what is in use now."""
    version = state.in_use(address)
    return state.content(version, model) if version is not None and state.matches(version) else None


def best_of(verdicts: Iterable[Verdict]) -> str | None:
    """The paper with the best sum of grades, of equals the nearest of kin, then the first; None
    where no paper fits."""
    fitting = [verdict for verdict in verdicts if verdict.relevant]
    return max(fitting, key=lambda verdict: verdict.standing).paper if fitting else None


def _why_none(listed: CandidateList, judged: Verdicts) -> str:
    """The named reason to stop, in words for the screen."""
    if listed.withheld:
        return "the publisher withholds the list of papers"
    if not listed.looked_at and not listed.entries:
        return f"{listed.source or 'the source'} lists no paper on that side"
    if not listed.entries:
        return f"no paper in the list fits the order in time ({listed.looked_at} looked at)"
    number = len(judged.verdicts)
    if not number and all(row.left_out for row in listed.entries):
        return f"your criteria leave out all {count(listed.left_out, 'paper')} that fit the order in time"
    if judged.chosen:
        return "every candidate that fits is in a chain already"
    left = f", {listed.left_out} left out by your criteria" if listed.left_out else ""
    if not number:
        return f"no candidate has an abstract to judge, or all are in a chain already{left}"
    return f"none of the {number} candidates judged fits ({len(listed.entries)} listed{left})"


def proposal(state: State, side: Growing, paper: str) -> Decision:
    """The machine's suggestion for a slot, with everything it rests on."""
    cands, rel = state.in_use(side.cands), state.in_use(side.rel)
    assert cands is not None
    assert rel is not None
    listed = state.content(cands, CandidateList)
    row = next(row for row in listed.entries if row.paper == paper)
    verdicts = state.content(rel, Verdicts).verdicts
    said = next(verdict for verdict in verdicts if verdict.paper == paper)
    why = {
        **row.model_dump(include={"rank", "score", "by", "link", "evidence", "ranks"}),
        "of": len(listed.entries),
        "ranked": listed.ranked,
        "neighbour": side.tip,
        "source": listed.source,
        "cands": cands.seq,
        "rel": rel.seq,
        "reasoning": said.reasoning,
        "grades": said.told,
    }
    value = {
        "paper": paper,
        "why": why,
        "needs": {slot(side.branch, side.tip_pos): side.tip},
        "detach": beyond(state, side, paper),
    }
    return Decision(actor="coi", action="propose", address=side.slot, value=value)


def beyond(state: State, side: Growing, paper: str) -> dict[str, str]:
    """Slots beyond a gap that the new paper does not link to, as far as is known: they go to the
    shelf, pins stay."""
    step = 1 if side.side == "forward" else -1
    known = {(link.citing, link.cited) for link in found_links(state)}
    out: dict[str, str] = {}
    inner, pos = paper, side.pos + step
    while (there := state.slot(slot(side.branch, pos))).paper is not None:
        pair = (there.paper, inner) if step > 0 else (inner, there.paper)
        if there.verdict != "pinned" and (out or pair not in known):
            out[there.address] = there.paper
        inner, pos = there.paper, pos + step
    return out


def ending(side: Growing, reason: str) -> Decision:
    return Decision(
        actor="coi",
        action="end",
        address=str(side.branch),
        reason=reason,
        value={
            "side": side.side,
            "tip_pos": side.tip_pos,
            "tip": side.tip,
            "code": "none",
            "needs": {slot(side.branch, side.tip_pos): side.tip},
        },
    )


def why_stopped(state: State, branch: Branch, side: Side) -> str:
    """Why a side is as long as it is, for screens and exports."""
    places = state.chain(branch)
    if not places:
        return "there is no anchor"
    bounds, used = bounds_of(state), used_places(state, branch)
    grow = _next(state, branch, side, places)
    if end := state.end(branch, side):
        return end.reason
    if milestone(state, grow):
        tail = state.paper_at(branch, grow.tip_pos)
        cited = tail.citations.count if tail else 0
        return f"the tail is a milestone ({cited} citations, more than {bounds.milestone}, in a chain of at least {bounds.minimum})"
    if len(places) >= bounds.length:
        return f"the chain has its {count(bounds.length, 'paper')}"
    ended: dict[Side, bool] = {
        s: state.end(branch, s) is not None or milestone(state, _next(state, branch, s, places))
        for s in SIDES
    }
    if used[side] >= quota(bounds, used, ended, side):
        return f"its share of {count(bounds.forward if side == 'forward' else bounds.backward, 'paper')} is used"
    return "not grown yet"


TREND_OF_CARD = ("problem", "move", "method", "evidence", "limits")
IDEA_OF_CARD = ("problem", "move", "method", "use", "limits")
"""The fields of a card that trends, and those that ideas, are made from."""
DIRECTION_OF_CARD = ("problem", "move", "limits")
"""The fields of a card that a direction is made from; what links the papers stands in the
trends."""

questions = reading(TOPIC, HUNCH)


def anchors(state: State, address: str) -> tuple[Read, ...]:
    """The question, and what must not be taken: papers of other branches, what was tried."""
    branch = parse_address(address).branch
    elsewhere = [s for b in state.branches_of("") if b != branch for s in state.filled(b)]
    others = [paper("taken", s.branch, s.pos, optional=True, parent=True) for s in elsewhere]
    tried = [
        Read(name, ref(address, name), optional=True, parent=True) for name in ("tries", "entries")
    ]
    question = Read("question", ref(f"Q{branch}", "text"))
    return (
        TOPIC,
        *criteria(state),
        question,
        *tried,
        REJECTED_PAPERS,
        *others,
        LIST_READ,
        LINKS_READ,
    )


def neighbours(state: State, address: str) -> tuple[Read, ...]:
    """The ends of the chain. A predecessor also goes by the card of the chain's tail."""
    at = parse_address(address)
    inner = at.pos - (1 if at.pos > 0 else -1)
    reads = [
        TOPIC,
        *criteria(state),
        paper("anchor", at.branch, 0),
        paper("tip", at.branch, inner),
        LIST_READ,
        LINKS_READ,
    ]
    if at.pos < 0:
        # The card is a required input: its three extracted titles go first (COI-5). They may be
        # none.
        card = f"{slot(at.branch, inner)}.card"
        reads += [
            Read("card", ref(card, "problem")),
            Read("named", ref(card, "references"), optional=True),
        ]
    return tuple(reads)


def verdicts(state: State, address: str) -> tuple[Read, ...]:
    """The list of candidates with the verdicts of before, and the papers that stand elsewhere."""
    at = parse_address(address)
    cands = f"{at.slot}.cands"
    listed = (
        Read("entries", ref(cands, "entries"), optional=True),
        Read("listed", ref(cands, "of")),
    )
    before = (
        Read(name, ref(address, name), optional=True, parent=True) for name in ("verdicts", "about")
    )
    return (
        TOPIC,
        *criteria(state),
        REJECTED_PAPERS,
        *listed,
        *before,
        *held_elsewhere(state, str(at.slot)),
    )


def card(state: State, address: str) -> tuple[Read, ...]:
    """The paper in the slot, and the researcher's own PDF of it."""
    at = parse_address(address)
    own = attached("pdf", at.branch, at.pos)
    return (
        TOPIC,
        paper("paper", at.branch, at.pos),
        *([own] if state.meaning(own.ref) is not None else []),
    )


def chain_trends(state: State, branch: Branch) -> list[Read]:
    """The trends between neighbours of the chain."""
    return [Read("trends", ref(address, "text")) for address in state.pairs(branch)]


def trend(state: State, address: str) -> tuple[Read, ...]:
    """The two papers with their cards, and the list that one was chosen from."""
    at = parse_address(address)
    fields, outer = (*TREND_OF_CARD, "source"), at.newer if at.newer > 0 else at.pos
    listed = f"{slot(at.branch, outer)}.{CANDIDATES}"
    return (
        TOPIC,
        paper("older_paper", at.branch, at.pos),
        paper("newer_paper", at.branch, at.newer),
        *card_fields("older", at.branch, at.pos, fields),
        *card_fields("newer", at.branch, at.newer, fields),
        Read("listed", ref(listed, "of"), optional=True, parent=True),
        Read("candidates", ref(listed, "entries"), optional=True, parent=True),
    )


def direction(state: State, address: str) -> tuple[Read, ...]:
    """The chain: its papers, cards and trends."""
    branch = parse_address(address).branch
    return (
        TOPIC,
        HUNCH,
        *chain_papers(state, branch),
        *chain_cards(state, branch, DIRECTION_OF_CARD),
        *chain_trends(state, branch),
    )


def thought(state: State, address: str) -> tuple[Read, ...]:
    """What an idea will be made from: the direction; and the chain's own papers, which are no
    rivals."""
    branch = parse_address(address).branch
    return (
        Read("thought", ref(f"{branch}/dir", "text")),
        *(read._replace(name="own") for read in chain_papers(state, branch)),
    )


def written_idea(state: State, address: str) -> tuple[Read, ...]:
    """The chain with its direction, its rivals, and the papers that a draft came too close to."""
    branch = parse_address(address).branch
    return (
        TOPIC,
        *chain_papers(state, branch),
        *chain_cards(state, branch, IDEA_OF_CARD),
        *chain_trends(state, branch),
        Read("direction", ref(f"{branch}/dir", "text")),
        rivals("rivals", branch),
        Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
    )
