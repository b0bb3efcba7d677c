"""An open session: its state and the services that read it, decide in it, plan, run and export.
Screens and commands call these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import BaseModel

from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import MethodSpec
from coi_tui.engine.journal import stamped
from coi_tui.methods.registry import FIRST, settings_of, spec_of
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import fold
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line
from coi_tui.paths import Paths, make_ours_private
from coi_tui.services.llm.types import ChatModel
from coi_tui.session.availability import Action, Availability, Rules
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.consequences import Consequences, UndoStack, impact
from coi_tui.session.decisions.decisions import Decisions, instance_decision
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.judgements import Judgements
from coi_tui.session.decisions.preview import Previews
from coi_tui.session.names import session_path
from coi_tui.session.papers.known_links import KnownLinks
from coi_tui.session.queries.queries import Queries
from coi_tui.session.queries.summary import save_summary
from coi_tui.session.runs.planner import GenerateMenu, Planner
from coi_tui.session.runs.runner import Runs
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.session.exports import Exports
    from coi_tui.session.papers.papers import Papers


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def beginning(
    topic: str, spec: MethodSpec, bounds: BaseModel, *, offline: bool, hunch: str = ""
) -> list[Decision | Version]:
    """The first entries of the log of a session."""
    said = clean(topic).strip()
    content = {"text": said, "hunch": clean(hunch)} if hunch else {"text": said}
    chosen = {} if spec.letter else bounds.model_dump()
    entries: list[Decision | Version] = [
        Decision(
            actor="you",
            action="settings",
            address="session",
            value={**chosen, "offline": offline},
            creation=True,
        ),
        Version(
            actor="you",
            address="topic",
            content=content,
            meanings=meanings_of(content),
            origin="person",
        ),
        Decision(actor="you", action="edit", address="topic", value={"version": 2}, creation=True),
    ]
    if spec.letter:
        entries.append(
            instance_decision(spec, f"{spec.letter}1", bounds.model_dump(), creation=True)
        )
    return entries


class Session:
    """An open session. Made by ``create`` or ``open``; close it.

    ``core`` is the file with its log and state; each service is given that, and what else it needs,
    when it is first asked for: a rehearsal needs one or two.
    """

    def __init__(self, core: SessionCore) -> None:
        self.core = core

    @cached_property
    def links(self) -> KnownLinks:
        return KnownLinks(self.core)

    @cached_property
    def queries(self) -> Queries:
        return Queries(self.core)

    @cached_property
    def rules(self) -> Rules:
        return Rules(self.core)

    @cached_property
    def decisions(self) -> Decisions:
        return Decisions(self.core, lambda: self.links, self.rules)

    @cached_property
    def edits(self) -> Edits:
        return Edits(self.core, self.rules)

    @cached_property
    def judgements(self) -> Judgements:
        return Judgements(self.core)

    @cached_property
    def undo_stack(self) -> UndoStack:
        return UndoStack(self.core)

    @cached_property
    def previews(self) -> Previews:
        return Previews(self.core, self.links, self.edits)

    @cached_property
    def planner(self) -> Planner:
        return Planner(self.core, self.rules)

    @cached_property
    def menu(self) -> GenerateMenu:
        return GenerateMenu(self.core, self.planner)

    @cached_property
    def runs(self) -> Runs:
        return Runs(self.core)

    @cached_property
    def papers(self) -> Papers:
        """Loaded when it is first asked for."""
        from coi_tui.session.papers.papers import Papers

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
        make_ours_private(paths)
        entries = stamped(
            beginning(
                topic, spec, bounds or settings_of(spec, settings), offline=offline, hunch=hunch
            ),
            1,
            clock(),
        )
        meta = {"name": path.name.removesuffix(".coi.db"), "topic": said[:200], "method": spec.name}
        file = SessionFile.create(path, meta, entries=entries, backups=paths.backups)
        core = SessionCore(file, paths, settings, keys, clock, model)
        save_summary(core)
        return cls(core)

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
        make_ours_private(paths)
        file = SessionFile.open(path, read_only=read_only, backups=paths.backups)
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

    def consequences(self, own: str, act: Callable[[Session], object]) -> Consequences:
        """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError
        where the act itself would."""
        return impact(self.core, own, lambda trial: act(Session(trial)))

    def availability(self, address: str) -> Mapping[Action, Availability]:
        """What may be done at a row now: each action allowed, or the reason why not."""
        return self.rules.all(address)

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
