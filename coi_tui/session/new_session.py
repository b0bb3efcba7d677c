"""A new session: what a person fills in for one, kept while it is typed; its settings, its making and
its first plan.

Light to import: heavy parts are loaded inside the functions, which are for worker threads.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.money import Limit
from coi_tui.model.text import Fields, Values, clean_line
from coi_tui.paths import Paths, make_folder, write_whole
from coi_tui.session.files import free_name

if TYPE_CHECKING:
    from pydantic import BaseModel

    from coi_tui.config import Settings
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


def create_session(draft: NewSessionDraft, env: Environment, bounds: Values) -> Session:
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


def settings_for(method: str, settings: Settings, given: Values) -> BaseModel:
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


# what is typed is kept beside the sessions

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
        data = None
    if not isinstance(data, dict):
        return None
    filled: Fields = {
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
