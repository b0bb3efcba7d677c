"""What a task reads, and whether what it made is fresh. Freshness is computed, never stored: a cell is
compared with ``reads(state)`` evaluated now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol

from coi_tui.model.address import Branch, CellRef, cell_ref, split_ref
from coi_tui.model.entries import Version
from coi_tui.model.fold import BY_RULE
from coi_tui.model.state import Cell, Component, Computed, State


class Read(NamedTuple):
    """``name`` is the prompt input it feeds; ``ref`` the field it comes from.

    ``optional``: may be absent. ``parent``: what the text is made *from itself* (the version
    reviewed or refined): shown to the task and checked when the result is committed, but no input
    for freshness. ``once``: seen as it was at the start and never looked at again. ``best_effort``:
    done without where it cannot come in a job, because something failed.
    """

    name: str
    ref: str
    optional: bool = False
    parent: bool = False
    once: bool = False
    best_effort: bool = False

    @property
    def cell(self) -> str:
        return split_ref(self.ref)[0]


Reads = tuple[Read, ...]
"""What a task reads."""


class Inputs:
    """The values of a task's reads, taken once; a task sees nothing else of the state."""

    def __init__(self, state: State, address: str, reads: Iterable[Read]) -> None:
        self.address, self.at = address, cell_ref(address)
        self.reads = tuple(reads)
        self._values = {r.ref: state.value(r.ref) for r in self.reads}
        self.hashes = meanings_now(state, self.reads)
        """Meaning hashes of the inputs proper, for the version's record."""
        self.everything = meanings_now(state, self.reads, parents=True)
        """Those of all reads, parents too: compared again when the result is committed."""
        self.sources = {r.ref: source for r in self.reads if (source := state.source(r.ref))}

    def one(self, name: str) -> Any:
        """The value of the only read of that name (KeyError when the task does not declare it),
        None when absent."""
        refs = [r.ref for r in self.reads if r.name == name]
        if len(refs) != 1:
            raise KeyError(f"{name}: {len(refs)} reads declared at {self.address}")
        return self._values[refs[0]]

    def first(self, name: str, default: Any = "") -> Any:
        """The value of the first read of that name that is there; ``default`` where none is, or none
        is declared."""
        return next((value for _, value in self.all(name)), default)

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


def meanings_now(
    state: State, reads: Iterable[Read], *, parents: bool = False
) -> dict[str, str | None]:
    """Meaning hashes of reads by reference, of those that are inputs for freshness or of all."""
    return {r.ref: state.meanings[r.ref] for r in reads if not r.once and (parents or not r.parent)}


Status = Literal["fresh", "kept", "stale", "upstream", "missing"]


@dataclass(frozen=True)
class Freshness:
    """Status of a cell. ``changed``: references whose meaning differs from what the version was
    made from; ``needs``: slots or cells it needs that are empty; ``upstream``: cells above it that
    are not fresh; ``choice_waits``: there is an up-to-date alternative to a person's text;
    ``worksheet``: there is one by rule to a text of a model.
    """

    status: Status
    changed: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    upstream: tuple[str, ...] = ()
    choice_waits: bool = False
    worksheet: bool = False

    @property
    def ok(self) -> bool:
        """Good enough to build on without a mark: fresh, or kept by a person."""
        return self.status in ("fresh", "kept")


def _changed(version: Version, now: Mapping[str, str | None]) -> tuple[str, ...]:
    """References whose meaning differs from what a version was made from; one that was added or is
    gone differs too."""
    was = version.inputs
    if was == now:
        return ()
    return tuple(
        name for name in sorted({*was, *now}) if was.get(name, "absent") != now.get(name, "absent")
    )


def _needs(state: State, reads: Iterable[Read]) -> tuple[str, ...]:
    """Cells without which nothing can be made, and that are not there now; a text that was made may
    be empty in places."""
    needed = (r.cell for r in reads if not r.optional and state.value(r.ref) is None)
    return tuple(dict.fromkeys(needed))


FRESH = Freshness("fresh")

MISSING = Freshness("missing")


class Reader(Protocol):
    """The part of a task that freshness needs."""

    def reads(self, state: State, address: str, /) -> Reads: ...


TaskOf = Callable[[str], Reader | None]


