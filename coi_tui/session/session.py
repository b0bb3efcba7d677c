"""An open session: its state and the services that read it, decide in it, plan, run and export.
Screens and commands call these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from coi_tui.config import Keys, Settings
from coi_tui.engine.journal import stamped
from coi_tui.methods.registry import FIRST, settings_of, spec_of
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import fold
from coi_tui.model.money import Limit
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.paths import Paths
from coi_tui.services.llm.chat import ChatModel
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions import verbs
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.impact import Impact, UndoStack, impact
from coi_tui.session.decisions.placement import Preview, preview
from coi_tui.session.decisions.verb import Target, Verb
from coi_tui.session.files import session_path
from coi_tui.session.queries.next_step import save_summary
from coi_tui.session.queries.queries import Queries
from coi_tui.session.runs.planner import Planner
from coi_tui.session.runs.runner import Runs
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.session.exports import Exports
    from coi_tui.session.lookup import Papers


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Session:
    """An open session. Made by ``create`` or ``open``; close it.

    ``core`` is the file with its log and state, which each service is given.
    """

    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.queries, self.undo_stack = Queries(core), UndoStack(core)

    @cached_property
    def edits(self) -> Edits:
        return Edits(self.core)

    @cached_property
    def planner(self) -> Planner:
        return Planner(self.core)

    @cached_property
    def runs(self) -> Runs:
        return Runs(self.core)

    @cached_property
    def papers(self) -> Papers:
        """Loaded when it is first asked for."""
        from coi_tui.session.lookup import Papers

        return Papers(self.core)

    @cached_property
    def exports(self) -> Exports:
        """Loaded when it is first asked for."""
        from coi_tui.session.exports import Exports

        return Exports(self.core)

    @classmethod
    def create(
        cls,
        name: str,
        topic: str,
        *,
        paths: Paths,
        settings: Settings,
        keys: Keys,
        bounds: BaseModel | None = None,
        offline: bool = False,
        hunch: str = "",
        clock: Callable[[], str] = utc_now,
        method: str = FIRST,
        model: ChatModel | None = None,
    ) -> Session:
        """A new session with its topic and the method that it begins with; ``bounds``: its
        settings, else those of the settings file.
        ``model`` answers in place of the language model or the drafter for as long as the session
        is open.

        Raises UsageError for an empty topic or an unknown method, StoreError when the name is
        taken.
        """
        spec = spec_of(method)
        said = clean_line(topic)
        if not said:
            raise UsageError(
                "The topic is empty.", "Say in a line or two what the idea should be about."
            )
        path = session_path(paths, name)
        text, given = clean(topic).strip(), (bounds or settings_of(spec, settings)).model_dump()
        content = {"text": text, "hunch": clean(hunch)} if hunch else {"text": text}
        first = {"offline": offline} if spec.letter else {**given, "offline": offline}
        entries: list[Decision | Version] = [
            Decision(actor="you", action="settings", address="session", value=first, creation=True),
            Version(
                actor="you",
                address="topic",
                content=content,
                meanings=meanings_of(content),
                origin="person",
            ),
            Decision(
                actor="you", action="edit", address="topic", value={"version": 2}, creation=True
            ),
        ]
        if spec.letter:
            instance = f"{spec.letter}1"
            entries.append(verbs.instance_decision(spec, instance, given, creation=True))
        entries = stamped(entries, 1, clock())
        meta = {"name": path.name.removesuffix(".coi.db"), "topic": said[:200], "method": spec.name}
        file = SessionFile.create(path, meta, entries=entries, backups=paths.backups)
        return cls(SessionCore(file, paths, settings, keys, clock, model))

    @classmethod
    def open(
        cls,
        name: str,
        *,
        paths: Paths,
        settings: Settings,
        keys: Keys,
        read_only: bool = False,
        clock: Callable[[], str] = utc_now,
    ) -> Session:
        """An existing session by name or path. Raises UsageError when there is none, StoreError
        when it cannot be read."""
        path = session_path(paths, name, existing=True)
        file = SessionFile(path, read_only=read_only, backups=paths.backups)
        try:
            core = SessionCore(file, paths, settings, keys, clock)
            if not core.unknown_methods or file.read_only:
                return cls(core)
        except BaseException:
            file.close()
            raise
        file.close()  # what another program's method made is only looked at
        return cls.open(
            name, paths=paths, settings=settings, keys=keys, read_only=True, clock=clock
        )

    def close(self) -> None:
        if not self.core.file.read_only:
            save_summary(self.core)
        self.core.file.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def rehearsal(self) -> Session:
        """The same session for decisions that are only tried: nothing of them is written. It is not
        closed."""
        return Session(self.core.rehearsal())

    # -- decisions

    def decide(
        self,
        verb: str,
        address: str,
        value: Any = None,
        reason: str = "",
        paper: Paper | None = None,
    ) -> Decision:
        """Make a decision of the table of verbs. Raises UsageError where it is not allowed."""
        return verbs.decide(self.core, verb, address, value, reason, paper)

    def named_verb(self, name: str, address: str) -> tuple[Verb, Target]:
        """A verb of the table, with what it would be about."""
        return verbs.VERBS[name], Target(self.core, address)

    def verb_at(self, name: str, address: str) -> tuple[Verb, Target]:
        """The same for a key: the opposite verb where that is what can be done."""
        target = Target(self.core, address)
        return verbs.verb_at(name, target), target

    def refusals(self, address: str, *, busy: bool = False) -> Mapping[str, str]:
        """Why each verb is not allowed at a row now, by its name; empty for what is allowed."""
        return verbs.refusals(self.core, address, busy=busy)

    def impact(self, own: str, act: Callable[[Session], object]) -> Impact:
        """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError
        where the act itself would."""
        return impact(self.core, own, lambda trial: act(Session(trial)))

    def preview(self, address: str, paper: Paper) -> Preview:
        """What choosing or pinning a paper for a slot would do; nothing is written."""
        return preview(self.core, address, paper)

    def set_cap(self, limit: Limit) -> Decision:
        """The most that this session may spend; ``Limit()`` takes its own cap away."""
        caps = {"cap_usd": limit.usd, "cap_tokens": limit.tokens}
        return self.decide("settings", "session", caps)

    def add_method(self, method: str, settings: Mapping[str, Any] | None = None) -> str:
        """Add a method beside those that are there. Returns the name of its instance (``S1``)."""
        return verbs.add_method(self.core, method, settings)

    def instance_of_method(self, method: str) -> str:
        """The instance of a method by its name; it is added where the session has none. Raises
        UsageError for an unknown method."""
        spec = spec_of(method)
        instances = self.core.methods.instances.items()
        found = next((name for name, one in instances if one.name == spec.name), None)
        return found if found is not None else self.add_method(method)

    # -- the file

    def verify(self) -> list[str]:
        """Refold the log, check hashes and the file; every finding a sentence, an empty list when
        all is sound."""
        findings = self.core.file.verify()
        loaded = self.core.file.load()
        if _steered(fold(loaded.entries, loaded.papers)) != _steered(self.core.state):
            findings.append("Folding the log again gives another state than the one in memory.")
        return findings

    # -- facts that every caller asks for

    @property
    def name(self) -> str:
        return self.core.name

    @property
    def state(self) -> State:
        """All that was made and decided, as it stands now."""
        return self.core.state

    @property
    def settings(self) -> Settings:
        return self.core.settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self.core.settings = settings

    @property
    def read_only_reason(self) -> str:
        """Why nothing can be written; empty where it can."""
        return self.core.read_only_reason

    @property
    def notices(self) -> list[str]:
        """Sentences about what went wrong at opening and stops nothing: commits that are lost, a
        backup that could not be made."""
        return self.core.file.notices


def _steered(state: State) -> tuple[object, ...]:
    """What a person steers: what is in use where, papers, shelf, marks and judgements."""
    used = {at: version.seq for at in state.cells if (version := state.in_use(at))}
    slots = {at: slot for at, slot in state.slots.items() if slot.paper}
    marks = state.pick, state.votes, state.judged, state.notes, state.points, state.parked
    return used, slots, state.shelf, *marks
