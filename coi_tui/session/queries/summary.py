"""What the list of sessions shows of one, kept beside the log so that the list need not fold
anything."""

from __future__ import annotations

import json
from dataclasses import asdict

from coi_tui.session.core import SessionCore
from coi_tui.session.queries.next_step import find_goal, next_steps, session_rows
from coi_tui.store.summary import NextStep, SessionSummary

MOST = 3


def save_summary(core: SessionCore) -> None:
    """Store it with the session."""
    core.file.set_meta("summary", json.dumps(asdict(summary(core))))


def summary(core: SessionCore) -> SessionSummary:
    """Counts and short phrases."""
    state, spent = core.state, core.spent()
    stale = [a for a, f in core.fresh.items() if f.status == "stale"]
    return SessionSummary(
        next_of(core),
        step=stage_reached(core),
        method=next((m.short for m in core.methods.instances.values()), ""),
        at=_place(core),
        pick=f"{state.pick}/idea" if state.pick else "",
        branches=len(state.branches),
        papers=sum(bool(s.paper) for s in state.slots.values()),
        ideas=sum(state.in_use(f"{b}/idea") is not None for b in state.branches),
        calls=spent.calls,
        known_usd=round(spent.money.usd, 6),
        calls_without_price=spent.money.unpriced,
        stale=tuple(stale[:MOST]),
        drafts=tuple(sorted(core.drafting)[:MOST]),
    )


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
