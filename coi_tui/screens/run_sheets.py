"""The sheet of a plan, and what was spent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual.content import Content

from coi_tui.model.document import plain_table
from coi_tui.model.money import Limit
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.sheets import (
    AskText,
    ListSheet,
    MessageSheet,
)
from coi_tui.session.queries.history import COST_HEAD, cost_table
from coi_tui.session.runs.plans import Plan, PlanLine
from coi_tui.widgets.key_actions import CANCEL, HELP, TICK, KeyAction
from coi_tui.widgets.lines import ends, indented
from coi_tui.widgets.panes import table_lines

Remake = Callable[[Sequence[str]], Plan]


class PlanSheet(ListSheet[Plan, PlanLine]):
    """Gives the plan to run, or None. ``remake`` makes the plan for what stays ticked; without it
    nothing can be ticked.

    ``needs`` says which other lines a line waits for: unticking a line unticks those too.
    ``left`` is what is left of the budget, in words.
    """

    PLACE = "plan"
    ACTIONS = (KeyAction("run", "enter", "run", "run what is ticked", 1), TICK, HELP, CANCEL)
    GUARDED = True

    def __init__(
        self,
        plan: Plan,
        remake: Remake | None = None,
        needs: Mapping[str, Sequence[str]] | None = None,
        left: str = "",
    ) -> None:
        super().__init__(plan.title, plan.spent, plan.lines)
        self.plan, self.remake, self.needs, self.left = plan, remake, needs or {}, left
        self.ticked = {line.address for line in plan.lines if line.address and not line.off}

    def _on(self, line: PlanLine) -> bool:
        return line.address in self.ticked if line.address else not line.off

    def row_text(self, row: PlanLine, width: int) -> Content:
        first = ends(f"[{'x' if self._on(row) else ' '}] {row.what}", row.takes, width)
        notes = (row.why, f"off: {row.off}" if row.off else "")
        why = [Content.styled(line, "dim") for note in notes for line in indented(note, 4, width)]
        return Content("\n").join([Content.styled(first, "bold" if self._on(row) else "dim"), *why])

    def summary(self) -> str:
        """The sums, the services and what leaves the machine."""
        plan, width = self.plan, max(40, self.query_one("#sums").size.width or 76)
        facts = {
            "Total": plan.in_full + (f"   {self.left}" if self.left else ""),
            "Model": plan.models,
            "Search": plan.source,
            "Sends out": "; ".join(plan.sends),
        }
        unchanged = "Where a text comes back unchanged, nothing that builds on it is run."
        lines = [
            f"{name if n == 0 else '':12}{line.strip()}"
            for name, fact in facts.items()
            for n, line in enumerate(indented(fact, 12, width))
        ]
        rest = [plan.note, unchanged if self.remake else "", self.message]
        return "\n".join(filter(None, [*lines, *rest]))

    # -- actions

    def off_run(self) -> str:
        if self.has_class("-tiny"):
            return "enlarge the terminal to read the plan"
        return "nothing is ticked" if self.plan.empty else ""

    def off_tick(self) -> str:
        return "" if self.remake else "stages run as a whole; choose an earlier stage to do less"

    def label(self, item: KeyAction) -> str:
        return f"run, {self.plan.takes}" if item.id == "run" else item.label

    def do_run(self) -> None:
        self.dismiss(self.plan)

    def do_tick(self) -> None:
        line = self.here
        if line is None or self.remake is None:
            return
        if line.off:
            self.say(f"{line.address} stays out: {line.off}.")
            return
        on = line.address in self.ticked
        moved = self._moved_with(line.address, on)
        self.ticked ^= moved
        others = ", ".join(sorted(moved - {line.address}))
        why = "they depend on it" if on else "it depends on them"
        self.message = (
            f"Also {'un' if on else ''}ticked, because {why}: {others}." if others else ""
        )
        self.plan = self.remake([row.address for row in self.items if row.address in self.ticked])
        self.fill()

    def _moved_with(self, address: str, on: bool) -> set[str]:
        """The lines that are ticked or unticked with one, itself among them."""
        moved = {address}
        able = {
            row.address for row in self.items if not row.off and (row.address in self.ticked) == on
        }
        # unticked because they need one of these, or ticked because they are needed
        while more := {
            one
            for one in able - moved
            for other in moved
            if (other in self.needs.get(one, ()) if on else one in self.needs.get(other, ()))
        }:
            moved |= more
        return moved


TABLE_WIDTH = 76


class CostScreen(MessageSheet):
    """What the session has spent, by task and model, and its budget."""

    PLACE = "cost"
    ACTIONS = (
        KeyAction("cap", "b", "budget", "set the most that this session may spend", 1),
        *MessageSheet.ACTIONS,
    )

    def __init__(self, controller: SessionController) -> None:
        self.controller, self.session = controller, controller.session
        rows = cost_table(self.session.calls.values())
        spent = "\n".join(table_lines(plain_table(COST_HEAD, rows), TABLE_WIDTH))
        cap = self.session.cap()
        stops = (
            f"A job stops before a call that could exceed {cap}." if cap else "No budget is set."
        )
        parts = [("", spent if rows else "No model was asked yet."), ("", stops)]
        super().__init__(f"Cost   {self.session.spent()}", parts)

    def off_cap(self) -> str:
        return self.controller.not_writable()

    def do_cap(self) -> None:
        effect = f"{self.session.spent()}. A running job keeps the cap it started with."
        sheet = AskText(
            "Budget of this session, in dollars or tokens",
            effect,
            "set",
            hint="for example 5, or 200k tokens; leave empty for no cap",
            value=self.session.own_cap().typed,
        )
        self.ask(sheet, self._cap)

    async def _cap(self, text: str) -> None:
        cap = Limit.read(text)
        await self.controller.decide(lambda: self.session.set_cap(cap))
        self.dismiss(None)
