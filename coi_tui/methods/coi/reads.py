"""What the steps of Chain of Ideas read: what makes what stale."""

from __future__ import annotations

from coi_tui.engine.freshness import Read
from coi_tui.methods.shared.reading_list import LINKS_READ, LIST_READ
from coi_tui.methods.shared.reads import (
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
from coi_tui.model.address import CANDIDATES, Branch, parse_address, ref, slot
from coi_tui.model.state import State

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
