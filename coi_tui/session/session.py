"""An open session: its state and the services that read it, decide in it, plan, run and export.
Screens and commands call these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel

from coi_tui.engine.journal import stamped
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.chain import slots
from coi_tui.methods.evidence.reading_list import ReadingList, reading_list
from coi_tui.methods.ideas.clarify import unanswered
from coi_tui.methods.ideas.matches import ARENA, ONE_CALL, with_one_call
from coi_tui.methods.ideas.sketches import WALL, assigned, picked
from coi_tui.methods.registry import FIRST, settings_of, spec_of
from coi_tui.model.address import SESSION, Branch, cell_ref, instance_of, no_address
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import BY_RULE
from coi_tui.model.money import Limit
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import clean, clean_line, joined, listed
from coi_tui.present.comparisons import left_in_arena
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions import verbs
from coi_tui.session.decisions.bulk_accept import Undecided, undecided
from coi_tui.session.decisions.edits import Edits
from coi_tui.session.decisions.impact import (
    end_killed_job,
    impact_of,
    redo,
    revert,
    undo,
    undo_labels,
)
from coi_tui.session.decisions.preview import preview_of
from coi_tui.session.environment import Environment
from coi_tui.session.files import require_known, session_path
from coi_tui.session.inbox import take_proposals
from coi_tui.session.queries import provenance
from coi_tui.session.queries.detail import (
    detail_at,
    document_at,
    failed_check,
    has_view,
    listing_at,
    measured_similarity,
    search_index,
    twin_of,
)
from coi_tui.session.queries.rows import (
    find_goal,
    next_of,
    next_steps,
    save_summary,
    session_rows,
    stage_reached,
)
from coi_tui.session.queries.wall_rows import free_own_sketch, sketch_wall
from coi_tui.session.runs.planner import Planner
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.session.exports import Exports
    from coi_tui.session.lookup import Papers
    from coi_tui.session.runs.plans import Plan
    from coi_tui.session.runs.runner import Runs


class Session(SessionCore):
    """An open session. Made by ``create`` or ``open``; close it."""

    # -- what is defined beside its subject, as a function of the session

    decide, refusals = verbs.decide, verbs.refusals
    named_verb, verb_at = verbs.named_verb, verbs.verb_at
    add_method = verbs.add_method
    impact, preview = impact_of, preview_of
    undo, redo, undo_labels, revert = undo, redo, undo_labels, revert
    rows, stage_reached = session_rows, stage_reached
    next_step, next_steps, find_goal = next_of, next_steps, find_goal
    detail, document, listing, has_view = detail_at, document_at, listing_at, has_view
    search_index, failed_check = search_index, failed_check
    measured_similarity = measured_similarity

    twin = twin_of
    slot_of = staticmethod(slots.slot_of)
    sketch_wall, free_own_sketch = sketch_wall, free_own_sketch
    why, readers, unread = provenance.why, provenance.readers, provenance.unread
    failure, doing = provenance.failure, provenance.doing
    take_proposals = take_proposals

    # -- services

    @property
    def edits(self) -> Edits:
        return Edits(self)

    @property
    def planner(self) -> Planner:
        return Planner(self)

    @property
    def runs(self) -> Runs:
        from coi_tui.session.runs.runner import Runs  # 50 ms that only a job needs

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
        env: Environment,
        *,
        method: str = FIRST,
        bounds: BaseModel | None = None,
        offline: bool = False,
        hunch: str = "",
    ) -> Session:
        """A new session with its topic and the method that it begins with; ``bounds``: its
        settings, else those of the settings file.

        Raises UsageError for an empty topic or an unknown method, StoreError when the name is
        taken.
        """
        spec = spec_of(method)
        line = clean_line(topic)
        if not line:
            raise UsageError(
                "The topic is empty.", "Say in a line or two what the idea should be about."
            )
        path = session_path(env.paths, name)
        text, given = clean(topic).strip(), (bounds or settings_of(spec, env.settings)).model_dump()
        content = {"text": text, "hunch": clean(hunch)} if hunch else {"text": text}
        first = {**({} if spec.letter else given), "offline": offline}
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
        entries = stamped(entries, 1, env.clock())
        meta = {"name": path.name.removesuffix(".coi.db"), "topic": line[:200], "method": spec.name}
        return cls(SessionFile.create(path, meta, entries=entries, backups=env.paths.backups), env)

    @classmethod
    def open(cls, name: str, env: Environment, *, read_only: bool = False) -> Session:
        """An existing session by name or path. Raises UsageError when there is none, StoreError
        when it cannot be read."""
        path = session_path(env.paths, name, existing=True)
        file = SessionFile(path, read_only=read_only, backups=env.paths.backups)
        try:
            session = cls(file, env)
            if not session.unknown_methods or file.read_only:
                end_killed_job(session)
                session.take_proposals()
                return session
        except BaseException:
            file.close()
            raise
        file.close()  # what another program's method made is only looked at
        return cls.open(name, env, read_only=True)

    def close(self) -> None:
        if not self.file.read_only:
            save_summary(self)
        self.file.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- decisions

    def set_cap(self, limit: Limit) -> Decision:
        """The most that this session may spend; ``Limit()`` takes its own cap away."""
        caps = {"cap_usd": limit.usd, "cap_tokens": limit.tokens}
        return self.decide("settings", "session", caps)

    def work_out(self, named: Sequence[str]) -> Plan:
        """The plan to work out sketches: those named, which are picked by it, or all that are
        picked. Raises UsageError where there are none, or one cannot be."""
        found = named or picked(self.state)
        if not found:
            raise UsageError("No sketch is picked.", "Pick one on the wall, or name it.")
        placed = assigned(self.state).values()
        if not all(one in placed and self.state.cell(one).picked for one in found):
            self.decide("work_out", found[0], found)
        return self.planner.to_work_out(found)

    def instance_of_method(self, method: str) -> str:
        """The instance of a method by its name; it is added where the session has none. Raises
        UsageError for an unknown method."""
        spec = spec_of(method)
        instances = self.methods.instances.items()
        found = next((name for name, one in instances if one.name == spec.name), None)
        return found if found is not None else self.add_method(method)

    # -- what it shows of itself; nothing here changes it

    def undecided(self, branch: Branch = 0) -> list[Undecided]:
        """What could be accepted in one go: in a branch, or for branch 0 in the whole session."""
        return undecided(self.state, self.methods, self.rows(), branch)

    def resolve(self, text: str) -> str:
        """The canonical address for what a person typed (``1/t0`` included).

        Raises UsageError for what is no address, UnknownAddress for one outside this session.
        """
        address = self.methods.alias(text) or str(cell_ref(text.strip()))
        made = self.methods.kind(address).declared
        if cell_ref(address).form == "session" and not made and address != SESSION:
            raise no_address(text)
        require_known(self.state, address, {row.address for row in self.rows()}, made=made)
        return address

    def paper_of(self, address: str) -> Paper | None:
        """The paper of a slot's row or of its card's."""
        at = cell_ref(address)
        own = at.form == "place" or self.methods.kind(at).role == "summary"
        return self.state.papers.get(self.state.held_papers().get(at.slot, "")) if own else None

    def reading_list(self) -> ReadingList:
        """Everything that the session found, in the order in which to read it."""
        return reading_list(self.state)

    def unused_results(self, addresses: Sequence[str]) -> str:
        """Of the cells that a job made, those whose newest version is not the one in use, and why where
        no model wrote it; empty for none."""
        state, why, others = self.state, "", list[str]()
        for address in dict.fromkeys(addresses):
            versions, used = state.cell(address).versions, state.in_use(address)
            if versions and used and used.seq != versions[-1]:
                others.append(address)
                if state.versions[versions[-1]].alternative_because == BY_RULE:
                    why = f", {BY_RULE}"
        return f"Beside the text in use{why}: {', '.join(others[:4])}" if others else ""

    def shortfall(self, until: str, instance: str = "") -> str:
        """Why a stage of a method was not reached by any branch, nor by a sketch of the wall or the
        plain call that won against its ideas; empty when it was."""
        every = iter(self.methods.instances.values())
        method = self.methods.of_instance(instance) or next(every, None)
        if method is None or (instance == ARENA and not left_in_arena(self.state)):
            return ""
        if self._is_reached(method, until):
            return ""
        if asked := unanswered(self.state, method.instance):
            return f"The drafts wait for your answers: write them in {listed(asked)} (e), then run again."
        if self.failed:
            return f"The stage {until} was not reached, because of the failed tasks named above."
        return (
            method.shortfall(self.state)
            or f"The stage {until} was not reached; `coi show` says what is missing."
        )

    def _is_reached(self, method: BranchedMethod, stage: str) -> bool:
        """Whether a stage is done: by the method itself, by the wall, or, once it has ideas, by the
        plain call or by what was chosen."""
        state = self.state
        if _came_to(method, state, stage):
            return True
        if stage == "selection" and len(with_one_call(state, method.branches(state))) == 1:
            return True
        chosen = "" if state.pick is None else instance_of(state.pick)
        return any(
            _came_to(other, state, stage)
            and (other.name == WALL or _came_to(method, state, "ideas"))
            for name, other in self.methods.instances.items()
            if other.name in (ONE_CALL, WALL) or name == chosen
        )

    def short_chains(self) -> str:
        """What came short in the chains that a run grew, in one sentence; empty for nothing."""
        return joined(" ", *(m.came_short(self.state) for m in self.methods.instances.values()))

    # -- the file

    def verify(self) -> list[str]:
        """Refold the log, check hashes and the file; every finding a sentence, an empty list when
        all is sound."""
        findings = self.file.verify()
        if _steered(self.journal.folded(self.file.load().entries)) != _steered(self.state):
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
    marks = state.pick, state.votes, state.judged, state.notes, state.points, state.parked
    return used, [one.steered() for one in state.components.values()], *marks
