"""What a step reads, and whether what it made is fresh. Freshness is computed, never stored: a cell is
compared with ``reads(state)`` evaluated now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from threading import RLock
from typing import Any, Literal, NamedTuple, Protocol

from coi_tui.model.address import (
    CANDIDATES,
    PAIR,
    SUMMARY,
    VERDICTS,
    Address,
    Branch,
    parse_address,
    slot,
    split_ref,
)
from coi_tui.model.entries import Version
from coi_tui.model.state import Cell, DependencyTracker, MemoTable, State, TrackedState


class Read(NamedTuple):
    """``name`` is the prompt input it feeds; ``ref`` the field it comes from.

    ``optional``: may be absent. ``parent``: what the text is made *from itself* (the version
    reviewed or refined): shown to the step and checked when the result is committed, but no input
    for freshness. ``once``: seen as it was at the start and never looked at again.
    """

    name: str
    ref: str
    optional: bool = False
    parent: bool = False
    once: bool = False

    @property
    def cell(self) -> str:
        return split_ref(self.ref)[0]


class Inputs:
    """The values of a step's reads, taken once; a step sees nothing else of the state."""

    def __init__(self, state: State, address: str, reads: Iterable[Read]) -> None:
        self.address = address
        self.reads = tuple(reads)
        self._values = {r.ref: state.value(r.ref) for r in self.reads}
        self._meanings = {r.ref: state.meaning(r.ref) for r in self.reads}
        self._sources = {r.ref: state.source(r.ref) for r in self.reads}

    def one(self, name: str) -> Any:
        """The value of the only read of that name (KeyError when the step does not declare it),
        None when absent."""
        refs = [r.ref for r in self.reads if r.name == name]
        if len(refs) != 1:
            raise KeyError(f"{name}: {len(refs)} reads declared at {self.address}")
        return self._values[refs[0]]

    def all(self, name: str) -> list[tuple[str, Any]]:
        """(reference, value) of every read of that name, in order; absent ones left out."""
        return [
            (r.ref, self._values[r.ref])
            for r in self.reads
            if r.name == name and self._values[r.ref] is not None
        ]

    def fields(self, name: str) -> dict[str, Any]:
        """Values of the reads of that name by field name; absent fields are empty texts."""
        return {
            split_ref(r.ref)[1]: self._values[r.ref] if self._values[r.ref] is not None else ""
            for r in self.reads
            if r.name == name
        }

    @property
    def hashes(self) -> Mapping[str, str | None]:
        """Meaning hashes of the inputs proper, for the version's record."""
        return {r.ref: self._meanings[r.ref] for r in self.reads if not r.parent and not r.once}

    @property
    def sources(self) -> Mapping[str, str]:
        return {r.ref: self._sources[r.ref] for r in self.reads if self._sources[r.ref]}

    @property
    def everything(self) -> Mapping[str, str | None]:
        """Meaning hashes of all reads, parents too: compared again when the result is committed."""
        return {r.ref: self._meanings[r.ref] for r in self.reads if not r.once}


def meanings_now(
    state: State, reads: Iterable[Read], *, parents: bool = False
) -> dict[str, str | None]:
    """The same comparison made against the state as it is now."""
    return {r.ref: state.meaning(r.ref) for r in reads if not r.once and (parents or not r.parent)}


Status = Literal["fresh", "kept", "stale", "upstream", "missing"]


@dataclass(frozen=True)
class Freshness:
    """Status of a cell. ``changed``: references whose meaning differs from what the version was
    made from; ``needs``: slots or cells it needs that are empty; ``upstream``: cells above it that
    are not fresh; ``choice_waits``: there is an up-to-date alternative to a person's text.
    """

    status: Status
    changed: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()
    choice_waits: bool = False

    @property
    def ok(self) -> bool:
        """Good enough to build on without a mark: fresh, or kept by a person."""
        return self.status in ("fresh", "kept")


def _changed(version: Version, now: Mapping[str, str | None]) -> tuple[str, ...]:
    """References whose meaning differs from what a version was made from; one that was added or is
    gone differs too."""
    was = version.inputs
    return tuple(
        name for name in sorted({*was, *now}) if was.get(name, "absent") != now.get(name, "absent")
    )


