"""What the making of a new session asks: its questions, its bounds, how far to go before asking.
All of it is decided in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from coi_tui.config import Settings
from coi_tui.engine.declarations import Pace
from coi_tui.engine.journal import stamped
from coi_tui.methods.base.settings import ChainSettings
from coi_tui.methods.registry import settings_of, spec_in_session, spec_of
from coi_tui.model.address import Branch, question_of
from coi_tui.model.content import Note
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.validation import first_problem
from coi_tui.services.sources.time_cut import checked_cut
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import peek

MOST_BRANCHES = 5
Chains = TypeVar("Chains", bound=ChainSettings)


@dataclass(frozen=True)
class Asked:
    """A search question: its branch, its text (empty while none is written), whose it is, and
    whether its branch is in."""

    branch: Branch
    text: str
    whose: str
    on: bool


def asks_for_questions(session: Session) -> bool:
    """Whether the session begins with a question for each numbered branch, which a person may write
    before anything runs."""
    return "" in session.core.methods.instances


def questions(session: Session) -> list[Asked]:
    """The questions in the order of their branches."""
    state, out = session.state, []
    for branch in state.branches:
        address = question_of(branch)
        version, question = state.in_use(address), state.read(address, Note) or Note()
        whose = "" if version is None else "yours" if version.by_person else "proposed"
        out.append(Asked(branch, question.text, whose, not state.cell(address).rejected))
    return out


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


def add_question(session: Session, text: str) -> Branch:
    """A question of one's own for the first branch that has none, else for a new one. Returns the
    branch. Raises UsageError above five."""
    free = next((q.branch for q in questions(session) if not q.text), 0)
    if not free:
        free = len(session.state.branches) + 1
        if free > MOST_BRANCHES:
            raise UsageError(
                f"There are already {MOST_BRANCHES} questions.", "Leave one out, or edit it."
            )
        set_bounds(session, branches=free)
    session.edits.save(question_of(free), text)
    return free


def start_from(session: Session, paper: Paper) -> Branch:
    """Pin a known paper as the anchor of the first branch that is in and has none. Returns the
    branch. Raises UsageError without one."""
    begun = [
        q.branch
        for q in questions(session)
        if session.state.slot(f"{q.branch}/0").paper == paper.id
    ]
    if begun:
        raise UsageError(f"Branch {begun[0]} already starts from this paper.")
    free = next(
        (
            q.branch
            for q in questions(session)
            if q.on and session.state.slot(f"{q.branch}/0").paper is None
        ),
        0,
    )
    if not free:
        raise UsageError(
            "Every branch already has its first paper.",
            "Add a question first, or pin the paper on the workbench.",
        )
    session.decisions.pin(f"{free}/0", paper)
    return free


def set_bounds(session: Session, **values: Any) -> None:
    """Change bounds of the session (branches, length, novelty_rounds ...) or its ``pace``. Raises
    UsageError for a bad value."""
    from pydantic import ValidationError

    model = spec_in_session(session.core.first_method).settings
    known = {
        name: session.state.settings.get(name, default)
        for name, default in model().model_dump().items()
    }
    try:
        model.model_validate(
            {**known, **{name: value for name, value in values.items() if name in known}}
        )
    except ValidationError as error:
        where, what = first_problem(error)
        raise UsageError(
            f"{where.replace('_', ' ').capitalize()} {what}.", "Write another number."
        ) from None
    if any(session.state.settings.get(k) != v for k, v in values.items()):
        session.decisions.set_settings(values)


def paces(session: Session) -> tuple[Pace, ...]:
    """How far a session can go before asking, the most careful first, as its first method has
    it."""
    return spec_in_session(session.core.first_method).paces


def pace(session: Session) -> Pace:
    """How far to go before asking; the most careful where nothing was chosen."""
    said, known = session.state.settings.get("pace"), paces(session)
    return next((pace for pace in known if pace.name == said), known[0])


def shares(length: int) -> dict[str, int]:
    """A number of papers a chain as bounds: the anchor, then successors and predecessors evenly,
    the odd one forward."""
    room = max(0, length - 1)
    return {"length": length, "forward": room - room // 2, "backward": room // 2}


def next_stage(session: Session) -> str:
    """The stage that a person of this pace goes to next: one further, or the first idea while there
    is none."""
    chosen, reached = pace(session), session.queries.stage_reached()
    stages = session.core.methods.stages
    further = stages[min(stages.index(reached) + 1 if reached in stages else 0, len(stages) - 1)]
    first, careful = chosen.stage, chosen == paces(session)[0]
    return (
        first
        if not careful and first in stages and stages.index(first) >= stages.index(further)
        else further
    )


def first_plan(session: Session) -> Plan | None:
    """What is put before the person when the session is made: the plan of its pace; None at the
    most careful one."""
    plan = (
        None
        if pace(session) == paces(session)[0]
        else session.planner.to_stage(next_stage(session))
    )
    return None if plan is None or plan.empty else plan


def free_start(session: Session) -> Plan | None:
    """What the most careful pace begins with (a search), when it needs no paid call: then it may
    start at once."""
    plan = session.planner.to_stage(paces(session)[0].stage or session.core.methods.stages[0])
    asks = session.core.uses_model and plan.calls[1] > 0
    return None if plan.empty or asks else plan


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
