"""What the engine needs of storage, and how it keeps the state in memory in step with the file."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, Unpack, cast

from coi_tui.model.entries import Call, Decision, Failure, JobEvent, Version
from coi_tui.model.fold import apply, fold, undo_stacks
from coi_tui.model.papers import Paper, fill_missing
from coi_tui.model.state import Component, State
from coi_tui.store.chain import NewRows


class File(Protocol):
    """The part of a session file that the engine writes."""

    def commit(self, **new: Unpack[NewRows]) -> list[int]: ...

    def find_call(self, key: str) -> Call | None: ...

    async def run(self, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any: ...


Clock = Callable[[], str]


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class _Nowhere:
    """A file that keeps nothing: what is committed to it is only seen in memory. No job runs on
    it."""

    def commit(self, **_: object) -> list[int]:
        return []


def stamped(
    entries: Sequence[Decision | Version], first: int, now: str
) -> list[Decision | Version]:
    """Give each entry its number from ``first`` on, its time and, where it has none, a group of its
    own."""
    out: list[Decision | Version] = []
    for n, entry in enumerate(entries, start=first):
        changes: dict[str, Any] = {"seq": n, "time": entry.time or now}
        if isinstance(entry, Decision) and not entry.group:
            changes["group"] = f"d{n}"
        out.append(entry.model_copy(update=changes))
    return out


REFOLDED = ("undo", "redo", "method")
"""What is not applied to the state as it is: an added method may bring components of its own."""


def no_components(_: Sequence[Decision | Version]) -> tuple[type[Component], ...]:
    return ()


class Journal:
    """The log in memory and on disk. A change is committed first and seen after."""

    def __init__(
        self,
        file: File,
        entries: Sequence[Decision | Version],
        papers: dict[str, Paper],
        failures: Sequence[Failure],
        clock: Clock,
        components: Callable[
            [Sequence[Decision | Version]], Iterable[type[Component]]
        ] = no_components,
    ) -> None:
        self.file = file
        self.entries = list(entries)
        self.papers = dict(papers)
        self.failures = list(failures)
        self.clock = clock
        self.components = components
        self.state: State = self.folded(self.entries)
        self.committing = asyncio.Lock()
        """Held while a commit is on its way to the file: whoever holds it gets numbers that no such
        commit has taken."""
        self._pending: tuple[list[Decision | Version], list[Paper]] = [], []
        """Entries and papers on their way into the file."""
        self._stacks: tuple[State | None, tuple[list[str], list[str]]] = (None, ([], []))
        self._rehearsed: tuple[State, Journal] | None = None
        """The last rehearsal and the state that it went on from."""

    def folded(self, entries: Sequence[Decision | Version]) -> State:
        """The state after some entries, with the papers and the components of this log."""
        return fold(entries, self.papers, self.components(entries))

    @property
    def undo_stacks(self) -> tuple[list[str], list[str]]:
        """The groups that can be undone and redone, the next one last."""
        if self._stacks[0] is not self.state:  # the footer asks at every key
            self._stacks = self.state, undo_stacks(self.entries)
        return self._stacks[1]

    @property
    def next_seq(self) -> int:
        """The number that the next entry will get: after those known, and those that are just being
        committed."""
        return (self.entries[-1].seq if self.entries else 0) + len(self._pending[0]) + 1

    def rehearsal(self) -> Journal:
        """A journal that goes on from here in memory alone: what is written to it is seen there and
        nowhere else."""
        trial = copy.copy(self)
        trial.file, trial.committing = cast(File, _Nowhere()), asyncio.Lock()
        trial._pending, trial._rehearsed = ([], []), None
        trial.entries, trial.papers, trial.failures, trial.state = (
            [*self.entries],
            {**self.papers},
            [*self.failures],
            self.state.copy(),
        )
        self._rehearsed = self.state, trial
        return trial

    def _state_rehearsed(self, stamped: Sequence[Decision | Version]) -> State | None:
        """The state after some entries, where the last rehearsal wrote the same ones from here: what
        was computed of it for the preview holds. A state knows the times of versions and not of
        decisions."""
        before, trial = self._rehearsed or (None, self)
        if before is not self.state:
            return None
        tried, new = (
            [
                one.model_copy(update={"time": ""}) if isinstance(one, Decision) else one
                for one in entries
            ]
            for entries in (trial.entries[len(self.entries) :], stamped)
        )
        return trial.state if tried == new else None

    def _seen(self, stamped: Sequence[Decision | Version], papers: Iterable[Paper]) -> None:
        for paper in papers:
            known = self.papers.get(paper.id)
            self.papers[paper.id] = paper if known is None else fill_missing(known, paper)
        self.state.papers = self.papers
        rehearsed = self._state_rehearsed(stamped)
        self._rehearsed = None
        self.entries.extend(stamped)
        if rehearsed is not None:
            self.state = rehearsed
            self.state.papers = self.papers
        elif any(isinstance(e, Decision) and e.action in REFOLDED for e in stamped):
            self.state = self.folded(self.entries)
        else:
            for entry in stamped:
                self.state = apply(self.state, entry)

    def write(
        self, entries: Sequence[Decision | Version], papers: Sequence[Paper] = ()
    ) -> list[Decision | Version]:
        """Commit entries, then show them. Returns them as stamped. Raises StoreError, with nothing
        changed, when the commit fails."""
        new = stamped(entries, self.next_seq, self.clock())
        self.file.commit(
            entries=new, papers=papers
        )  # in order: what was pending has been committed before it
        self._show_pending()
        self._seen(new, papers)
        return new

    async def commit(
        self,
        build: Callable[[State, int], Sequence[Decision | Version]],
        papers: Sequence[Paper] = (),
    ) -> list[Decision | Version]:
        """As ``write``, off the loop. ``build`` gets the state and next number at the moment of the
        commit, undisturbed."""
        # What was cancelled is committed all the same: the file must never be ahead of the state in
        # memory.
        return await asyncio.shield(asyncio.ensure_future(self._commit(build, list(papers))))

    async def _commit(
        self, build: Callable[[State, int], Sequence[Decision | Version]], papers: list[Paper]
    ) -> list[Decision | Version]:
        async with self.committing:
            # Numbered and handed to the file without a pause; a ``write`` that comes while it
            # commits counts on from there.
            first = self.next_seq
            new = stamped(build(self.state, first), first, self.clock())
            self._pending = new, papers
            try:
                await self.file.run(self.file.commit, entries=new, papers=papers)
            except BaseException:
                self._pending = [], []
                raise
            self._show_pending()
            return new

    def _show_pending(self) -> None:
        pending, self._pending = self._pending, ([], [])
        if any(pending):
            self._seen(*pending)

    async def fail(self, failure: Failure) -> None:
        """Record that a task failed, and after which entry of the log."""
        failure = failure.model_copy(update={"after": self.state.seq})
        await self.file.run(self.file.commit, failures=[failure])
        self.failures.append(failure)

    async def job_event(self, event: JobEvent) -> None:
        await self.file.run(self.file.commit, job_events=[event])
