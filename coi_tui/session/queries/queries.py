"""What a session tells of itself: rows, texts, reasons, sums. Nothing here changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.evidence.reading_list import ReadingList, reading_list
from coi_tui.methods.ideas.ask_first import unanswered
from coi_tui.methods.ideas.matches import ARENA, ONE_CALL
from coi_tui.model.address import Branch, split_ref
from coi_tui.model.document import Block, Listing, listing, section
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.text import count, day, listed, sentence
from coi_tui.present.cells import document
from coi_tui.present.comparisons import left_in_arena
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.bulk_accept import Undecided, undecided
from coi_tui.session.files import require_known, resolve
from coi_tui.session.queries.detail import Detail, detail
from coi_tui.session.queries.next_step import (
    NextSteps,
    ReachableStage,
    find_goal,
    next_of,
    next_steps,
    session_rows,
    stage_reached,
)
from coi_tui.session.queries.provenance import Explanation, FailureReport, report
from coi_tui.session.queries.rows import Index, index
from coi_tui.session.wording import Row
from coi_tui.store.summary import NextStep


class Queries:
    """Reading a session."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._numbered: dict[int, Decision] = {}
        self._counted = 0

    def rows(self) -> list[Row]:
        """The tree, top to bottom."""
        return session_rows(self._core)

    def undecided(self, branch: Branch = 0) -> list[Undecided]:
        """What could be accepted in one go: in a branch, or for branch 0 in the whole session."""
        return undecided(self._core.state, self._core.methods, self.rows(), branch)

    def resolve(self, text: str) -> str:
        """The canonical address for what a person typed (``1/t0`` included).

        Raises UsageError for what is no address, UnknownAddress for one outside this session.
        """
        address = resolve(self._core.state, text)
        made = self._core.methods.kind(address) is not None
        require_known(self._core.state, address, {row.address for row in self.rows()}, made=made)
        return address

    def detail(self, address: str, version: int | None = None) -> Detail:
        """What there is to read at an address; with ``version`` what stood or stands beside it.
        Nothing is changed by looking."""
        state = self._core.state
        if version is None:
            found = detail(state, self._core.methods, address)
            if check := self.failed_check(address):
                found = replace(found, blocks=(section("Last check failed", check), *found.blocks))
            return found
        if version not in state.cell(address).versions:
            raise UsageError(f"{address} has no version {version}.")
        return detail(state.showing(address, version), self._core.methods, address)

    def document(self, address: str) -> tuple[Block, ...]:
        """What a cell shows of itself, without what the session knows beside it."""
        kind = self._core.methods.kind(address)
        return tuple(document(self._core.state, kind, address)) if kind is not None else ()

    def listing(self, address: str) -> Listing | None:
        """The table or transcript that opens on a screen of its own; None where there is none, or
        nothing was made that a person could look at or begin."""
        kind = self._core.methods.kind(address)
        if kind is None or kind.content is None:
            return None
        made = self._core.state.in_use(address) is not None
        return listing(self.document(address)) if made or not kind.step else None

    def has_view(self, address: str) -> bool:
        """Whether a screen of its own opens on the cell."""
        kind = self._core.methods.kind(address)
        if kind is not None and kind.view:
            return self._core.state.in_use(address) is not None
        return self.listing(address) is not None

    def reading_list(self) -> ReadingList:
        """Everything that the session found, in the order in which to read it."""
        return reading_list(self._core.state)

    def came_beside(self, addresses: Sequence[str]) -> list[str]:
        """Of the cells that a job made, those whose newest version is not the one in use: it came
        late, or a person's text stays."""
        state, out = self._core.state, []
        for address in dict.fromkeys(addresses):
            versions, used = state.cell(address).versions, state.in_use(address)
            if versions and used is not None and used.seq != versions[-1]:
                out.append(address)
        return out

    def failure(self, address: str) -> FailureReport | None:
        """The failed step of a row in five parts; None where none failed."""
        return report(
            self._core.state, address, self._core.still_failed, self._core.journal.failures
        )

    def failed_check(self, address: str) -> str:
        """When and why a check failed after the novelty report in use was made; empty where none
        did."""
        failure = self._core.failed_checks.get(address)
        return (
            f"{day(failure.time)}: {sentence(failure.cause)} The report below is the one before it."
            if failure is not None
            else ""
        )

    def why(self, address: str) -> list[str]:
        """Where something comes from and what it rests on, in sentences."""
        core = self._core
        explanation = Explanation(core.state, core.fresh, core.methods, self.numbered, self.readers)
        return explanation.sentences(address)

    def unread(self, address: str) -> str:
        """That no text that there is was made from the one at an address, in one sentence; empty
        where one was."""
        state = self._core.state
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
        return index(self._core.state, self._core.methods, rows)

    def next_step(self, at: str | None = None) -> NextStep:
        """What comes next from the row ``at`` on; from where the person was last, where none is
        named."""
        return next_of(self._core, at)

    def next_steps(self, rows: Sequence[Row], goal: ReachableStage) -> NextSteps:
        """The same from any of these rows, where it is known how far a run could go."""
        return next_steps(self._core, rows, goal)

    def find_goal(self) -> Callable[[], ReachableStage]:
        """What finds how far a run could go from here; it takes a while in a large session, and may
        be called in a thread."""
        return find_goal(self._core)

    def method_at(self, address: str) -> str:
        """The short name of the method that a row belongs to; of all methods for a row of the whole
        session."""
        methods = self._core.methods
        method = methods.of(address) if address else None
        return (
            method.short
            if method is not None
            else ", ".join(dict.fromkeys(m.short for m in methods.instances.values()))
        )

    def stage_reached(self, instance: str | None = None) -> str:
        """The last stage of which something exists: of one method instance, or where the session as
        a whole stands."""
        method = self._core.methods.of_instance(instance) if instance is not None else None
        return (
            (method.reached(self._core.state) or "topic")
            if method is not None
            else stage_reached(self._core)
        )

    def shortfall(self, until: str, instance: str = "") -> str:
        """Why a stage of a method was not reached by any branch, nor by the plain call that won
        against its ideas; empty when it was."""
        core = self._core
        method = core.methods.of_instance(instance) or next(
            iter(core.methods.instances.values()), None
        )
        if method is None or (instance == ARENA and not left_in_arena(core.state)):
            return ""
        plain = [method for method in core.methods.instances.values() if method.name == ONE_CALL]
        if _came_to(method, core.state, until) or (
            _came_to(method, core.state, "ideas")
            and any(_came_to(m, core.state, until) for m in plain)
        ):
            return ""
        if asked := unanswered(core.state):
            return f"The drafts wait for your answers: write them in {listed(asked)} (e), then run again."
        if core.failed:
            return f"The stage {until} was not reached, because of the failed steps named above."
        return (
            method.shortfall(core.state)
            or f"The stage {until} was not reached; `coi show` says what is missing."
        )

    def short_chains(self) -> str:
        """One sentence about chains that were grown and stayed below the minimum; empty where there
        are none, or only parked ones."""
        state = self._core.state
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
        core = self._core
        return tuple(
            sorted(core.freshness_cache.readers(core.state, address), key=core.methods.order)
        )

    @property
    def numbered(self) -> Mapping[int, Decision]:
        """The decisions of the log by their numbers."""
        entries = self._core.journal.entries
        for entry in entries[self._counted :]:
            if isinstance(entry, Decision):
                self._numbered[entry.seq] = entry
        self._counted = len(entries)
        return self._numbered


def _came_to(method: BranchedMethod, state: State, stage: str) -> bool:
    reached, stages = method.reached(state), method.stages
    return reached in stages and stage in stages and stages.index(reached) >= stages.index(stage)
