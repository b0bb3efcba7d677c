"""What a chain is made of: slots with their papers, papers that left one, and why a side ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from coi_tui.model.address import Branch, CellRef, cell_ref, slot
from coi_tui.model.content import SlotReason
from coi_tui.model.text import Values

CANDIDATES, VERDICTS, SUMMARY = "cands", "rel", "card"
"""The kinds that are attached to a slot: the papers that may stand there, the verdicts on them, and
what was read from the one that does."""
LISTS = (CANDIDATES, VERDICTS)
"""What a machine may choose from; these follow the session's criteria."""

SlotVerdict = Literal["empty", "proposed", "accepted", "pinned"]
Side = Literal["forward", "backward"]
ShelfKind = Literal["rejected", "replaced", "detached", "late"]


@dataclass(frozen=True)
class Slot:
    """A place in a chain. ``why`` says how the paper came there: rank, candidate list version, link
    kind and evidence."""

    branch: Branch
    pos: int
    paper: str | None = None
    verdict: SlotVerdict = "empty"
    why: Values = field(default_factory=dict)
    protected: bool = False
    since: int = 0

    @property
    def address(self) -> CellRef:
        return slot(self.branch, self.pos)

    @property
    def reason(self) -> SlotReason:
        """``why`` as its model."""
        return SlotReason.from_stored(self.why)


@dataclass(frozen=True)
class ShelfItem:
    """A paper that was in a slot, or was refused one, and can come back. ``branch`` 0: excluded from
    the session, it was in none."""

    paper: str
    branch: Branch
    pos: int
    kind: ShelfKind
    reason: str
    verdict: SlotVerdict
    why: Values
    seq: int

    @property
    def everywhere(self) -> bool:
        """Whether it was rejected for the whole session."""
        return self.kind == "rejected" and bool(self.why.get("everywhere"))

    @property
    def where(self) -> str:
        """The slot that it left; ``all`` for a paper that is excluded from the session."""
        return slot(self.branch, self.pos) if self.branch else "all"


@dataclass(frozen=True)
class SideEnd:
    """Why one side of a chain stopped growing; holds while the tip is the paper it was said of."""

    side: Side
    tip_pos: int
    tip: str
    reason: str


def role_of(pos: int) -> str:
    """What a paper at a place is to the chain."""
    return "anchor" if pos == 0 else "predecessor" if pos < 0 else "successor"


def slot_of(address: str) -> str:
    """The slot whose candidates a row is about: a slot, what is attached to it, or the first one of
    a branch or question; else empty.

    Only numbered branches have slots.
    """
    at = cell_ref(address)
    if not isinstance(at.branch, int):
        return ""
    if at.form in ("branch", "question"):
        return slot(at.branch, 0)
    return at.slot if at.form in ("place", "attached") else ""
