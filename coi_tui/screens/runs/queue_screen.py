"""The plans that wait for the network: what each would take today. Enter opens a plan; it runs from there or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.model.errors import CoiError
from coi_tui.model.queue import Queued
from coi_tui.screens.base import joined
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.runs.plans import Plan, money
from coi_tui.widgets.formatting import ends, span
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, KeyAction, bindings

EMPTY_PLAN = "nothing of it is left to make; x removes it"


QUEUE_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "plan", "show this plan as it is today; Enter there runs it", DECIDE, 1),
    KeyAction("remove", "x", "x", "remove", "remove this plan; nothing is run", DECIDE, 2),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 3),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is run", DECIDE, 9),
)


class QueueScreen(Listing[Plan, Queued]):
    """Gives the plan to open, as it is now, or None."""

    PLACE = "queue"
    ACTIONS = QUEUE_ACTIONS
    BINDINGS = bindings(PLACE, ACTIONS)
    NAMES = ("[1] Queued plans   oldest first", "[2] As it is today")
    EMPTY = "No plan is queued. On the sheet of a plan, l queues it until the network is there."

    def __init__(self, controller: SessionController) -> None:
        super().__init__(controller)
        self._plans: dict[tuple[int, int, bool], Plan | CoiError] = {}

    def keys(self) -> Sequence[str]:
        return [str(q.seq) for q in self.items]

    def take(self) -> None:
        self.items = self.session.state.queue

    def plan_of(self, waits: Queued) -> Plan | CoiError:
        """The plan as it is now, or why there is none; worked out once for each state."""
        key = (self.session.state.seq, waits.seq, self.session.is_offline)
        if key not in self._plans:
            try:
                self._plans[key] = self.session.queue.plan(waits.seq)
            except CoiError as error:
                self._plans[key] = error
        return self._plans[key]

    def heading(self) -> tuple[str, str]:
        state = "offline: none can run" if self.session.is_offline else "none starts by itself"
        return "Queued plans", state

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(ends(f"{n}  {q.title}", f"queued {q.time[:10]}", width)) for n, q in enumerate(self.items, start=1)]

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        waits = self.items[at]
        plan = self.plan_of(waits)
        wish = [("", "It asks the services even where the library has an answer.")] if waits.anew else []
        if isinstance(plan, CoiError):
            return str(waits.seq), waits.title, [("CANNOT RUN NOW", f"{plan.message} {plan.hint}".strip()), *wish]
        if plan.empty:
            return str(waits.seq), waits.title, [("", f"{EMPTY_PLAN[0].upper()}{EMPTY_PLAN[1:]}.")]
        lines = [f"{line.what}   {joined((span(line.cost.calls, 'call'), money(line.usd)), '  ')}" for line in plan.lines if not line.off]
        total = f"{span(plan.calls, 'call') or 'no calls'}, {money(plan.usd)}"
        parts = [("TOTAL", total), ("STEPS", "\n".join(lines)), ("MODEL", plan.models), ("SEARCH", plan.source)]
        return str(waits.seq), waits.title, [*parts, ("SENDS OUT", "; ".join(plan.sends)), *wish]

    # -- actions --------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        if name in ("choose", "remove") and self.session.read_only_reason:
            return f"this session is read-only ({self.session.read_only_reason})"
        if name == "undo":
            return "" if self.session.undo_stack.labels()[0] else "there is nothing to undo"
        if name in ("choose", "remove") and self.composed and self.chosen is None:
            return "no plan is queued"
        if name != "choose" or self.chosen is None:
            return ""
        if self.controller.busy:
            return "a job is already running; S on the workbench stops it"
        plan = self.plan_of(self.chosen)
        if isinstance(plan, CoiError):
            return plan.message.rstrip(".")
        return EMPTY_PLAN if plan.empty else ""

    def do_choose(self) -> None:
        assert self.chosen is not None
        plan = self.plan_of(self.chosen)
        if isinstance(plan, Plan):
            self.dismiss(plan)

    async def do_remove(self) -> None:
        assert self.chosen is not None
        waits = self.chosen
        await self.controller.decide(lambda: self.session.queue.remove(waits.seq))
        self.load()
        self.say(f"Removed: {waits.title}. u brings it back.")

    async def do_undo(self) -> None:
        label = self.session.undo_stack.labels()[0]
        await self.controller.decide(self.session.undo_stack.undo)
        self.load()
        self.say(f"Undone: {label}.")
