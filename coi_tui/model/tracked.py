"""A state whose readers are tracked: what was computed from it is cached until something that it
read differs.

Whatever is computed from a ``TrackedState`` is noted at each thing that it reads. When the session
has moved on, ``follow`` finds what differs and names all that read it, directly or through others.
What stays cached is what computing it again would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from coi_tui.model.address import Branch, split_ref
from coi_tui.model.entries import Version
from coi_tui.model.papers import Paper
from coi_tui.model.state import C, Cell, Slot, State

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K")


class DependencyTracker:
    """Which computation read what. Names are texts: an address stands for the cell or slot there
    with all that follows from it."""

    def __init__(self) -> None:
        self._readers: dict[str, set[str]] = {}
        self._running: list[set[str]] = []
        """What each computation that is under way has read so far, the innermost last."""

    def read(self, name: str) -> None:
        """Whatever is being computed depends on this."""
        if self._running:
            self._running[-1].add(name)

    def compute(self, name: str, work: Callable[[T], V], of: T) -> V:
        """Compute something under a name, and note it at all that it reads."""
        read: set[str] = set()
        self._running.append(read)
        try:
            return work(of)
        finally:
            self._running.pop()
            for source in read:
                self._readers.setdefault(source, set()).add(name)

    def dependents(self, changed: Iterable[str]) -> set[str]:
        """These names, and those of all that was computed from them."""
        reached, new = set[str](), list(changed)
        while new:
            name = new.pop()
            if name not in reached:
                reached.add(name)
                new += self._readers.get(name, ())
        return reached


class MemoTable(Generic[V]):
    """Values by name, each computed once and dropped with what it depends on. ``kind`` tells the
    names of several such tables apart."""

    def __init__(self, tracker: DependencyTracker, kind: str = "") -> None:
        self._tracker, self._kind = tracker, kind
        self._values: dict[str, V] = {}

    def of(self, name: str, work: Callable[[str], V]) -> V:
        """The value under a name; ``work`` is given the name where there is none."""
        self._tracker.read(self._kind + name)
        if name not in self._values:
            self._values[name] = self._tracker.compute(self._kind + name, work, name)
        return self._values[name]

    @property
    def known(self) -> Mapping[str, V]:
        """What has been computed and is valid."""
        return self._values

    def drop(self, reached: Iterable[str]) -> None:
        """Forget the values under these names of the tracker."""
        for name in reached:
            if name.startswith(self._kind):
                self._values.pop(name[len(self._kind) :], None)


class _Reads(Mapping[K, V]):
    """A mapping that tracks which of its values are read, and whether its keys are gone
    through."""

    def __init__(self, tracker: DependencyTracker, values: Mapping[K, V], part: str) -> None:
        self._tracker, self._values = tracker, values
        self._value, self._keys = _PARTS[part], keys_of(part)

    def __getitem__(self, key: K) -> V:
        self._tracker.read(f"{self._value}{key}")
        return self._values[key]

    def __iter__(self) -> Iterator[K]:
        self._tracker.read(self._keys)
        return iter(self._values)

    def __len__(self) -> int:
        self._tracker.read(self._keys)
        return len(self._values)


_PARTS = {"cells": "", "slots": "", "versions": "version ", "papers": "paper ", "places": "places "}
"""The parts of a state that are compared value by value, with how their names begin. Any other part
is compared as a whole."""


def keys_of(part: str) -> str:
    """The name under which going through a part's keys is noted."""
    return f"keys of {part}"


class TrackedState(State):
    """The state of a session, now and after each change; a tracker notes who reads what of it. Only
    to be read."""

    def __init__(
        self, tracker: DependencyTracker
    ) -> None:  # each part is that of the state that is followed
        self._tracker = tracker
        self._state = State()
        self._papers: dict[str, Paper] = {}
        """The records as they were when last read: the session adds to them in place."""
        self._reads: dict[str, Mapping[Any, Any]] = {}
        self._in_use: MemoTable[int | None] = MemoTable(tracker)
        self._meanings: dict[str, tuple[str, str | None]] = {}
        """The meanings behind references, each with its address."""
        self._fields: dict[str, list[str]] = {}
        """The references in ``_meanings`` to each address."""
        self._take(self._state)

    def _take(self, state: State) -> None:
        self._state = state
        self._papers = dict(state.papers)
        self._reads = {part: _Reads(self._tracker, getattr(state, part), part) for part in _PARTS}

    def follow(self, state: State) -> set[str]:
        """Go on to another state. Returns the names of all that has to be computed again."""
        reached = self._tracker.dependents(_differences(self._state, self._papers, state))
        self._take(state)
        self._in_use.drop(reached)
        for address in reached & self._fields.keys():
            for name in self._fields.pop(address):
                del self._meanings[name]
        return reached

    def share_in_use(self) -> None:
        """Let the state that is followed know what is in use in it, so that it need not find that
        again."""
        self._state.take_in_use(self._in_use.known)

    def __getattr__(self, name: str) -> Any:
        """A part of the state that is compared as a whole (settings, shelf), or one that is
        compared value by value."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._reads:
            return self._reads[name]
        self._tracker.read(f"part {name}")
        return getattr(self._state, name)

    def copy(self) -> State:
        return self._state.copy()

    def forget(self) -> None:
        """Nothing: what is cached here is dropped by ``follow``."""

    def cell(self, address: str) -> Cell:
        self._tracker.read(address)
        return self._state.cell(address)

    def slot(self, address: str) -> Slot:
        self._tracker.read(address)
        return self._state.slot(address)

    def content(self, version: Version, model: type[C]) -> C:
        return self._state.content(version, model)

    @property
    def branches(self) -> list[Branch]:
        self._tracker.read("part branches")
        return self._state.branches

    def in_use(self, address: str) -> Version | None:
        seq = self._in_use.of(address, self._in_use_at)
        return self._state.versions[seq] if seq is not None else None

    def _in_use_at(self, address: str) -> int | None:
        return self._find_in_use(self._state.cell(address))

    def meaning(self, name: str) -> str | None:
        known = self._meanings.get(name)
        if known is None:
            address, _ = split_ref(name)
            known = self._meanings[name] = (
                address,
                self._tracker.compute(address, self._find_meaning, name),
            )
            self._fields.setdefault(address, []).append(name)
        self._tracker.read(known[0])
        return known[1]


def _differences(old: State, papers: Mapping[str, Paper], new: State) -> Iterator[str]:
    """The names of what differs between two states. ``papers``: the records of the old one."""
    for part in _PARTS:
        yield from _changed_values(
            papers if part == "papers" else getattr(old, part), getattr(new, part), part
        )
    for part, now in vars(new).items():
        if not part.startswith("_") and part not in _PARTS and getattr(old, part) != now:
            yield f"part {part}"
    if old.branches != new.branches:
        yield "part branches"


def _changed_values(old: Mapping[Any, Any], new: Mapping[Any, Any], part: str) -> Iterator[str]:
    kind = _PARTS[part]
    for key, now in new.items():
        then = old.get(key)
        if then is not now and then != now:  # most are the very same
            yield f"{kind}{key}"
    if list(old) != list(new):
        yield keys_of(part)
        yield from (f"{kind}{key}" for key in old.keys() - new.keys())
