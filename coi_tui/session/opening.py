"""How a session begins: opened, created with its settings, or unpacked from the recording; its first
plan, what a new one shall be, as it is typed, and what screens watch before one is open.

Light to import: heavy parts are loaded inside the functions, which are for worker threads.
"""

from __future__ import annotations

import json
import lzma
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.money import Limit
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths, make_folder, write_whole
from coi_tui.session.files import free_name, rename_session, session_path
from coi_tui.store.summary import NextStep as NextStep
from coi_tui.store.summary import PendingCounts as PendingCounts
from coi_tui.store.summary import SessionHeader as SessionHeader
from coi_tui.store.summary import SessionSummary as SessionSummary
from coi_tui.store.summary import list_sessions as list_sessions

if TYPE_CHECKING:
    from pydantic import BaseModel

    from coi_tui.config import Settings
    from coi_tui.engine.journal import Clock
    from coi_tui.engine.recorder import Event as Event
    from coi_tui.engine.scheduler import Outcome as Outcome
    from coi_tui.session.environment import Environment
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.session import Session


def methods() -> tuple[str, ...]:
    """The methods that a session may begin with, by name."""
    from coi_tui.methods.registry import every_method

    return tuple(every_method())


def offline_topics() -> tuple[str, ...]:
    """Topics that the starter library covers, one of each of its lineages."""
    from coi_tui.services.sources.starter import TOPICS

    return tuple(TOPICS.values())


def open_session(name: str | Path, env: Environment) -> Session:
    """Open a session by name or path."""
    from coi_tui.session.session import Session

    return Session.open(str(name), env)


_MOST_OF_EACH = {"branches": 5, "length": 12}
"""The most that each bound of a new session may be."""


@dataclass(frozen=True)
class NewSessionDraft:
    """As a person filled it in; an empty ``name`` is made from the topic."""

    topic: str
    hunch: str = ""
    name: str = ""
    offline: bool = False
    send_hunch: bool = False
    """Whether a model may see the hunch when it predicts directions."""
    method: str = ""
    """The method that the session begins with, by name; empty for the usual one."""
    branches: str = ""
    length: str = ""
    cap: str = ""
    """Bounds as they were typed; empty for those of the settings."""

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds that were filled in. Raises UsageError for one that is not allowed."""
        typed = {name: str(getattr(self, name)).strip() for name in _MOST_OF_EACH}
        for name, text in typed.items():
            if text and not (text.isdecimal() and 1 <= int(text) <= _MOST_OF_EACH[name]):
                field = name.replace("length", "papers per chain").capitalize()
                raise UsageError(f"{field}: a number from 1 to {_MOST_OF_EACH[name]}.")
        return {name: int(text) for name, text in typed.items() if text}

    @property
    def empty(self) -> bool:
        """True when nothing was typed; ticks alone are not worth keeping."""
        return not (self.topic.strip() or self.hunch.strip() or self.name.strip())


def not_covered(topic: str, env: Environment, offline: bool) -> str:
    """Why no chain on a topic can begin: the starter library alone is searched and holds too little
    on it. Empty where it does, or where other papers are searched. Raises StoreError."""
    from coi_tui.services.sources.starter.source import bundled
    from coi_tui.session.settings import setup_of

    online = setup_of(env.settings, env.keys, offline).online_source
    if online or not topic.strip() or env.paths.own_papers.exists():
        return ""
    return bundled()[1].search(topic).lacking


def create_session(draft: NewSessionDraft, env: Environment, bounds: Mapping[str, Any]) -> Session:
    """A new session, named after its topic unless a name is given; ``bounds``: settings of the
    method, for this session."""
    from coi_tui.methods.registry import spec_of
    from coi_tui.session.session import Session

    by_topic = not spec_of(draft.method).letter and not draft.hunch
    if by_topic and not_covered(draft.topic, env, draft.offline):
        bounds = {"branches": 1, **bounds}  # all would ask the same, and find nothing
    session = Session.create(
        draft.name.strip() or free_name(env.paths, draft.topic),
        draft.topic,
        env,
        offline=draft.offline,
        hunch=draft.hunch,
        method=draft.method,
        bounds=settings_for(draft.method, env.settings, bounds),
    )
    if draft.send_hunch:
        session.decide("settings", "session", {"send_hunch": True})
    if draft.cap:
        session.set_cap(Limit.read(draft.cap))
    return session


def settings_for(method: str, settings: Settings, given: Mapping[str, Any]) -> BaseModel:
    """The settings of a new session of a method: the person's own, with what was given for this
    session. A number of papers a chain is split evenly, the odd one forward.

    Raises UsageError for an unknown method, a setting that it does not have, or one that is not
    allowed.
    """
    from coi_tui.literature.paper_records import checked_cut
    from coi_tui.methods.coi import CoiSettings
    from coi_tui.methods.registry import settings_of, spec_of

    spec, changed = spec_of(method), dict(given)
    if foreign := [name for name in given if name not in spec.settings.model_fields]:
        raise UsageError(
            f"{spec.name} has no setting {foreign[0].replace('_', ' ')!r}.",
            f"Leave out --{foreign[0].replace('_', '-')}.",
        )
    base = settings_of(spec, settings)
    if isinstance(base, CoiSettings) and "length" in given:
        room = max(0, given["length"] - 1)
        changed = {"forward": room - room // 2, "backward": room // 2, **changed}
    if until := given.get("known_until"):
        changed["known_until"] = checked_cut(until)
    return base.model_copy(update=changed)


# what comes next

QUESTIONS, WALL_STAGE = "questions", "sketches"
"""Where a run stops by default, for a person to choose: the first of a new session, then a later
one."""


def first_plan(session: Session) -> Plan | None:
    """What a new session begins with: the free search for papers where no model is paid for it,
    else the first stage; None where there is nothing to do."""
    from coi_tui.methods.registry import spec_in_session

    stages = session.methods.stages
    free = spec_in_session(session.first_method).first_stage or stages[0]
    plan = session.planner.to_stage(free)
    if session.uses_model and plan.calls[1] > 0:
        plan = session.planner.to_stage(stages[0])
    return None if plan.empty else plan


def next_stage(session: Session, instance: str = "") -> str:
    """The stage after the one that a method reached; where there is a choice between sketches,
    that."""
    reached = session.stage_reached(instance)
    stages = session.methods.stages_of(instance) or session.methods.stages
    if WALL_STAGE in stages and reached not in stages[stages.index(WALL_STAGE) :]:
        return WALL_STAGE
    return stages[min(stages.index(reached) + 1 if reached in stages else 0, len(stages) - 1)]


# the recording

RECORDED = "recorded-session"
"""The name of the recorded session among the person's own."""


