"""Open limitations of a chain, and the combinations of papers that could answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coi_tui.methods.coi.drafts.kinds import OTHER, Kind, kind_of
from coi_tui.methods.coi.drafts.nodes import Node, answered_by
from coi_tui.methods.coi.drafts.text import share
from coi_tui.methods.coi.drafts.trend import ANSWERED


@dataclass(frozen=True)
class Gap:
    """A limitation with the paper that states it. ``place`` is the paper's place in the chain, from 0."""

    node: Node
    place: int
    limitation: str
    answered: float

    @property
    def open(self) -> bool:
        return self.answered < ANSWERED

    @property
    def kind(self) -> Kind:
        return kind_of(self.limitation)


@dataclass(frozen=True)
class Plan:
    """What an idea is made of: the gap in its own paper, a mechanism to add, and a second one as a check (or None)."""

    gap: Gap
    lend: Node | None
    check: Node | None


def gaps_of(chain: Sequence[Node], topic: str) -> list[Gap]:
    """All limitations: the open ones first, of these the newest papers', then those of a known kind, then the nearest to the topic."""
    found = [
        Gap(node, place, limitation, max((answered_by(limitation, later) for later in chain[place + 1 :]), default=0.0))
        for place, node in enumerate(chain)
        for limitation in node.limitations
    ]
    return sorted(
        found,
        key=lambda gap: (
            not gap.open,
            -gap.place,
            gap.kind is OTHER,
            -round(share(gap.limitation, topic), 3),
            gap.limitation,
        ),
    )


def plans_of(chain: Sequence[Node], gaps: Sequence[Gap], direction: str) -> list[Plan]:
    """Combinations for the gaps, best first: a gap that the direction quotes, then the order of the gaps.

    The lending paper is the newest other one; a check comes from an older one. Further combinations follow for
    redrafts. A chain of one paper gives plans without a lender.
    """
    wanted = sorted(gaps, key=lambda gap: -_named_in(direction, gap))
    plans: list[Plan] = []
    for turn in range(3):
        for gap in wanted[:6]:
            others = [node for place, node in reversed(list(enumerate(chain))) if place != gap.place]
            lenders = [others[(turn + i) % len(others)] for i in range(len(others))]
            plan = Plan(gap, lenders[0] if lenders else None, lenders[-1] if len(lenders) > 1 else None)
            if plan not in plans:
                plans.append(plan)
    return plans


def _named_in(direction: str, gap: Gap) -> float:
    """How clearly the direction speaks of a gap: its own words quoted first of all, else the share of its terms."""
    place = direction.find(gap.limitation)
    return 2.0 - place / (len(direction) + 1) if place >= 0 else round(share(gap.limitation, direction), 2)