class FreshnessEvaluator(Computed[Freshness]):
    """Freshness of every cell of one state, each computed once; it is called or indexed by an
    address."""

    def __init__(self, state: State, task_of: TaskOf) -> None:
        super().__init__(self._examine)
        self.state, self.task_of = state, task_of

    __call__ = Computed.__getitem__

    def _examine(self, address: str) -> Freshness:
        at = cell_ref(address)
        if (holder := self.state.holders.get(at.kind)) is not None:
            return self._held(holder, at)
        state = self.state
        cell, version, task = state.cell(address), state.in_use(address), self.task_of(address)
        if version is None:
            return MISSING
        every = task.reads(state, address) if task is not None else ()
        reads = [r for r in every if not r.parent]
        if not reads:  # of one version only, as a review is: never stale
            return FRESH
        return self._compare(cell, version, reads)

    def _compare(self, cell: Cell, version: Version, reads: Sequence[Read]) -> Freshness:
        """A text in use against what it reads now."""
        state = self.state
        now = meanings_now(state, reads)
        changed = _changed(version, now)
        if cell.kept is not None and dict(cell.kept) == now:
            return Freshness("kept", changed=changed)
        if changed:
            own = (
                one for one in map(state.versions.__getitem__, cell.versions) if one.inputs == now
            )
            there = [one for one in own if not one.by_other]
            # a version that says the same was made from what is in use now: a refresh changed nothing
            if not any(one.meanings == version.meanings for one in there):
                return Freshness(
                    "stale",
                    changed,
                    _needs(state, reads),
                    choice_waits=cell.lock is not None and bool(there),
                    worksheet=any(one.alternative_because == BY_RULE for one in there),
                )
        above = tuple(self._stale_above(cell.address, reads))
        return Freshness("upstream", upstream=above) if above else FRESH

    def _stale_above(self, address: str, reads: Iterable[Read]) -> Iterator[str]:
        """The cells read that are not fresh. What a component holds does not pass its mark on: what
        reads a paper reads the paper that is there."""
        for at in dict.fromkeys([split_ref(r.ref)[0] for r in reads]):
            if at == address or at.kind in self.state.holders:
                continue
            if self(at).status in ("stale", "upstream"):
                yield at

    def _held(self, holder: Component, at: CellRef) -> Freshness:
        """Of what a component holds: it follows what it was chosen from, where it still does."""
        if at not in holder.papers():
            return MISSING
        above = tuple(one for one in holder.follows(at) if not self(one).ok)
        return Freshness("upstream", upstream=above) if above else FRESH


def owners(state: State) -> frozenset[Branch]:
    """What a text may belong to: a branch, a method's instance, or (0) the whole session."""
    return frozenset({0, *state.branches, *state.instances})


class Declared(Protocol):
    """The part of the methods of a session that the freshness of all of its cells needs."""

    def task(self, address: str, /) -> Reader | None: ...

    def is_active(self, state: State, at: CellRef, /) -> bool:
        """Whether a cell counts for now, by its kind."""


class FreshnessCache:
    """Freshness of every living cell and filled slot of the state that was last asked about. A few
    hundred cells take some ten milliseconds, so nothing is carried from one state to the next.
    """

    def __init__(self, methods: Callable[[State], Declared]) -> None:
        """``methods``: those of a state."""
        self._methods = methods
        self.of = lru_cache(maxsize=1)(self._of)
        self._readers = lru_cache(maxsize=1)(self._find_readers)

    def _of(self, state: State) -> dict[str, Freshness]:
        """Freshness in this state, by address."""
        methods, own = self._methods(state), owners(state)
        examine = FreshnessEvaluator(state, methods.task)
        living = [
            at
            for at in map(cell_ref, state.cells)
            # what was made for a branch that an undo has taken away does not count
            if at.branch in own and at.rival in own and methods.is_active(state, at)
        ]
        held = [at for component in state.components.values() for at in component.papers()]
        return {address: examine(address) for address in [*living, *held]}

    def readers(self, state: State, address: str) -> list[str]:
        """The cells whose tasks read an address, in the order in which they were first made."""
        return [cell for cell in self._readers(state).get(address, ()) if cell != address]

    def _find_readers(self, state: State) -> dict[str, list[str]]:
        task_of, found = self._methods(state).task, dict[str, list[str]]()
        for cell in state.cells:
            task = task_of(cell)
            reads = task.reads(state, cell) if task is not None else ()
            for name in dict.fromkeys(read.cell for read in reads if not read.parent):
                found.setdefault(name, []).append(cell)
        return found
