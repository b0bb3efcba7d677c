"""How a new session begins: its settings, its first plan, and the stage after the one reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from coi_tui.config import Settings
from coi_tui.engine.journal import stamped
from coi_tui.methods.base.settings import ChainSettings
from coi_tui.methods.registry import settings_of, spec_in_session, spec_of
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.services.sources.time_cut import checked_cut
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import peek

Chains = TypeVar("Chains", bound=ChainSettings)


def is_just_begun(path: Path, entries: Sequence[Decision | Version]) -> bool:
    """Whether a session file can be written and its log has these first entries and no more,
    whenever they were made."""
    if peek(path).state != "ok":
        return False
    try:
        with SessionFile.open(path, read_only=True) as file:
            found = file.load().entries
    except StoreError:
        return False
    return bool(found) and found == stamped(entries, 1, found[0].time)


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


def settings_for(
    method: str, settings: Settings, given: Mapping[str, int], known_until: str = ""
) -> BaseModel:
    """The settings of a new session of a method: the person's own, with what was given for this
    session.

    Raises UsageError for an unknown method, a setting that it does not have, or one that is not
    allowed.
    """
    spec = spec_of(method)
    base = settings_of(spec, settings)
    cut = {"known_until": checked_cut(known_until or getattr(base, "known_until", ""))}
    named = {**given, **{name: value for name, value in cut.items() if value}}
    if foreign := [name for name in named if name not in spec.settings.model_fields]:
        raise UsageError(
            f"{spec.name} has no setting {foreign[0].replace('_', ' ')!r}.",
            f"Leave out --{foreign[0].replace('_', '-')}.",
        )
    if isinstance(base, ChainSettings):
        base = with_shares(base, given)
    return base.model_copy(update=named)


def with_shares(base: Chains, given: Mapping[str, int]) -> Chains:
    """The settings with what was given; a length without shares splits evenly, the odd place going
    forward.

    Raises UsageError when both shares and the anchor do not fit into the length.
    """
    length = given.get("length", base.length)
    even = shares(length) if "length" in given else base.model_dump()
    forward, backward = given.get("forward"), given.get("backward")
    if forward is None:
        forward = even["forward"] if backward is None else max(0, length - 1 - backward)
    if backward is None:
        backward = even["backward"] if "forward" not in given else max(0, length - 1 - forward)
    if forward + backward > length - 1:
        raise UsageError(
            f"{forward} successors, {backward} predecessors and the anchor are more than {length} papers.",
            "Raise --length, or lower --forward or --backward.",
        )
    return base.model_copy(
        update={**given, "length": length, "forward": forward, "backward": backward}
    )
