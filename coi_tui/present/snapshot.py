"""What an export is made from: a session at the moment of its export, and what a person chooses
about the proposal (COI-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from coi_tui.arena import Standing
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import PAIR, QUESTION, Branch, parse_address, place
from coi_tui.model.calls import Call
from coi_tui.model.document import Block, MethodDocument
from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import undone_groups
from coi_tui.model.state import State
from coi_tui.present.cells import document, review_document


@dataclass(frozen=True)
class ProposalOptions:
    """How the proposal is to be written: without ``appendix`` it is its main part alone.

    ``every_idea``: the appendix shows each idea in full, not only the one that was picked or leads.
    ``notes``: it has the researcher's own, which are private otherwise.
    """

    appendix: bool = False
    every_idea: bool = False
    notes: bool = False


WITH_APPENDIX = ProposalOptions(appendix=True)


@dataclass(frozen=True)
class SessionSnapshot:
    """A session at the moment of its export.

    ``fresh`` is the status word by address (fresh, kept, stale, upstream, missing), ``failures``
    the cause by address; ``calls`` are without replies; ``damage``: what of the session file is not
    as it was written, a sentence each. ``branch``: that of the idea which the proposal is about,
    None where none has been chosen yet.
    """

    name: str
    method: str
    exported_at: str
    state: State
    fresh: Mapping[str, str] = field(default_factory=dict)
    standings: Sequence[Standing] = ()
    calls: Sequence[Call] = ()
    decisions: Sequence[Decision] = ()
    failures: Mapping[str, str] = field(default_factory=dict)
    damage: Sequence[str] = ()
    branch: Branch | None = None
    methods: SessionMethods = field(default_factory=SessionMethods)

    @cached_property
    def undone(self) -> set[str]:
        """Groups of decisions that were undone."""
        return undone_groups(self.decisions)

    @cached_property
    def in_use(self) -> dict[str, Version]:
        """The version in use of every cell that has one, by address."""
        found = (
            (address, self.state.in_use(address))
            for address in sorted(self.state.cells, key=parse_address)
        )
        return {address: version for address, version in found if version is not None}

    @cached_property
    def pairs(self) -> frozenset[str]:
        """Addresses of the neighbours in all chains."""
        state = self.state
        return frozenset(pair for branch in state.branches for pair in state.pairs(branch))

    def document(self, address: str) -> tuple[Block, ...]:
        """What there is to read at an address."""
        kind = self.methods.kind(address)
        if kind is not None and kind.role == "review":
            return tuple(review_document(self.state, address, changes=False))
        return tuple(document(self.state, kind, address)) if kind is not None else ()

    def of_method(self, branches: Sequence[Branch]) -> MethodDocument:
        """What the methods add to a proposal about these branches."""
        return self.methods.document(self.state, branches)

    def name_of(self, address: str) -> str:
        """A part of the session in words: ``the idea of branch 1``, ``the trend from 1/0 to
        1/+1``."""
        at, kind = parse_address(address), self.methods.kind(address)
        title = kind.title.lower() if kind is not None else at.part
        if at.part == "slot":
            return f"the paper at {address}"
        if at.attached:
            return f"the {title} of {at.slot}"
        if at.part == PAIR:
            return f"the {title} from {at.branch}/{place(at.pos)} to {at.branch}/{place(at.newer)}"
        if at.part == "match":
            return f"the match of ideas {at.branch} and {at.other}"
        if at.part == QUESTION:
            return f"question {at.branch}"
        return f"the {title}{f' of branch {at.branch}' if at.branch else ''}"
