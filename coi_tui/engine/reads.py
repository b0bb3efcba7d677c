"""What a step reads: named references, and their values as they were when it began."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from coi_tui.model.address import split_ref
from coi_tui.model.state import State


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
