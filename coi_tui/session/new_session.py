"""How a new session begins: its settings, its first plan, and the stage after the one reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from coi_tui.config import Settings
from coi_tui.literature.paper_records import checked_cut
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.registry import settings_of, spec_in_session, spec_of
from coi_tui.model.errors import UsageError
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session


def shares(length: int) -> dict[str, int]:
    """A number of papers a chain as bounds: the anchor, then successors and predecessors evenly,
    the odd one forward."""
    room = max(0, length - 1)
    return {"length": length, "forward": room - room // 2, "backward": room // 2}


def next_stage(session: Session) -> str:
    """The stage after the one that was reached."""
    stages, reached = session.core.methods.stages, session.queries.stage_reached()
    return stages[min(stages.index(reached) + 1 if reached in stages else 0, len(stages) - 1)]


def first_plan(session: Session) -> Plan | None:
    """What a new session begins with: the free search for papers where no model is paid for it,
    else the first stage; None where there is nothing to do."""
    stages = session.core.methods.stages
    free = spec_in_session(session.core.first_method).first_stage or stages[0]
    plan = session.planner.to_stage(free)
    if session.core.uses_model and plan.calls[1] > 0:
        plan = session.planner.to_stage(stages[0])
    return None if plan.empty else plan


def settings_for(method: str, settings: Settings, given: Mapping[str, Any]) -> BaseModel:
    """The settings of a new session of a method: the person's own, with what was given for this
    session; a length without shares splits evenly.

    Raises UsageError for an unknown method, a setting that it does not have, or one that is not
    allowed.
    """
    spec = spec_of(method)
    if foreign := [name for name in given if name not in spec.settings.model_fields]:
        raise UsageError(
            f"{spec.name} has no setting {foreign[0].replace('_', ' ')!r}.",
            f"Leave out --{foreign[0].replace('_', '-')}.",
        )
    base, even = settings_of(spec, settings), {}
    if isinstance(base, CoiSettings) and "length" in given:
        even = shares(given["length"])
    found = base.model_copy(update={**even, **given})
    cut = checked_cut(getattr(found, "known_until", ""))
    return found.model_copy(update={"known_until": cut}) if cut else found
