"""What a plan may change beside what it makes: texts that other results build on, and papers put into chains. Pure; nothing runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from coi_tui.engine.scheduler import Goal
from coi_tui.engine.steps import EVERYTHING, Scope, View
from coi_tui.model.address import CANDIDATES, Branch, parse_address
from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import apply
from coi_tui.model.papers import Paper
from coi_tui.model.state import LISTS, State
from coi_tui.model.wording import listed
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.consequences import Rows, difference

ANY_PAPER = "a paper to be found"
"""Stands for the paper that a search may find, while it is tried what that would change."""


@dataclass(frozen=True)
class Foreseen:
    """``fills``: empty places that may get a paper; ``stale``: texts that stay and may be out of date then."""

    fills: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether texts that are up to date may not be afterwards."""
        return bool(self.stale)

    def sentence(self) -> str:
        """In one sentence; empty where nothing else changes."""
        if not self.stale:
            return ""
        how = (
            f"put a paper at {listed(self.fills)} and so make stale" if self.fills else "make stale"
        )
        return f"It may {how} {listed(self.stale)}."


def foreseen(core: SessionCore, goal: Goal) -> Foreseen:
    """What a job for this goal may change beside what it makes."""
    if goal.kind == "run":
        return foreseen_at(core, places(core, goal.until, goal.scope))
    return Foreseen(
        stale=_stale_in(core, _made_otherwise(core.state, goal.addresses), goal.addresses)
    )


def foreseen_at(core: SessionCore, fills: tuple[str, ...]) -> Foreseen:
    """What changes where each of these empty places gets a paper."""
    return Foreseen(fills, _stale_in(core, _filled(core.state, fills)))


def _stale_in(core: SessionCore, trial: State, made: Collection[str] = ()) -> tuple[str, ...]:
    """The texts that are out of date in another state of the session and are not now, but for what is ``made``."""
    if trial is core.state:
        return ()
    now, then = Rows.of(core), Rows(trial, core.followed.of(trial))
    found = difference(now, then, "", core.methods.order)
    return tuple(a for a in found.stale if a not in made and parse_address(a).part not in LISTS)


def _made_otherwise(state: State, addresses: Collection[str]) -> State:
    """The state in which each of these texts says something else; what a person holds stays in use."""
    for address in addresses:
        version = state.in_use(address)
        if version is not None:
            other = {name: f"another {name} of {address}" for name in version.meanings}
            made = Version(
                actor="coi",
                address=address,
                content=version.content,
                meanings=other,
                origin="model",
                inputs=version.inputs,
                seq=state.seq + 1,
            )
            state = apply(state, made)
    return state


def places(core: SessionCore, until: str, scope: Scope = EVERYTHING) -> tuple[str, ...]:
    """The empty places beside a chain that a run may fill first."""
    state = core.state
    wanted = core.methods.wanted(View(state, core.fresh, {}, frozenset(), scope), until)
    slots = {
        want.address.removesuffix(f".{CANDIDATES}")
        for want in wanted
        if parse_address(want.address).part == CANDIDATES
    }
    empty = (a for a in slots if parse_address(a).pos and state.slot(a).paper is None)
    return tuple(sorted(empty, key=core.methods.order))


def _filled(state: State, slots: Collection[str]) -> State:
    """The state in which these places hold a paper."""
    for place in slots:
        known = Paper(id=f"{ANY_PAPER} for {place}", title=ANY_PAPER)
        state = state.copy()
        state.papers = {**state.papers, known.id: known}
        number = state.seq + 1
        proposed = Decision(
            actor="coi",
            action="propose",
            address=place,
            value={"paper": known.id},
            seq=number,
            group=f"d{number}",
        )
        state = apply(state, proposed)
    return state


def finished(state: State, branch: Branch) -> bool:
    """Whether the chain of a branch is settled: its idea is there, and a person accepted it or every paper that it stands on."""
    if state.in_use(f"{branch}/idea") is None:
        return False
    idea, papers = state.cell(f"{branch}/idea"), state.filled(branch)
    return (
        idea.lock is not None
        or idea.accepted
        or (bool(papers) and all(held.verdict != "proposed" for held in papers))
    )


def closed_branches(core: SessionCore, until: str) -> Mapping[Branch, tuple[str, ...]]:
    """The finished branches that a run of all would put papers into, each with the places."""
    ready = [b for b in core.state.branches_of("") if finished(core.state, b)]
    found = {b: places(core, until, Scope((b,))) for b in ready if b not in core.state.parked}
    return {b: where for b, where in found.items() if where}
