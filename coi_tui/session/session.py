"""An open session: its state and the services that read it, decide in it, plan, run and export.
Screens and commands call these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from coi_tui.config import Keys, Settings
from coi_tui.engine.journal import stamped
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.evidence.reading_list import ReadingList, reading_list
from coi_tui.methods.ideas.ask_first import unanswered
from coi_tui.methods.ideas.matches import ARENA, ONE_CALL
from coi_tui.methods.registry import FIRST, settings_of, spec_of
from coi_tui.model.address import Branch, split_ref
from coi_tui.model.document import Block, Listing, listing, section
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import fold
from coi_tui.model.money import Limit
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line, count, day, listed, sentence
from coi_tui.paths import Paths
from coi_tui.present.cells import document
from coi_tui.present.comparisons import left_in_arena
from coi_tui.services.llm.chat import ChatModel
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions import verbs
from coi_tui.session.decisions.bulk_accept import Undecided, undecided
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.impact import Impact, UndoStack, impact
from coi_tui.session.decisions.placement import Preview, preview
from coi_tui.session.decisions.verb import Target, Verb
from coi_tui.session.files import require_known, resolve, session_path
from coi_tui.session.queries.detail import Detail, Index, detail, index
from coi_tui.session.queries.provenance import Explanation, FailureReport, report
from coi_tui.session.queries.rows import (
    NextSteps,
    ReachableStage,
    find_goal,
    next_of,
    next_steps,
    save_summary,
    session_rows,
    stage_reached,
)
from coi_tui.session.runs.planner import Planner
from coi_tui.session.runs.runner import Runs
from coi_tui.session.wording import Row
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import NextStep

if TYPE_CHECKING:
    from coi_tui.session.exports import Exports
    from coi_tui.session.lookup import Papers


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Session(SessionCore):
    """An open session. Made by ``create`` or ``open``; close it."""

    @property
    def undo_stack(self) -> UndoStack:
        return UndoStack(self)

    @property
    def edits(self) -> Edits:
        return Edits(self)

    @property
    def planner(self) -> Planner:
        return Planner(self)

    @property
    def runs(self) -> Runs:
        return Runs(self)

    @property
    def papers(self) -> Papers:
        from coi_tui.session.lookup import Papers  # 15 ms that only a look-up needs

        return Papers(self)

    @property
    def exports(self) -> Exports:
        from coi_tui.session.exports import Exports  # 10 ms that only an export needs

        return Exports(self)

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
        return cls(file, paths, settings, keys, clock, model)

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
            session = cls(file, paths, settings, keys, clock)
            if not session.unknown_methods or file.read_only:
                return session
        except BaseException:
            file.close()
            raise
        file.close()  # what another program's method made is only looked at
        return cls.open(
            name, paths=paths, settings=settings, keys=keys, read_only=True, clock=clock
        )

    def close(self) -> None:
        if not self.file.read_only:
            save_summary(self)
        self.file.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

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
        return verbs.decide(self, verb, address, value, reason, paper)

    def named_verb(self, name: str, address: str) -> tuple[Verb, Target]:
        """A verb of the table, with what it would be about."""
        return verbs.VERBS[name], Target(self, address)

    def verb_at(self, name: str, address: str) -> tuple[Verb, Target]:
        """The same for a key: the opposite verb where that is what can be done."""
        target = Target(self, address)
        return verbs.verb_at(name, target), target

    def refusals(self, address: str, *, busy: bool = False) -> Mapping[str, str]:
        """Why each verb is not allowed at a row now, by its name; empty for what is allowed."""
        return verbs.refusals(self, address, busy=busy)

    def impact(self, own: str, act: Callable[[Session], object]) -> Impact:
        """What an act about the row ``own`` would change; it is only rehearsed. Raises UsageError
        where the act itself would."""
        return impact(self, own, act)

    def preview(self, address: str, paper: Paper) -> Preview:
        """What choosing or pinning a paper for a slot would do; nothing is written."""
        return preview(self, address, paper)

    def set_cap(self, limit: Limit) -> Decision:
        """The most that this session may spend; ``Limit()`` takes its own cap away."""
        caps = {"cap_usd": limit.usd, "cap_tokens": limit.tokens}
        return self.decide("settings", "session", caps)

    def add_method(self, method: str, settings: Mapping[str, Any] | None = None) -> str:
        """Add a method beside those that are there. Returns the name of its instance (``S1``)."""
        return verbs.add_method(self, method, settings)

    def instance_of_method(self, method: str) -> str:
        """The instance of a method by its name; it is added where the session has none. Raises
        UsageError for an unknown method."""
        spec = spec_of(method)
        instances = self.methods.instances.items()
        found = next((name for name, one in instances if one.name == spec.name), None)
        return found if found is not None else self.add_method(method)

    # -- what it shows of itself; nothing here changes it

    def rows(self) -> list[Row]:
        """The tree, top to bottom."""
        return session_rows(self)

    def undecided(self, branch: Branch = 0) -> list[Undecided]:
        """What could be accepted in one go: in a branch, or for branch 0 in the whole session."""
        return undecided(self.state, self.methods, self.rows(), branch)

    def resolve(self, text: str) -> str:
        """The canonical address for what a person typed (``1/t0`` included).

        Raises UsageError for what is no address, UnknownAddress for one outside this session.
        """
        address = resolve(self.state, text)
        made = self.methods.kind(address) is not None
        require_known(self.state, address, {row.address for row in self.rows()}, made=made)
        return address

    def detail(self, address: str, version: int | None = None) -> Detail:
        """What there is to read at an address; with ``version`` what stood or stands beside it.
        Nothing is changed by looking."""
        state = self.state
        if version is None:
            found = detail(state, self.methods, address)
            if check := self.failed_check(address):
                found = replace(found, blocks=(section("Last check failed", check), *found.blocks))
            return found
        if version not in state.cell(address).versions:
            raise UsageError(f"{address} has no version {version}.")
        return detail(state.showing(address, version), self.methods, address)

    def document(self, address: str) -> tuple[Block, ...]:
        """What a cell shows of itself, without what the session knows beside it."""
        kind = self.methods.kind(address)
        return tuple(document(self.state, kind, address)) if kind is not None else ()

    def listing(self, address: str) -> Listing | None:
        """The table or transcript that opens on a screen of its own; None where there is none, or
        nothing was made that a person could look at or begin."""
        kind = self.methods.kind(address)
        if kind is None or kind.content is None:
            return None
        made = self.state.in_use(address) is not None
        return listing(self.document(address)) if made or not kind.step else None

    def has_view(self, address: str) -> bool:
        """Whether a screen of its own opens on the cell."""
        kind = self.methods.kind(address)
        if kind is not None and kind.view:
            return self.state.in_use(address) is not None
        return self.listing(address) is not None

    def reading_list(self) -> ReadingList:
        """Everything that the session found, in the order in which to read it."""
        return reading_list(self.state)

    def came_beside(self, addresses: Sequence[str]) -> list[str]:
        """Of the cells that a job made, those whose newest version is not the one in use: it came
        late, or a person's text stays."""
        state, out = self.state, []
        for address in dict.fromkeys(addresses):
            versions, used = state.cell(address).versions, state.in_use(address)
            if versions and used is not None and used.seq != versions[-1]:
                out.append(address)
        return out

    def failure(self, address: str) -> FailureReport | None:
        """The failed step of a row in five parts; None where none failed."""
        return report(self.state, address, self.still_failed, self.journal.failures)

    def failed_check(self, address: str) -> str:
        """When and why a check failed after the novelty report in use was made; empty where none
        did."""
        failure = self.failed_checks.get(address)
        return (
            f"{day(failure.time)}: {sentence(failure.cause)} The report below is the one before it."
            if failure is not None
            else ""
        )

    def why(self, address: str) -> list[str]:
        """Where something comes from and what it rests on, in sentences."""
        numbered = {decision.seq: decision for decision in self.decision_log()}
        explanation = Explanation(self.state, self.fresh, self.methods, numbered, self.readers)
        return explanation.sentences(address)

    def unread(self, address: str) -> str:
        """That no text that there is was made from the one at an address, in one sentence; empty
        where one was."""
        state = self.state
        if any(state.in_use(reader) is not None for reader in self.readers(address)):
            return ""
        ever = any(
            split_ref(name)[0] == address
            for version in state.versions.values()
            for name in version.inputs
        )
        return f"Nothing reads this text {'any more' if ever else 'yet'}."

    def search_index(self, rows: Sequence[Row]) -> Index:
        """Every text of these rows, ready to be searched. For a worker thread: the state does not
        change under it."""
        return index(self.state, self.methods, rows)

    def next_step(self, at: str | None = None) -> NextStep:
        """What comes next from the row ``at`` on; from where the person was last, where none is
        named."""
        return next_of(self, at)

    def next_steps(self, rows: Sequence[Row], goal: ReachableStage) -> NextSteps:
        """The same from any of these rows, where it is known how far a run could go."""
        return next_steps(self, rows, goal)

    def find_goal(self) -> Callable[[], ReachableStage]:
        """What finds how far a run could go from here; it takes a while in a large session, and may
        be called in a thread."""
        return find_goal(self)

    def method_at(self, address: str) -> str:
        """The short name of the method that a row belongs to; of all methods for a row of the whole
        session."""
        methods = self.methods
        method = methods.of(address) if address else None
        return (
            method.short
            if method is not None
            else ", ".join(dict.fromkeys(m.short for m in methods.instances.values()))
        )

    def stage_reached(self, instance: str | None = None) -> str:
        """The last stage of which something exists: of one method instance, or where the session as
        a whole stands."""
        method = self.methods.of_instance(instance) if instance is not None else None
        return (
            (method.reached(self.state) or "topic") if method is not None else stage_reached(self)
        )

    def shortfall(self, until: str, instance: str = "") -> str:
        """Why a stage of a method was not reached by any branch, nor by the plain call that won
        against its ideas; empty when it was."""
        method = self.methods.of_instance(instance) or next(
            iter(self.methods.instances.values()), None
        )
        if method is None or (instance == ARENA and not left_in_arena(self.state)):
            return ""
        plain = [method for method in self.methods.instances.values() if method.name == ONE_CALL]
        if _came_to(method, self.state, until) or (
            _came_to(method, self.state, "ideas")
            and any(_came_to(m, self.state, until) for m in plain)
        ):
            return ""
        if asked := unanswered(self.state):
            return f"The drafts wait for your answers: write them in {listed(asked)} (e), then run again."
        if self.failed:
            return f"The stage {until} was not reached, because of the failed steps named above."
        return (
            method.shortfall(self.state)
            or f"The stage {until} was not reached; `coi show` says what is missing."
        )

    def short_chains(self) -> str:
        """One sentence about chains that were grown and stayed below the minimum; empty where there
        are none, or only parked ones."""
        state = self.state
        grown = {branch for branch, _ in state.ends}
        short = [
            b
            for b in state.branches_of("")
            if b in grown - state.parked and state.chain(b) and state.is_short(b)
        ]
        if not short:
            return ""
        named = ", ".join(f"{b} ({count(len(state.chain(b)), 'paper')})" for b in short)
        branches, ideas = (
            ("branch", "its idea") if len(short) == 1 else ("branches", "an idea of theirs")
        )
        return f"Short of {state.least_papers} papers: {branches} {named}; {ideas} leads the arena only if you choose it."

    def readers(self, address: str) -> tuple[str, ...]:
        """Which cells read an address, in the order of the tree."""
        return tuple(
            sorted(self.freshness_cache.readers(self.state, address), key=self.methods.order)
        )

    # -- the file

    def verify(self) -> list[str]:
        """Refold the log, check hashes and the file; every finding a sentence, an empty list when
        all is sound."""
        findings = self.file.verify()
        loaded = self.file.load()
        if _steered(fold(loaded.entries, loaded.papers)) != _steered(self.state):
            findings.append("Folding the log again gives another state than the one in memory.")
        return findings

    @property
    def notices(self) -> list[str]:
        """Sentences about what went wrong at opening and stops nothing: commits that are lost, a
        backup that could not be made."""
        return self.file.notices


def _came_to(method: BranchedMethod, state: State, stage: str) -> bool:
    reached, stages = method.reached(state), method.stages
    return reached in stages and stage in stages and stages.index(reached) >= stages.index(stage)


def _steered(state: State) -> tuple[object, ...]:
    """What a person steers: what is in use where, papers, shelf, marks and judgements."""
    used = {at: version.seq for at in state.cells if (version := state.in_use(at))}
    slots = {at: slot for at, slot in state.slots.items() if slot.paper}
    marks = state.pick, state.votes, state.judged, state.notes, state.points, state.parked
    return used, slots, state.shelf, *marks
