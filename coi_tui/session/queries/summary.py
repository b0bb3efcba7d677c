"""What the list of sessions shows of one, kept beside the log so that the list need not fold anything."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from coi_tui.model.naming import shown
from coi_tui.model.queue import Queue
from coi_tui.session.queries.rows import arena_leader

if TYPE_CHECKING:
    from coi_tui.session.queries.queries import Looks


MOST = 3


def summary(session: Looks) -> dict[str, Any]:
    """Counts and short phrases; JSON values only."""
    state = session.state
    usd, calls, _ = session.spent()
    verdicts = Counter(s.verdict for s in state.slots.values() if s.paper)
    stale = [a for a, f in session.fresh.items() if f.status == "stale"]
    place = session.remembered("place", {})
    at = str(place.get("at", "")) if isinstance(place, dict) else ""
    return {
        "step": session.stage_reached(), "waiting": session.waiting(), "spent_usd": round(usd, 6), "calls": calls,
        "branches": len(state.branches), "papers": sum(verdicts.values()),
        "verdicts": {word: verdicts[word] for word in ("accepted", "pinned", "proposed") if verdicts[word]},
        "rejected": sum(item.kind == "rejected" for item in state.shelf),
        "ideas": sum(state.in_use(f"{b}/idea") is not None for b in state.branches),
        "leader": arena_leader(state), "pick": f"{state.pick}/idea" if state.pick else "",
        "cap_usd": session.cap_usd(), "at": shown(state, at) if at in state.cells or at in state.slots else at,
        "stale": [shown(state, a) for a in stale[:MOST]], "drafts": [shown(state, a) for a in sorted(session.drafting)[:MOST]],
    }  # fmt: skip


def count(n: int) -> str:
    """How many plans wait, as a clause."""
    return "No plan waits for the network" if not n else f"{n} plan waits for the network" if n == 1 else f"{n} plans wait for the network"


def phrase(queue: Queue) -> str:
    """``1 plan waits for the network``; empty where none does."""
    return count(len(queue)) if queue else ""


def listed(queue: Queue) -> list[str]:
    """The plans with their places and days, a line each."""
    return [f"{n}. {q.title}, put off {q.time[:10] or 'earlier'}" for n, q in enumerate(queue, start=1)]
