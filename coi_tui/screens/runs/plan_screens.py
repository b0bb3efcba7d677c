"""The sheet on which a plan is approved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.screens.base import Sheet
from coi_tui.session.runs.plans import Plan, PlanLine
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, MOVE, KeyAction
from coi_tui.widgets.panes import Line, ends, indented

Remake = Callable[[Sequence[str]], Plan]


PLAN_ACTIONS = (
    KeyAction("run", "enter", "Enter", "run", "run what is ticked", DECIDE, 1),
    KeyAction("tick", "space", "Space", "tick", "tick or untick this step", DECIDE, 2),
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing is spent", DECIDE, 3),
)


class PlanSheet(Sheet[Plan]):
    """Gives the plan to run, or None. ``remake`` makes the plan for what stays ticked; without it
    nothing can be ticked.

    ``needs`` says which other lines a line waits for: unticking a line unticks those too.
    ``left`` is what is left of the budget, in words.
    """

    PLACE = "plan"
    ACTIONS = PLAN_ACTIONS
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(
        self,
        plan: Plan,
        remake: Remake | None = None,
        needs: Mapping[str, Sequence[str]] | None = None,
        left: str = "",
    ) -> None:
        super().__init__()
        self.full, self.plan, self.remake, self.needs = plan, plan, remake, needs or {}
        self.left = left
        self.ticked = {line.address for line in plan.lines if line.address and not line.off}
        self.told = ""

    def body(self) -> ComposeResult:
        yield Line(self.full.title, self.full.spent, id="title")
        yield MarkedList(id="lines")
        yield Static("", id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    # -- drawing

    def _fill(self, at: int | None = None) -> None:
        """Draw the lines, the cursor on its own or on the one at ``at``."""
        lines = self.query_one(MarkedList)
        here = lines.highlighted or 0 if at is None else at
        lines.show([self._line(line, lines.room) for line in self.full.lines], here)
        self.query_one("#sums", Static).update(Content(self.summary()))
        self.refresh_footer()

    def _on(self, line: PlanLine) -> bool:
        return line.address in self.ticked if line.address else not line.off

    def _line(self, line: PlanLine, width: int) -> Content:
        box = f"[{'x' if self._on(line) else ' '}] "
        first = ends(box + line.what, line.takes, width)
        why = [
            w
            for text in (line.why, f"off: {line.off}" if line.off else "")
            for w in indented(text, 4, width)
        ]
        return Content("\n").join(
            [
                Content.styled(first, "bold" if self._on(line) else "dim"),
                *(Content.styled(w, "dim") for w in why),
            ]
        )

    def summary(self) -> str:
        """The sums, the services and what leaves the machine."""
        plan, width = self.plan, max(40, self.query_one("#sums").size.width or 76)
        rows = [
            *_named("Total", plan.takes + (f"   {self.left}" if self.left else ""), width),
            f"Model       {plan.models}",
            *_named("Search", plan.source, width),
            *_named("Sends out", "; ".join(plan.sends), width),
        ]
        if self.full.goal.kind == "refresh" and len(self.full.lines) > 1:
            rows.append(
                "Where a text comes back unchanged, the refresh ends there: nothing that builds on it is run."
            )
        return "\n".join([*rows, *([self.told] if self.told else [])])

    # -- actions

    def off_run(self) -> str:
        return (
            "enlarge the terminal to read the plan"
            if self.tiny
            else "nothing is ticked"
            if self.plan.empty
            else ""
        )

    def off_tick(self) -> str:
        return (
            "stages run as a whole; choose an earlier stage to do less"
            if self.remake is None
            else ""
        )

    def label(self, item: KeyAction) -> str:
        return f"run, {self.plan.takes}" if item.id == "run" else item.label

    def say(self, text: str) -> None:
        self.told = text
        self.query_one("#sums", Static).update(Content(self.summary()))

    def do_run(self) -> None:
        self.dismiss(self.plan)

    def do_tick(self) -> None:
        at = self.query_one(MarkedList).highlighted
        line = self.full.lines[at] if at is not None else None
        if line is None or self.remake is None:
            return
        if line.off:
            self.say(f"{line.address} stays out: {line.off}.")
            return
        on, moved = line.address in self.ticked, {line.address}
        able = {
            li.address for li in self.full.lines if not li.off and (li.address in self.ticked) == on
        }
        while more := {a for a in able - moved if any(self._needs(a, b, on) for b in moved)}:
            moved |= more
        self.ticked ^= moved
        others, why = (
            sorted(moved - {line.address}),
            "they depend on it" if on else "it depends on them",
        )
        self.told = (
            f"Also {'un' if on else ''}ticked, because {why}: {', '.join(others)}."
            if others
            else ""
        )
        self.plan = self.remake([li.address for li in self.full.lines if li.address in self.ticked])
        self._fill(at)

    def _needs(self, one: str, other: str, on: bool) -> bool:
        """Whether a line moves with another: unticked because it needs it, or ticked because it is
        needed."""
        return other in self.needs.get(one, ()) if on else one in self.needs.get(other, ())

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on a line ticks it; it never runs the plan."""
        await self.action_act("tick")


def _named(name: str, said: str, width: int) -> list[str]:
    """Lines of a fact with its name before the first; none for one that says nothing."""
    lines = indented(said, 12, width) if said else []
    return [f"{name:12}{lines[0].strip()}", *lines[1:]] if lines else []
