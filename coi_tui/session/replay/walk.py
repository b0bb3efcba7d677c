"""Replays a session: makes every version that a step made again from the recorded calls alone, and compares all with what the file holds.

The log is walked from its first entry. Decisions, edits and imports are taken as they are logged. Each version of a step is made again by
that step's own code, on the state as it was, with the recorded answers in place of the services. No service is asked.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.engine.context import Context
from coi_tui.engine.journal import Journal
from coi_tui.engine.reads import Inputs
from coi_tui.engine.replay import CallMissing, Replayer
from coi_tui.engine.results import versions_of
from coi_tui.engine.steps import Step
from coi_tui.methods.registry import SessionMethods
from coi_tui.methods.services import ServiceSet
from coi_tui.model.calls import OWN_PROMPT, Call
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import CoiError
from coi_tui.model.fold import apply, fold
from coi_tui.model.naming import version_name
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.state import State
from coi_tui.session.admin.state_dump import dump
from coi_tui.session.core import SessionCore
from coi_tui.session.exports import KINDS
from coi_tui.session.replay.recorded_services import JobRecord, job_of, jobs_of, services_from_record
from coi_tui.session.replay.report import Entry, Finding, ReplayReport, difference, first_difference, first_line, same
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile

MOST_STARTS = 6
"""States from which a step is tried: of one that ran beside others it is not kept when it began."""


async def replay(core: SessionCore) -> ReplayReport:
    """Replay an open session, which is only read."""
    walk = _Walk(core)
    await walk.through()
    report = walk.report
    report.file = core.file.verify()
    papers = core.state.papers if report.different or report.not_made else walk.known.merged
    derived = fold(walk.derived, papers)
    report.state = first_difference(dump(core.state), dump(derived))
    if not report.different and not report.not_made:  # else there are papers that nothing brought
        report.papers = [key for key, paper in core.state.papers.items() if papers[key] != paper]
    report.texts, report.exports = _exported(core, walk.derived, papers)
    return report


@dataclass
class _KnownPapers:
    """The papers as the session knew them: as it met each first, and with all that it has learned since.

    A session that goes on uses the first until it is opened again, then the other. Papers that no step brought are taken from the file.
    """

    first: dict[str, Paper]
    merged: dict[str, Paper]
    met: set[str] = field(default_factory=set)

    def learn(self, papers: Sequence[Paper]) -> None:
        for paper in papers:
            if paper.id not in self.met:
                self.met.add(paper.id)
                self.first[paper.id] = self.merged[paper.id] = paper
            else:
                self.merged[paper.id] = fill_missing(self.merged[paper.id], paper)


@dataclass(frozen=True)
class _Try:
    """What running a step from one start gave: versions and papers, or why there are none."""

    made: tuple[Entry, ...] = ()
    papers: tuple[Paper, ...] = ()
    why: str = ""
    served: frozenset[int] = frozenset()


class _Walk:
    """The log from its first entry to its last; ``derived`` is the log as it was made again."""

    def __init__(self, core: SessionCore) -> None:
        self.core = core
        self.entries: list[Entry] = list(core.journal.entries)
        self.jobs = jobs_of(core.file.job_events())
        self.known = _KnownPapers(dict(core.state.papers), dict(core.state.papers))
        self.derived: list[Entry] = []
        self.report = ReplayReport(core.name, calls=sum(OWN_PROMPT not in call.request.values() for call in core.file.calls()))
        self.report.programs = tuple(dict.fromkeys(job.program for job in self.jobs))
        self.used: set[int] = set()

    async def through(self) -> None:
        state, place = fold((), self.known.first), 0
        while place < len(self.entries):
            entry = self.entries[place]
            if isinstance(entry, Version) and entry.actor == "coi" and not entry.by_person and entry.recipe.get("step"):
                size = await self._made_again(state, place)
            else:
                size = 1
                self._as_logged(entry)
            for taken in self.entries[place : place + size]:
                state = self._after(state, taken)
            place += size
        self.report.calls_used = len(self.used)

    def _as_logged(self, entry: Entry) -> None:
        self.derived.append(entry)
        if isinstance(entry, Decision):
            self.report.decisions += 1
        else:
            self.report.by_people += 1

    def _after(self, state: State, entry: Entry) -> State:
        if isinstance(entry, Decision) and entry.action in ("undo", "redo"):
            return fold(self.entries[: entry.seq], self.known.first)
        return apply(state, entry)

    async def _made_again(self, state: State, place: int) -> int:
        """Make the version at a place again, and those that the same run of its step made; how many entries these are."""
        logged = self.entries[place]
        assert isinstance(logged, Version)
        calls = [call for n in logged.calls if (call := self.core.file.call(n)) is not None]
        best: _Try | None = None
        async for found in self._tries(state, place, logged, calls):
            if best is None or (found.made and not best.made):
                best = found
            if found.made and all(itertools.starmap(same, self._pairs(place, found.made))):
                best = found
                break
        assert best is not None
        return self._told(best, place)

    def _told(self, found: _Try, place: int) -> int:
        """Report what is the same and what is not. The log goes on with what was made, or where nothing was, with what it holds."""
        if not found.made:
            size = self._run_length(place)
            for entry in self.entries[place : place + size]:
                self.report.not_made.append(self._finding(entry, found.why))
                self.derived.append(entry)
            return size
        for entry, made in self._pairs(place, found.made):
            if same(entry, made):
                self.report.same += 1
            else:
                self.report.different.append(self._finding(entry, difference(entry, made)))
        self._take(found, place)
        return min(len(found.made), len(self.entries) - place)

    def _take(self, found: _Try, place: int) -> None:
        self.used |= found.served
        self.known.learn(found.papers)
        for entry, made in self._pairs(place, found.made):
            self.derived.append(entry if same(entry, made) else made.model_copy(update={"seq": entry.seq, "time": entry.time}))

    def _pairs(self, place: int, made: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
        return list(zip(self.entries[place : place + len(made)], made, strict=False))

    def _run_length(self, place: int) -> int:
        """How many entries from here look like one run of a step."""
        first = self.entries[place]
        assert isinstance(first, Version)
        size = 1
        for entry in self.entries[place + 1 :]:
            if not isinstance(entry, Version) or (entry.address, entry.time, entry.calls) != (first.address, first.time, first.calls):
                break
            size += 1
        return size

    def _finding(self, entry: Entry, what: str) -> Finding:
        return Finding(entry.address, version_name(self.core.state, entry.address, entry.seq), entry.seq, what.rstrip("."))

    # -- one run of a step ----------------------------------------------------------------------------------------

    async def _tries(self, state: State, place: int, logged: Version, calls: Sequence[Call]) -> AsyncIterator[_Try]:
        """Run the step from each start that may have been its own, the likeliest first."""
        job, steps = job_of(self.jobs, logged), self._steps(state, logged)
        if not steps:
            yield _Try(why=f"this program has no step {logged.recipe.get('step')}")
            return
        days = list(dict.fromkeys([logged.time[:10], *(call.started[:10] for call in calls)]))
        papers = [self.known.first, *([self.known.merged] if self.known.merged != self.known.first else [])]
        for start in self._starts(state, place, logged, steps[0]):
            for which, known, day in itertools.product(range(len(steps)), papers, days):
                start.papers = known
                yield await self._run(start, state, logged, calls, job, day, which)

    def _starts(self, state: State, place: int, logged: Version, step: Step) -> Iterator[State]:
        """States in which the step's inputs were those of the version: just before the commit, else earlier ones, latest first."""
        if at_hand := _reads_the_same(step, state, logged):
            yield state.copy()
        low = max((int(name[1:]) for name in logged.sources.values() if name[1:].isdigit()), default=0)
        earlier, at = [], fold(self.entries[:low], self.known.first)
        for entry in self.entries[low : place - 1]:
            if _reads_the_same(step, at, logged):
                earlier.append(at)
            at = self._after(at, entry)
        shown = earlier[::-1]
        yield from (shown if len(shown) <= MOST_STARTS else [*shown[: MOST_STARTS - 1], shown[-1]])
        if not shown and not at_hand:
            yield state.copy()

    def _steps(self, state: State, logged: Version, services: ServiceSet | None = None) -> list[Step]:
        """The steps of that name that can have made a version: of a refinement there is one of a run and one of a person."""
        return SessionMethods(self.core.first_method, services).follow(state).makers(logged.address, str(logged.recipe.get("step")))

    async def _run(
        self, start: State, state: State, logged: Version, calls: Sequence[Call], job: JobRecord, day: str, which: int
    ) -> _Try:  # fmt: skip
        journal = Journal(self.core.file, (), {}, self.core.journal.failures, lambda: logged.time)
        recorder = Replayer(journal, logged, calls, offline=job.offline)
        try:
            services = await services_from_record(self.core, logged, calls, job, day)
            step = self._steps(start, logged, services)[which]
            ctx, inputs = _begun(recorder, start, logged, step, job)
            result = await step.run(ctx, inputs)
        except CallMissing as error:
            return _Try(why=self._missing(logged, recorder, error.message))
        except CoiError as error:
            return _Try(why=self._missing(logged, recorder, error.message.rstrip(".")))
        if recorder.missing:
            return _Try(why=self._missing(logged, recorder, ""))
        made = tuple(versions_of(step, inputs, ctx, result)(state, 0))
        return _Try(made, result.papers, "" if made else "its step made nothing", frozenset(recorder.served))

    def _missing(self, logged: Version, recorder: Replayer, otherwise: str) -> str:
        if not recorder.missing:
            return otherwise
        said = f"step {logged.recipe.get('step')} of {logged.address} asks for a call that the record does not hold ({recorder.missing[0]})"
        if job_of(self.jobs, logged).sources is None:
            said += "; the session was run by an older version of coi-tui, which did not keep calls that were not answered"
        return said


