"""What a reader of a proposal has to know of Chain of Ideas' chains (COI-4 to COI-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from coi_tui.methods.coi.growth import bounds_of
from coi_tui.model.address import Branch, slot
from coi_tui.model.content import CardContent
from coi_tui.model.document import MethodDocument, ProposalWarning
from coi_tui.model.state import Slot, State
from coi_tui.model.text import count, listed


def chain_document(state: State, branches: Sequence[Branch]) -> MethodDocument:
    """Its warnings and limits."""
    return MethodDocument(
        warnings=tuple(one for branch in branches for one in _warnings(state, branch)),
        limits=tuple(_limits(state, branches)),
    )


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """A chain that is too short or has gaps, and links that no source confirms."""
    chain = [state.slot(slot(branch, pos)) for pos in state.chain(branch)]
    minimum = bounds_of(state).minimum
    if len(chain) < minimum:
        short = count(len(chain), "paper")
        text = f"the chain of branch {branch} has {short}; the minimum is {minimum}."
        yield ProposalWarning("Short chain", text, (str(branch),))
    if beyond := tuple(s.address for s in state.filled(branch) if s not in chain):
        text = f"not part of the chain, because beyond a gap: {listed(beyond)}."
        yield ProposalWarning("Gap", text, beyond)
    if weak := tuple(s.address for s in chain if s.pos and not _is_confirmed(s)):
        text = f"at {listed(weak)} no source confirms that the newer paper cites the older one."
        yield ProposalWarning("Unconfirmed link", text, weak)


def _is_confirmed(at: Slot) -> bool:
    """A citation without evidence is none that could be relied on."""
    return at.reason.link == "cites" and bool(at.reason.evidence or at.reason.source)


def _limits(state: State, branches: Sequence[Branch]) -> Iterator[str]:
    """Papers that were not read in full."""
    slots = [s for branch in branches for s in state.filled(branch)]
    cards = filter(None, (state.read(f"{s.address}.card", CardContent) for s in slots))
    sources = Counter(card.source for card in cards if card.source != "full text")
    partly = [
        f"{count(n, 'card')} from {f'the {kind} only' if kind else 'an unnamed text'}"
        for kind, n in sorted(sources.items())
    ]
    if partly:
        yield f"Not read in full: {listed(partly)}."
