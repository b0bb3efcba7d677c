"""What the list of sessions shows of one, kept beside the log so that the list need not fold
anything."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from coi_tui.model.text import count
from coi_tui.present.comparisons import arena_leader
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.next_step import find_goal, next_steps, session_rows
from coi_tui.session.wording import counts
from coi_tui.store.summary import NextStep

MOST = 3


def save_summary(core: SessionCore) -> None:
    """Keep it with the session."""
    core.file.set_meta("summary", json.dumps(summary(core)))


def summary(core: SessionCore) -> dict[str, Any]:
    """Counts and short phrases; JSON values only."""
    state = core.state
    spent = core.spent()
    verdicts = Counter(s.verdict for s in state.slots.values() if s.paper)
    stale = [a for a, f in core.fresh.items() if f.status == "stale"]
    coming = next_of(core)
    return {
        "step": stage_reached(core),
        "method": next((m.short for m in core.methods.instances.values()), ""),
        "needs": asdict(coming.needs),
        "waiting": counts(coming.needs),
        "next": {name: part for name, part in asdict(coming).items() if name != "needs"},
        "calls": spent.calls,
        "spent_usd": None if spent.money.total is None else round(spent.money.total, 6),
        "known_usd": round(spent.money.usd, 6),
        "calls_without_price": spent.money.unpriced,
        "branches": len(state.branches_of("")),
        "others": _others(core),
        "papers": sum(verdicts.values()),
        "verdicts": {
            word: verdicts[word] for word in ("accepted", "pinned", "proposed") if verdicts[word]
        },
        "rejected": sum(item.kind == "rejected" for item in state.shelf),
        "ideas": sum(state.in_use(f"{b}/idea") is not None for b in state.branches),
        "leader": arena_leader(state),
        "pick": f"{state.pick}/idea" if state.pick else "",
        "cap_usd": core.cap().usd,
        "cap_tokens": core.cap().tokens,
        "at": _place(core),
        "stale": stale[:MOST],
        "drafts": sorted(core.drafting)[:MOST],
    }


def _others(core: SessionCore) -> list[str]:
    """The methods without chains, each with its ideas: ``S1 SciPIP, 2 of 3 ideas``."""
    state, out = core.state, []
    for name, method in core.methods.instances.items():
        branches = state.branches_of(name)
        made = sum(state.in_use(f"{b}/idea") is not None for b in branches)
        if name:
            out.append(f"{name} {method.name}, {made} of {count(len(branches), 'idea')}")
    return out


def next_of(core: SessionCore, at: str | None = None) -> NextStep:
    """What comes next from the row ``at`` on; from the one where the person is, where none is
    named."""
    rows = session_rows(core)
    return next_steps(core, rows, find_goal(core)()).step(_place(core) if at is None else at)


def _place(core: SessionCore) -> str:
    """The row where the person was last."""
    place = core.remembered("place", {})
    return str(place.get("at", "")) if isinstance(place, dict) else ""


def stage_reached(core: SessionCore) -> str:
    """The last stage of which something exists, of the method that the session began with, else of
    the first that has come anywhere."""
    reached = (method.reached(core.state) for method in core.methods.instances.values())
    return next(filter(None, reached), "topic")
