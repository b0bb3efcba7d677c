"""What can be generated from a row: each with its plan, or the reason why it is off. Nothing runs from here."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.engine.declarations import MenuOption
from coi_tui.engine.steps import Scope
from coi_tui.model.address import parse_address
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.planner import Planner
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
    """The menus of a session's rows: what each method offers, with its plans."""

    def __init__(self, core: SessionCore, planner: Planner) -> None:
        self._core, self._planner = core, planner

    def offers(self, address: str) -> list[Offer]:
        """The menu of a row: for its branch, or for all branches where the row belongs to none."""
        out = [self._planned(option) for option in self._core.methods.options(self._core.state, address)]
        scope = Scope(instance=parse_address(address).instance)
        return [*out, Offer("a", "all branches to a stage", "choose how far", self._planner.to_stage(scope=scope))]

    def _planned(self, option: MenuOption) -> Offer:
        if option.off:
            return Offer(option.key, option.what, option.note, off=option.off)
        if option.until:
            return _offer(option.key, option.what, option.note, self._planner.to_stage(option.until, option.scope))
        plan = self._planner.to_make(option.addresses, option.plan_title)
        first = [line.address for line in plan.lines if not line.off][:-1]
        return _offer(option.key, option.what, f"{_few(first)} first" if first else option.note, plan)


def _offer(key: str, what: str, note: str, plan: Plan) -> Offer:
    if plan.empty:
        why = next((line.off for line in plan.lines if line.off), NOTHING)
        return Offer(key, what, note, None, why)
    return Offer(key, what, note, plan)


def _few(addresses: list[str]) -> str:
    return ", ".join(addresses[:1]) + (f" and {len(addresses) - 1} more" if len(addresses) > 1 else "")
