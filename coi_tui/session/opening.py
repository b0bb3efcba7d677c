"""What screens and commands need before a session is open: to open one, where its next run stops, and
what the list shows of it.

Light to import: heavy parts are loaded inside the functions, which are for worker threads.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.store.summary import (
    NextStep,
    PendingCounts,
    SessionHeader,
    SessionSummary,
    list_sessions,
)

if TYPE_CHECKING:
    from coi_tui.engine.recorder import Event as Event
    from coi_tui.engine.scheduler import Outcome as Outcome
    from coi_tui.session.environment import Environment
    from coi_tui.session.session import Session


__all__ = ["NextStep", "PendingCounts", "SessionHeader", "SessionSummary", "list_sessions"]


def open_session(name: str | Path, env: Environment) -> Session:
    """Open a session by name or path."""
    from coi_tui.session.session import Session

    return Session.open(str(name), env)


QUESTIONS, WALL_STAGE = "questions", "sketches"
"""Where a run stops by default, for a person to choose: the first of a new session, then a later
one."""


def next_stage(session: Session, instance: str = "") -> str:
    """The stage after the one that a method reached; where there is a choice between sketches,
    that."""
    reached = session.stage_reached(instance)
    stages = session.methods.stages_of(instance) or session.methods.stages
    if WALL_STAGE in stages and reached not in stages[stages.index(WALL_STAGE) :]:
        return WALL_STAGE
    return stages[min(stages.index(reached) + 1 if reached in stages else 0, len(stages) - 1)]
