"""Plans that wait for the network: put off, planned anew at their time, taken out. None of them ever starts by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coi_tui.engine.steps import Scope
from coi_tui.literature.types import UNAVAILABLE
from coi_tui.methods.coi.method import STAGES
from coi_tui.model.calls import Failure
from coi_tui.model.errors import UsageError
from coi_tui.model.queue import Queue, Queued
from coi_tui.session.queries.summary import count
from coi_tui.session.runs.plans import Plan
from coi_tui.session.runs.service_setup import setup_of

if TYPE_CHECKING:
    from coi_tui.engine.scheduler import Goal, Outcome
    from coi_tui.session.runs.runner import Runs


def as_goal(goal: Goal) -> dict[str, Any]:
    """A goal as JSON, for the log."""
    return {
        "kind": goal.kind, "until": goal.until, "addresses": list(goal.addresses), "again": goal.again, "step": goal.step,
        "branches": list(goal.scope.branches), "side": goal.scope.side, "furthest": goal.scope.furthest,
    }  # fmt: skip


def reason_not_to(session: Runs, plan: Plan) -> str:
    """Why a plan cannot be put off; empty where it can."""
    if session.file.read_only:
        return f"this session is read-only ({session.read_only_reason})"
    if plan.empty:
        return "nothing is ticked"
    if plan.queued:
        return "it waits already; Esc leaves it there"
    away = setup_of(session.settings.model_copy(update={"offline": False}), session.keys, False)
    if not (away.online_model and plan.calls[1]) and not (away.online_source and plan.searches):
        return "nothing is set up that it would need the network for"
    goal = as_goal(plan.goal)
    return "the same plan waits already" if any(dict(q.goal) == goal for q in session.state.queue) else ""


def find(queue: Queue, number: int) -> Queued:
    """The plan that the decision of this number put off. Raises UsageError."""
    found = next((q for q in queue if q.seq == number), None)
    if found is None:
        raise UsageError(f"No plan {number} waits for the network.", "Look at the list again; it may have run or been taken out.")
    return found


def nth(queue: Queue, place: int) -> Queued:
    """The plan at a place of the list, counted from 1. Raises UsageError."""
    if not 1 <= place <= len(queue):
        raise UsageError(f"{count(len(queue))}, so there is no number {place}.", "coi queue list NAME shows them.")
    return queue[place - 1]


def plan_now(session: Runs, waits: Queued) -> Plan:
    """The plan as it is today: what is still to be made, by the services and prices of now. Raises UsageError while offline."""
    if session.is_offline:
        everywhere = "In the settings (key ,) set “offline” to false first."
        here = "Choose “work offline or online” in the palette first."
        why = "This session works offline, and the plan waits for the network."
        raise UsageError(why, everywhere if session.settings.offline else here)
    return replace(_planned(session, waits), anew=waits.anew, queued=waits.seq)


def _planned(session: Runs, waits: Queued) -> Plan:
    goal = waits.goal
    if goal.get("kind") == "run":
        scope = Scope(tuple(goal.get("branches") or ()), goal.get("side") or "", goal.get("furthest") or 0)
        return session.plan_run(str(goal.get("until") or STAGES[-1]), scope)
    addresses = [str(a) for a in goal.get("addresses", ())]
    return session.plan_make(addresses, waits.title, again=bool(goal.get("again")), step=str(goal.get("step") or ""))


def trouble(outcome: Outcome, failures: Sequence[Failure]) -> str:
    """What of a job's failures looks like a network that is away, in a sentence; empty where nothing does."""
    away = next((f for f in reversed(failures) if f.address in outcome.failed and f.kind in UNAVAILABLE), None)
    return f"What is left can wait for the network (l on its plan): {away.cause.rstrip('.')}." if away else ""
