"""Queued plans: kept until the network is there, planned anew at their time, removed. None of them ever starts by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coi_tui.engine.scheduler import Goal
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.queue import Queued
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.summary import count
from coi_tui.session.runs.planner import Planner, scope_of
from coi_tui.session.runs.plans import Plan
from coi_tui.session.runs.service_setup import online_setup


class PlanQueue:
    """The queued plans of a session."""

    def __init__(self, core: SessionCore, planner: Planner) -> None:
        self._core, self._planner = core, planner

    def reason_not_to(self, plan: Plan) -> str:
        """Why a plan cannot be queued until the network is there; empty where it can."""
        core = self._core
        if core.file.read_only:
            return f"this session is read-only ({core.read_only_reason})"
        if plan.empty:
            return "nothing is ticked"
        if plan.queued:
            return "it is already queued; Esc leaves it there"
        away = online_setup(core.settings, core.keys)
        if not (away.online_model and plan.calls[1]) and not (away.online_source and plan.searches):
            return "no service that needs the network is set up"
        goal = as_goal(plan.goal)
        return "the same plan is already queued" if any(dict(q.goal) == goal for q in core.state.queue) else ""

    def add(self, plan: Plan) -> Decision:
        """Queue a plan. Nothing of it runs before a person says so, and it is planned anew then. Raises UsageError."""
        if why := self.reason_not_to(plan):
            raise UsageError(f"“{plan.title}” was not queued: {why}.", "Nothing of it was run.")
        return self._core.decide("queue", "session", {"title": plan.title, "goal": as_goal(plan.goal), "anew": plan.anew})

    def at(self, place: int) -> Queued:
        """The waiting plan at a place of the list, counted from 1. Raises UsageError."""
        queue = self._core.state.queue
        if not 1 <= place <= len(queue):
            raise UsageError(f"{count(len(queue))}, so there is no number {place}.", "`coi queue list NAME` lists them.")
        return queue[place - 1]

    def remove(self, number: int) -> Decision:
        """Take a waiting plan out, by the number of the decision that queued it. Raises UsageError."""
        return self._core.decide("unqueue", "session", {"queued": self._numbered(number).seq})

    def plan(self, number: int) -> Plan:
        """A waiting plan as it is today: what is still to be made, by the services and prices of now. Raises UsageError while offline."""
        waits = self._numbered(number)
        if self._core.is_offline:
            everywhere = "In the settings (key ,) set “offline” to false first."
            here = "Choose “work offline or online” in the palette first."
            why = "This session works offline, and the plan needs the network."
            raise UsageError(why, everywhere if self._core.settings.offline else here)
        return replace(self._planned(waits.goal, waits.title), anew=waits.anew, queued=waits.seq)

    def _numbered(self, number: int) -> Queued:
        found = next((q for q in self._core.state.queue if q.seq == number), None)
        if found is None:
            raise UsageError(f"There is no queued plan {number}.", "Look at the list again; it may have run or been removed.")
        return found

    def _planned(self, goal: Mapping[str, Any], title: str) -> Plan:
        if goal.get("kind") == "run":
            return self._planner.to_stage(str(goal.get("until") or ""), scope_of(goal))
        addresses = [str(a) for a in goal.get("addresses", ())]
        given = {str(name): str(value) for name, value in (goal.get("given") or {}).items()}
        return self._planner.to_make(addresses, title, again=bool(goal.get("again")), step=str(goal.get("step") or ""), given=given)


def as_goal(goal: Goal) -> dict[str, Any]:
    """A goal as JSON, for the log."""
    return {
        "kind": goal.kind, "until": goal.until, "addresses": list(goal.addresses), "again": goal.again, "step": goal.step,
        "branches": list(goal.scope.branches), "side": goal.scope.side, "furthest": goal.scope.furthest,
        **({"grown": list(goal.scope.grown)} if goal.scope.grown else {}),
        **({"instance": goal.scope.instance} if goal.scope.instance else {}), **({"given": dict(goal.given)} if goal.given else {}),
    }  # fmt: skip
