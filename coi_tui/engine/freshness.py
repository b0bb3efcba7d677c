"""Freshness is computed, never stored: a cell is compared with ``reads(state)`` evaluated now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from coi_tui.engine.reads import Read, meanings_now
from coi_tui.model.address import PAIR, parse_address, slot
from coi_tui.model.entries import Version
from coi_tui.model.state import Cell, State

Status = Literal["fresh", "kept", "stale", "upstream", "missing"]


@dataclass(frozen=True)
class Freshness:
    """Status of a cell. ``changed``: references whose meaning differs from what the version was made from; ``needs``: slots or cells it
    needs that are empty; ``upstream``: cells above it that are not fresh; ``choice_waits``: an up-to-date alternative stands beside a
    person's text.
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


FRESH = Freshness("fresh")
MISSING = Freshness("missing")


class Reader(Protocol):
    """The part of a step that freshness needs."""

    def reads(self, state: State, address: str) -> tuple[Read, ...]: ...


StepOf = Callable[[str], Reader | None]


class Examiner:
    """Freshness of every cell of one state, each computed once."""

    def __init__(self, state: State, step_of: StepOf) -> None:
        self.state = state
        self.step_of = step_of
        self._known: dict[str, Freshness] = {}

    def __call__(self, address: str) -> Freshness:
        if address not in self._known:
            self._known[address] = self._examine(address)
        return self._known[address]

    def _examine(self, address: str) -> Freshness:
        if parse_address(address).part == "slot":
            return self._slot(address)
        cell, version = self.state.cell(address), self.state.in_use(address)
        if version is None:
            return MISSING
        step = self.step_of(address)
        if step is None:
            return FRESH
        reads = tuple(r for r in step.reads(self.state, address) if not r.parent)
        if not reads:  # of one version only, as a review is: never stale
            return FRESH
        now = meanings_now(self.state, reads)
        return self._compare(cell, version, reads, now)

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

    def _compare(self, cell: Cell, version: Version, reads: tuple[Read, ...], now: Mapping[str, str | None]) -> Freshness:
        needs = tuple(r.cell for r in reads if not r.optional and now[r.ref] is None)
        changed = tuple(name for name in sorted({*version.inputs, *now}) if version.inputs.get(name, "absent") != now.get(name, "absent"))
        if cell.kept is not None and dict(cell.kept) == dict(now):
            return Freshness("kept", changed=changed)
        if changed and not self._twin(cell, version, now):
            return Freshness("stale", changed, tuple(dict.fromkeys(needs)), choice_waits=self._choice_waits(cell, now))
        above = tuple(dict.fromkeys(r.cell for r in reads if self._unfresh_text(r.cell)))
        return Freshness("upstream", upstream=above) if above else FRESH

    def _unfresh_text(self, address: str) -> bool:
        """Slots do not pass their mark on: what reads a paper reads the paper that is there."""
        return parse_address(address).part != "slot" and self(address).status in ("stale", "upstream")

    def _twin(self, cell: Cell, version: Version, now: Mapping[str, str | None]) -> bool:
        """A version that says the same was made from what is in use now: a refresh that changed nothing."""
        others = (self.state.versions[seq] for seq in cell.versions)
        return any(v.meanings == version.meanings and dict(v.inputs) == dict(now) for v in others)

    def _choice_waits(self, cell: Cell, now: Mapping[str, str | None]) -> bool:
        if cell.lock is None:
            return False
        return any(dict(self.state.versions[seq].inputs) == dict(now) for seq in cell.versions if seq != cell.lock)


def living_cells(state: State) -> list[str]:
    """Addresses of texts that count.

    Those of an empty slot sleep until a paper comes back; so does a trend between two empty slots away from the anchor.
    """
    out = []
    branches = {0, *state.branches, *state.instances}
    for address in state.cells:
        parsed = parse_address(address)
        if parsed.part == "criteria":
            continue  # a rule of a person's own, which an undo may take away whole
        if parsed.branch not in branches or (parsed.part == "match" and parsed.other not in branches):
            continue  # what was made for a branch that an undo has taken away
        if parsed.part == "card" and state.slot(str(parsed.slot)).paper is None:
            continue
        pair = (parsed.pos, parsed.newer)
        if parsed.part == PAIR and 0 not in pair and all(state.slot(slot(parsed.branch, pos)).paper is None for pos in pair):
            continue
        if parsed.part in ("cands", "rel") and parsed.pos != 0:
            inner = parsed.pos - (1 if parsed.pos > 0 else -1)
            if inner not in state.chain(parsed.branch) and abs(inner) > 0 and state.slot(str(parsed.slot)).paper is None:
                continue
        if parsed.part == "rel" and state.slot(str(parsed.slot)).verdict in ("accepted", "pinned"):
            continue
        out.append(address)
    return out


def examine_all(state: State, step_of: StepOf, extra: Iterable[str] = ()) -> dict[str, Freshness]:
    """Freshness of every living cell and filled slot, and of ``extra`` addresses."""
    examiner = Examiner(state, step_of)
    slots = [address for address, place in state.slots.items() if place.paper]
    return {address: examiner(address) for address in [*living_cells(state), *slots, *extra]}
