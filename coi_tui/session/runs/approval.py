"""How a plan is approved: it runs at once, after a strip of one sentence, or from its full sheet. Nothing is asked of anybody here.

``docs/decisions/0037-plans-that-run-at-once.md`` says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from coi_tui.engine.scheduler import Goal
from coi_tui.model.money import FREE
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.estimates import Estimates
from coi_tui.session.runs.foresight import Foreseen, foreseen
from coi_tui.session.runs.plans import Plan
from coi_tui.session.runs.service_setup import online_setup

LONG_S = 60.0
"""A plan that takes longer than this by estimate is shown in full."""


class Way(Enum):
    """What stands between a key and its plan."""

    AT_ONCE = "at once"
    STRIP = "strip"
    SHEET = "sheet"


@dataclass(frozen=True)
class Approval:
    """The way, and why it is none of the shorter ones: empty where it is the shortest."""

    way: Way
    why: str = ""


class Approvals:
    """Says of the plans of a session how each is approved."""

    def __init__(self, core: SessionCore, estimates: Estimates) -> None:
        self._core, self._estimates = core, estimates
        self._last: tuple[State, Goal, Foreseen] | None = None

    def of(self, plan: Plan) -> Approval:
        """How this plan is approved as things are now."""
        if why := self._whole(plan):
            return Approval(Way.SHEET, why)
        if self._asks_model(plan):
            return Approval(Way.STRIP, "a language model is asked")
        return (
            Approval(Way.STRIP, "other texts may be stale")
            if self.foreseen(plan).asks
            else Approval(Way.AT_ONCE)
        )

    def foreseen(self, plan: Plan) -> Foreseen:
        """What the plan may change beside what it makes; worked out once for as long as the session stands as it is."""
        state, goal = self._core.state, plan.goal
        if self._last is None or self._last[0] is not state or self._last[1] != goal:
            self._last = (state, goal, foreseen(self._core, goal))
        return self._last[2]

    def _asks_model(self, plan: Plan) -> bool:
        return self._core.uses_model and plan.calls[1] > 0

    def _whole(self, plan: Plan) -> str:
        """Why the whole plan is shown; empty where a strip or nothing is enough."""
        if self._core.settings.show_plans:
            return "the settings show every plan"
        if plan.unkept:
            return "the budget cannot be kept"
        if self._offline_for_now(plan):
            return "the session works offline for now"
        return (
            self._charged(plan) or self._leaves(plan) if self._asks_model(plan) else ""
        ) or self._long(plan)

    def _offline_for_now(self, plan: Plan) -> bool:
        """Offline for now: the drafter would write what a person may want of the services that are set up."""
        if not (self._core.is_offline and self._core.kept_first):
            return False
        away = online_setup(self._core.settings, self._core.keys)
        return (away.online_model and plan.calls[1] > 0) or (away.online_source and plan.searches)

    def _charged(self, plan: Plan) -> str:
        """An unknown price costs nothing only on own hardware."""
        if plan.usd == FREE or (plan.usd is None and self._estimates.on_own_hardware):
            return ""
        return "it costs"

    def _leaves(self, plan: Plan) -> str:
        """A text that goes to a model on another machine, of a kind that no approved plan of this session has sent it yet."""
        if self._estimates.on_own_hardware:
            return ""
        return "" if set(plan.sends) <= self._agreed(plan.models) else "texts leave this machine"

    def _agreed(self, models: str) -> set[str]:
        """What the plans that were approved in this session said that they send to these models."""
        approved = [
            e.detail
            for e in self._core.file.job_events()
            if e.state == "approved" and e.detail.get("models") == models
        ]
        return {str(said) for detail in approved for said in detail.get("sends", ())}

    def _long(self, plan: Plan) -> str:
        """Searches and the drafter are estimated; only a model's pace may not be known."""
        if plan.seconds is None:
            return "how long it takes is not known yet"
        return "it takes more than a minute" if plan.seconds > LONG_S else ""