def _needs(reads: tuple[Read, ...], now: Mapping[str, str | None]) -> tuple[str, ...]:
    """Cells without which nothing can be made, and that are empty now."""
    return tuple(dict.fromkeys(r.cell for r in reads if not r.optional and now[r.ref] is None))


FRESH = Freshness("fresh")

MISSING = Freshness("missing")


class Reader(Protocol):
    """The part of a step that freshness needs."""

    def reads(self, state: State, address: str, /) -> tuple[Read, ...]: ...


TaskOf = Callable[[str], Reader | None]


class FreshnessEvaluator:
    """Freshness of every cell of one state, each computed once. ``known``: where it is kept, for a
    state that is followed."""

    def __init__(
        self, state: State, task_of: TaskOf, known: MemoTable[Freshness] | None = None
    ) -> None:
        self.state = state
        self.task_of = task_of
        self._known = known if known is not None else MemoTable(DependencyTracker())

    def __call__(self, address: str) -> Freshness:
        return self._known.of(address, self._examine)

    def _examine(self, address: str) -> Freshness:
        if parse_address(address).part == "slot":
            return self._slot(address)
        cell, version = self.state.cell(address), self.state.in_use(address)
        if version is None:
            return MISSING
        step = self.task_of(address)
        if step is None:
            return FRESH
        reads = tuple(r for r in step.reads(self.state, address) if not r.parent)
        if not reads:  # of one version only, as a review is: never stale
            return FRESH
        return self._compare(cell, version, reads, meanings_now(self.state, reads))

    def _slot(self, address: str) -> Freshness:
        """A slot is a choice: only a machine's suggestion follows its candidate list."""
        place = self.state.slot(address)
        if place.paper is None:
            return MISSING
        if place.verdict == "proposed" and self.state.in_use(f"{address}.cands") is not None:
            above = self(f"{address}.cands")
            if not above.ok:
                return Freshness("upstream", upstream=(f"{address}.cands",))
        return FRESH

    def _compare(
        self, cell: Cell, version: Version, reads: tuple[Read, ...], now: Mapping[str, str | None]
    ) -> Freshness:
        changed = _changed(version, now)
        if cell.kept is not None and dict(cell.kept) == now:
            return Freshness("kept", changed=changed)
        if changed and not self._twin(cell, version, now):
            return Freshness(
                "stale", changed, _needs(reads, now), choice_waits=self._choice_waits(cell, now)
            )
        above = tuple(
            name
            for name in dict.fromkeys(r.cell for r in reads)
            if name != cell.address and self._unfresh_text(name)
        )
        return Freshness("upstream", upstream=above) if above else FRESH

    def _unfresh_text(self, address: str) -> bool:
        """Slots do not pass their mark on: what reads a paper reads the paper that is there."""
        return parse_address(address).part != "slot" and self(address).status in (
            "stale",
            "upstream",
        )

    def _twin(self, cell: Cell, version: Version, now: Mapping[str, str | None]) -> bool:
        """A version that says the same was made from what is in use now: a refresh that changed
        nothing."""
        others = (self.state.versions[seq] for seq in cell.versions)
        return any(v.meanings == version.meanings and dict(v.inputs) == now for v in others)

    def _choice_waits(self, cell: Cell, now: Mapping[str, str | None]) -> bool:
        if cell.lock is None:
            return False
        return any(
            dict(self.state.versions[seq].inputs) == now
            for seq in cell.versions
            if seq != cell.lock
        )


def there(state: State) -> frozenset[Branch]:
    """What a text may belong to: a branch, a method's instance, or (0) the whole session."""
    return frozenset({0, *state.branches, *state.instances})


def counts(state: State, at: Address, branches: Collection[Branch]) -> bool:
    """Whether a text counts for now. Those of an empty slot sleep until a paper comes back; so does
    a trend between two empty slots away from the anchor."""
    if at.part in ("criteria", "means"):
        return False  # of a person's own, which an undo may take away whole
    if at.branch not in branches or (at.part == "match" and at.other not in branches):
        return False  # made for a branch that an undo has taken away
    return not _sleeps(state, at)


