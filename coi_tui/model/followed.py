"""A state that is followed: what was worked out from it stays until something that it looked at
differs.

Whoever works something out from a ``TrackedState`` is noted at each thing that it asks for. When
the session has moved on, ``follow`` finds what differs and names all that looked at it, directly or
through others. What stays is what working it out anew would give.
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
    """Who looked at what. Names are texts: an address stands for the cell or slot there with all
    that follows from it."""

    def __init__(self) -> None:
        self._lookers: dict[str, set[str]] = {}
        self._seen: list[set[str]] = []
        """What each piece of work that is under way has looked at so far, the innermost last."""

    def look(self, name: str) -> None:
        """Whatever is being worked out rests on this."""
        if self._seen:
            self._seen[-1].add(name)

    def noting(self, name: str, work: Callable[[T], V], of: T) -> V:
        """Work something out under a name, and note it at all that it looks at."""
        seen: set[str] = set()
        self._seen.append(seen)
        try:
            return work(of)
        finally:
            self._seen.pop()
            for looked_at in seen:
                self._lookers.setdefault(looked_at, set()).add(name)

    def resting_on(self, changed: Iterable[str]) -> set[str]:
        """These names, and those of all that was worked out from them."""
        reached, new = set[str](), list(changed)
        while new:
            name = new.pop()
            if name not in reached:
                reached.add(name)
                new += self._lookers.get(name, ())
        return reached


class Kept(Generic[V]):
    """Values by name, each worked out once and dropped with what it rests on. ``kind`` tells the
    names of several such tables apart."""

    def __init__(self, trail: DependencyTracker, kind: str = "") -> None:
        self._trail, self._kind = trail, kind
        self._values: dict[str, V] = {}

    def of(self, name: str, work: Callable[[str], V]) -> V:
        """The value under a name; ``work`` is given the name where there is none."""
        self._trail.look(self._kind + name)
        if name not in self._values:
            self._values[name] = self._trail.noting(self._kind + name, work, name)
        return self._values[name]

    @property
    def known(self) -> Mapping[str, V]:
        """What has been worked out and still holds."""
        return self._values

    def drop(self, names: Iterable[str]) -> None:
        """Forget what stands under these names."""
        for name in names:
            self._values.pop(name, None)

    def drop_reached(self, reached: Iterable[str]) -> None:
        """Forget what stands under these names of the trail."""
        skip = len(self._kind)
        self.drop(name[skip:] for name in reached if name.startswith(self._kind))


class _Looked(Mapping[K, V]):
    """A mapping that notes which of its values are asked for, and whether its keys were gone
    through."""

    def __init__(self, trail: DependencyTracker, held: Mapping[K, V], part: str) -> None:
        self._trail, self._held = trail, held
        self._value, self._keys = _PARTS[part], keys_of(part)

    def __getitem__(self, key: K) -> V:
        self._trail.look(f"{self._value}{key}")
        return self._held[key]

    def __iter__(self) -> Iterator[K]:
        self._trail.look(self._keys)
        return iter(self._held)

    def __len__(self) -> int:
        self._trail.look(self._keys)
        return len(self._held)


_PARTS = {"cells": "", "slots": "", "versions": "version ", "papers": "paper ", "places": "places "}
"""The parts of a state that are compared value by value, with how their names begin. Any other part
is compared as a whole."""


def keys_of(part: str) -> str:
    """The name under which going through a part's keys is noted."""
    return f"keys of {part}"


class TrackedState(State):
    """The state of a session, now and after each change, for whoever notes on a trail what it looks
    at. Only to be read."""

    def __init__(
        self, trail: DependencyTracker
    ) -> None:  # nothing is held here: each part is that of the state followed
        self._trail = trail
        self._state = State()
        self._papers: dict[str, Paper] = {}
        """The records as they were when last looked at: the session adds to them in place."""
        self._looked: dict[str, Mapping[Any, Any]] = {}
        self._in_use: Kept[int | None] = Kept(trail)
        self._meanings: dict[str, tuple[str, str | None]] = {}
        """The meanings behind references, each with its address."""
        self._fields: dict[str, list[str]] = {}
        """The references in ``_meanings`` to each address."""
        self._take(self._state)

    def _take(self, state: State) -> None:
        self._state = state
        self._papers = dict(state.papers)
        self._looked = {part: _Looked(self._trail, getattr(state, part), part) for part in _PARTS}

    def follow(self, state: State) -> set[str]:
        """Go on to another state. Returns the names of all that has to be worked out anew."""
        reached = self._trail.resting_on(_differences(self._state, self._papers, state))
        self._take(state)
        self._in_use.drop_reached(reached)
        for address in reached & self._fields.keys():
            for name in self._fields.pop(address):
                del self._meanings[name]
        return reached

    def tell(self) -> None:
        """Let the state that is followed know what is in use in it, so that it need not find that
        again."""
        self._state.take_in_use(self._in_use.known)

    def __getattr__(self, name: str) -> Any:
        """A part of the state that is compared as a whole (settings, shelf), or one that is
        compared value by value."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._looked:
            return self._looked[name]
        self._trail.look(f"part {name}")
        return getattr(self._state, name)

    def copy(self) -> State:
        return self._state.copy()

    def forget(self) -> None:
        """Nothing: what is kept here is dropped by ``follow``."""

    def cell(self, address: str) -> Cell:
        self._trail.look(address)
        return self._state.cell(address)

    def slot(self, address: str) -> Slot:
        self._trail.look(address)
        return self._state.slot(address)

    def content(self, version: Version, model: type[C]) -> C:
        return self._state.content(version, model)

    @property
    def branches(self) -> list[Branch]:
        self._trail.look("part branches")
        return self._state.branches

    def in_use(self, address: str) -> Version | None:
        seq = self._in_use.of(address, self._in_use_at)
        return self._state.versions[seq] if seq is not None else None

    def _in_use_at(self, address: str) -> int | None:
        return self._find_in_use(self._state.cell(address))

    def meaning(self, name: str) -> str | None:
        held = self._meanings.get(name)
        if held is None:
            address, _ = split_ref(name)
            held = self._meanings[name] = (
                address,
                self._trail.noting(address, self._find_meaning, name),
            )
            self._fields.setdefault(address, []).append(name)
        self._trail.look(held[0])
        return held[1]


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