def open_recorded(env: Environment) -> Session:
    """The recorded session, the person's own from its first opening on."""
    if not (path := recorded_path(env.paths)).exists():
        unpack_session(path, RECORDED)
    return open_session(path, env)


def reset_recorded(paths: Paths) -> str:
    """Bring the recorded session back as it was delivered; says so. What was made of it is kept as a
    session under another name. Raises StoreError where it is open or damaged."""
    kept, path = "", recorded_path(paths)
    if path.exists():
        kept = free_name(paths, RECORDED)
        rename_session(paths, path, kept)
    unpack_session(path, RECORDED)
    return f"{RECORDED} is as it was delivered{f'; yours is kept as {kept}' if kept else ''}."


def recorded_path(paths: Paths) -> Path:
    """Where the recorded session is, or will be."""
    return paths.sessions / f"{RECORDED}.coi.db"


def unpack_session(target: Path, name: str) -> None:
    """Put a copy of the recorded session at ``target``."""
    from coi_tui import recorded
    from coi_tui.store.creation import put_session

    put_session(target, lzma.decompress(recorded.SESSION.read_bytes()), name)


@contextmanager
def recorded_run(paths: Paths, name: str, clock: Clock | None = None) -> Iterator[Session]:
    """A new session of the real engine whose model answers from the recording. It is made apart,
    with settings, prompts and papers as they are delivered, and put among the sessions of ``paths``
    at the end."""
    from coi_tui import recorded
    from coi_tui.config import Keys, Settings
    from coi_tui.engine.journal import utc_now
    from coi_tui.methods.coi import CoiSettings
    from coi_tui.services.llm.offline import RecordedReplies
    from coi_tui.session.environment import Environment
    from coi_tui.session.session import Session
    from coi_tui.store.creation import import_copy

    with tempfile.TemporaryDirectory(prefix="coi-recorded-") as folder:
        at = Path(folder)
        apart = Paths(data=at / "data", config=at / "config", cache=at / "cache")
        env = Environment(
            apart, Settings(), Keys(), clock or utc_now, RecordedReplies(recorded.REPLIES)
        )
        bounds = CoiSettings(branches=2, length=5)
        with Session.create(name, recorded.TOPIC, env, bounds=bounds, offline=True) as session:
            yield session
        import_copy(session_path(apart, name), session_path(paths, name), name)


PICKED, WHY_PICKED = "1/sketch4", "Every author of a chart with two controls can use it tomorrow."
"""The sketch that the recorded run works out, and why."""


def recorded_plans(session: Session) -> Iterator[Plan]:
    """What was recorded, each planned once the one before it has run: Chain of Ideas to its
    sketches, which the judge ranks and of which one is picked, then to its proposal; then SciPIP to
    its matches."""
    from coi_tui.engine.declarations import Scope

    yield session.planner.to_stage(WALL_STAGE)
    yield session.planner.to_refresh()  # the list beyond a paper that gave its place to another
    yield session.planner.to_rank()
    session.decide("pick", PICKED, reason=WHY_PICKED)
    yield session.planner.to_stage("")
    yield session.planner.to_stage(
        "selection", Scope(instance=session.instance_of_method("SciPIP"))
    )


# what is typed for a new session is kept beside the sessions

FILE = "new-session.json"
LONGEST = 4000
"""Characters of a line that are kept."""


def read_draft(paths: Paths) -> NewSessionDraft | None:
    """What was typed for a session that was not made; None where there is nothing that can be
    read."""
    try:
        data = json.loads((paths.data / FILE).read_text(encoding="utf-8"))
    # a lost draft must never keep one from beginning again
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    filled: dict[str, Any] = {
        field.name: clean_line(value)[:LONGEST] if field.type == "str" else value is True
        for field in fields(NewSessionDraft)
        if isinstance(value := data.get(field.name), str if field.type == "str" else bool)
    }
    draft = NewSessionDraft(**{"topic": "", **filled})
    return None if draft.empty else draft


def save_draft(paths: Paths, draft: NewSessionDraft) -> None:
    """Keep what was typed, readable by this user alone, for a hunch is private; an empty draft is
    forgotten. Raises StoreError."""
    if draft.empty:
        drop_draft(paths)
        return
    try:
        make_folder(paths.data)
        write_whole(paths.data / FILE, json.dumps(asdict(draft)))
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(
            f"What you type is not kept: {why}.",
            f"{hint} Making the session needs the same folder.",
        ) from None


def drop_draft(paths: Paths) -> None:
    """Forget the draft."""
    with suppress(OSError):
        (paths.data / FILE).unlink(missing_ok=True)