def _sleeps(state: State, at: Address) -> bool:
    """Whether a cell does not count for now, because of what the slots beside it hold."""

    def empty(pos: int) -> bool:
        return state.slot(slot(at.branch, pos)).paper is None

    if at.part == SUMMARY:
        return state.slot(str(at.slot)).paper is None
    if at.part == PAIR:
        return 0 not in (at.pos, at.newer) and empty(at.pos) and empty(at.newer)
    if at.part not in (CANDIDATES, VERDICTS):
        return False
    place, inner = state.slot(str(at.slot)), abs(at.pos) - 1
    if at.part == VERDICTS and place.verdict in ("accepted", "pinned"):
        return True  # they have done their work
    # those next to an anchor's place count, as do those of the anchor; others where the chain
    # reaches
    if inner <= 0 or place.paper is not None:
        return False
    return (inner if at.pos > 0 else -inner) not in state.chain(at.branch)


class FollowedFreshness:
    """Freshness of every living cell and filled slot of a session, kept up with its changes: after
    a decision only the readers of what it touched are examined, and the readers of those. It equals
    what a ``FreshnessEvaluator`` of the same state says.
    """

    def __init__(self, steps: Callable[[State], TaskOf]) -> None:
        """``steps``: how the step of a cell is found in a state."""
        self.tracker = DependencyTracker()
        self.state = TrackedState(self.tracker)
        """The state, as it is to be looked at by whatever is kept with ``keep``."""
        self._steps = steps
        self._step_of: TaskOf = lambda _: None
        self._tables: list[MemoTable[Any]] = []
        self._fresh: MemoTable[Freshness] = self.keep()
        self._counts: MemoTable[bool] = self.keep("counts ")
        self._reads: MemoTable[frozenset[str]] = self.keep("reads ")
        self._there: MemoTable[frozenset[Branch]] = self.keep("there ")
        self._held: tuple[State, dict[str, Freshness]] | None = None
        self.lock = RLock()
        """Held while something is worked out: an export runs in a thread of its own."""

    def keep(self, kind: str = "") -> MemoTable[Any]:
        """A table of values that are worked out from ``state``, and dropped when something that
        they rest on differs."""
        table: MemoTable[Any] = MemoTable(self.tracker, kind)
        self._tables.append(table)
        return table

    def of(self, state: State) -> dict[str, Freshness]:
        """Freshness in this state, which from now on is the one followed."""
        with self.lock:
            if self._held is None or self._held[0] is not state:
                self._follow(state)
                examine = FreshnessEvaluator(self.state, self._step, self._fresh)
                living = [at for at in state.cells if self._counts.of(at, self._count)]
                filled = [address for address, place in state.slots.items() if place.paper]
                fresh = {address: examine(address) for address in [*living, *filled]}
                self._held = (state, fresh)
                self.state.share_in_use()
            return self._held[1]

    def readers(self, state: State, address: str) -> list[str]:
        """The cells whose steps read what stands at an address, in the order in which they came to
        be."""
        with self.lock:
            self.of(state)
            known = self._reads.known
            for other in state.cells.keys() - known.keys():
                self._reads.of(other, self._read_by)
            return [other for other in state.cells if address in known[other] and other != address]

    def _read_by(self, address: str) -> frozenset[str]:
        """The addresses that the step of a cell reads."""
        step = self._step(address)
        return (
            frozenset(read.cell for read in step.reads(self.state, address) if not read.parent)
            if step is not None
            else frozenset()
        )

    def _follow(self, state: State) -> None:
        """Go on to another state: what rests on what differs has to be worked out anew."""
        self._step_of = self._steps(state)
        reached = self.state.follow(state)
        for table in self._tables:
            table.drop(reached)

    def _step(self, address: str) -> Reader | None:
        _ = self.state.instances  # what makes a cell follows from the methods that the session has
        return self._step_of(address)

    def _count(self, address: str) -> bool:
        return counts(
            self.state, parse_address(address), self._there.of("", lambda _: there(self.state))
        )
