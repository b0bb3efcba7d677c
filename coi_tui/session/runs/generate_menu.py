"""What can be generated from a row: each with its plan, or the reason why it is off. Nothing runs from here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.engine.steps import Scope
from coi_tui.methods.coi.growth import open_sides, why_stopped
from coi_tui.model.address import parse_address, slot
from coi_tui.model.state import Side
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.planner import Planner, branch_of
from coi_tui.session.runs.plans import Plan

NOTHING = "all of it is there and up to date"


@dataclass(frozen=True)
class Offer:
    """One line of the menu. ``plan`` is what its key would show; ``off`` is the reason where there is none."""

    key: str
    what: str
    note: str = ""
    plan: Plan | None = None
    off: str = ""


class GenerateMenu:
    """The menus of a session's rows."""

    def __init__(self, core: SessionCore, planner: Planner) -> None:
        self._core, self._planner = core, planner

    def offers(self, address: str) -> list[Offer]:
        """The menu of a row: for its branch, or for all branches where the row belongs to none."""
        branch, part = branch_of(address), parse_address(address).part
        out: list[Offer] = []
        if part in ("topic", "Q"):
            scope = Scope((branch,)) if branch else Scope()
            out.append(_offer("f", "questions, anchors", "a search for each question", self._planner.to_stage("anchors", scope)))
        if branch:
            out += self._for_branch(branch)
        whole = self._planner.to_stage()
        out.append(Offer("a", "all branches to a stage", "choose how far", whole))
        return out

    def _for_branch(self, branch: int) -> Iterator[Offer]:
        state = self._core.state
        if branch in state.parked or state.cell(f"Q{branch}").rejected:
            yield Offer("c", "this branch", off="it is left out; reopen it first")
            return
        for key, side, what in (("s", "forward", "one successor"), ("p", "backward", "one predecessor")):
            yield self._neighbour(branch, key, side, what)  # type: ignore[arg-type]
        length = state.settings.get("length", 5)
        yield _offer("c", "whole chain", f"to {length} papers", self._planner.to_stage("cards", Scope((branch,))))
        chain = [f"{slot(branch, pos)}.card" for pos in state.chain(branch)]
        trends = [*chain, *state.trends(branch)]
        short = "" if len(state.chain(branch)) > 1 else "it needs a chain of two papers; c makes one"
        direction, idea = [*trends, f"{branch}/dir"], [*trends, f"{branch}/dir", f"{branch}/idea"]
        yield self._texts("t", "trends", trends, branch, short)
        yield self._texts("d", "future direction", direction, branch, short)
        yield self._texts("i", "idea draft", idea, branch, short)
        none = "" if state.in_use(f"{branch}/idea") else "there is no idea in this branch; i drafts one"
        yield self._texts("e", "experiment", [f"{branch}/exp"], branch, none)

    def _neighbour(self, branch: int, key: str, side: Side, what: str) -> Offer:
        state = self._core.state
        if not state.chain(branch):
            return Offer(key, what, off="there is no anchor yet")
        found = next((s for s in open_sides(state, branch, {}) if s.side == side), None)
        if found is None:
            return Offer(key, what, off=why_stopped(state, branch, side))
        return _offer(key, what, found.slot, self._planner.to_stage("cards", Scope((branch,), side, found.pos)))

    def _texts(self, key: str, what: str, addresses: list[str], branch: int, short: str) -> Offer:
        """A text with whatever it rests on that is missing or not up to date."""
        if short:
            return Offer(key, what, off=short)
        plan = self._planner.to_make(addresses, f"Make {what} of branch {branch}")
        first = [line.address for line in plan.lines if not line.off][:-1]
        return _offer(key, what, f"{_few(first)} first" if first else "", plan)


def _offer(key: str, what: str, note: str, plan: Plan) -> Offer:
    if plan.empty:
        why = next((line.off for line in plan.lines if line.off), NOTHING)
        return Offer(key, what, note, None, why)
    return Offer(key, what, note, plan)


def _few(addresses: list[str]) -> str:
    return ", ".join(addresses[:1]) + (f" and {len(addresses) - 1} more" if len(addresses) > 1 else "")
