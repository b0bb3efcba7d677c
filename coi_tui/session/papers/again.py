"""Looking for a slot's papers once more, with other words or in another source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.model.sources import SOURCES
from coi_tui.session.papers.orders import order_of
from coi_tui.session.run.toolbox import setup_of

if TYPE_CHECKING:
    from coi_tui.session.facade import Session
    from coi_tui.session.run.plans import Plan


def other_source(session: Session, question: int = 0) -> str:
    """The name of a source that is not asked first for a question; empty where nothing is searched online."""
    if not setup_of(session.settings, session.keys, session.offline).online_source:
        return ""
    return next(name for name in SOURCES if name != order_of(session, question)[0])


def plan_again(session: Session, slot: str) -> Plan:
    """What a new search for a slot takes; a slot that was never searched for gets its first one. Raises UsageError."""
    made = session.state.in_use(f"{slot}.cands") is not None
    return session.plan_make([f"{slot}.cands"], f"Search again for {slot}", again=True) if made else session.plan_retry(f"{slot}.cands")
