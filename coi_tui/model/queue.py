"""Plans that wait: what a person queued until the network is there. They run only when a person says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.model.entries import Decision


@dataclass(frozen=True)
class Queued:
    """One plan that waits. ``seq`` is the decision that queued it, ``goal`` what it is for: prices and steps are worked out anew at its
    time. ``anew``: it asks the services again where an answer was kept.
    """

    seq: int
    title: str
    goal: Mapping[str, Any] = field(default_factory=dict)
    anew: bool = False
    time: str = ""


Queue = tuple[Queued, ...]
ALREADY = "the same plan is already queued"
GONE = "no such plan waits"


def with_plan(queue: Queue, d: Decision) -> Queue | None:
    """The queue with one plan more, at its end; None where a plan for the same goal waits already."""
    goal, anew = dict(d.value.get("goal", {})), bool(d.value.get("anew"))
    if any(dict(q.goal) == goal for q in queue):
        return None
    return (*queue, Queued(d.seq, str(d.value.get("title", "")), goal, anew, d.time))


def without_plan(queue: Queue, d: Decision) -> Queue | None:
    """The queue without the plan that an earlier decision put there; None where it does not wait (any more)."""
    left = tuple(q for q in queue if q.seq != d.value.get("queued"))
    return left if len(left) < len(queue) else None