def _reads_the_same(step: Step, state: State, logged: Version) -> bool:
    """Whether what the step would read in a state means what it meant for the version."""
    read = [r for r in step.reads(state, logged.address) if not r.parent and not r.once]
    return {r.ref: state.meaning(r.ref) for r in read} == dict(logged.inputs)


def _begun(recorder: Replayer, start: State, logged: Version, step: Step, job: JobRecord) -> tuple[Context, Inputs]:
    """Context and inputs as the scheduler gave them."""
    machine = sum(not start.versions[s].by_person for s in start.cell(logged.address).versions)
    ctx = Context(recorder, start, logged.address, step.name, again=machine, given=job.given)
    return ctx, Inputs(start, logged.address, step.reads(start, logged.address))


def _exported(core: SessionCore, entries: Sequence[Entry], papers: Mapping[str, Paper]) -> tuple[dict[str, str], dict[str, str]]:
    """The exports of the replayed session, and where each differs from that of the session as it is; both bear the date of today."""
    now = core.clock()
    with tempfile.TemporaryDirectory(prefix="coi-replay-") as folder:
        file = SessionFile.create(
            Path(folder) / core.file.path.name, {k: v for k, v in core.meta.items() if k != "format"}, entries=entries
        )
        try:
            file.commit(papers=papers.values(), calls=core.file.calls(replies=True), failures=core.file.failures())
            file.commit(job_events=core.file.job_events())
            again = Session(SessionCore(file, core.paths, Settings(), Keys(), lambda: now))
            texts = {kind: again.exports.text(kind) for kind in KINDS}
        finally:
            file.close()
    held = Session(SessionCore(core.file, core.paths, Settings(), Keys(), lambda: now))
    return texts, {kind: first_line(held.exports.text(kind), text) for kind, text in texts.items()}
