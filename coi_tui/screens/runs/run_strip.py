"""The strip before a plan of which a sentence says enough: what it does, what it takes, what it sends, what it changes. Enter runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import Sheet
from coi_tui.session.runs.approval import Approvals, Way
from coi_tui.session.runs.plans import Plan, total
from coi_tui.widgets.key_actions import DECIDE, HELP, KeyAction
from coi_tui.widgets.panes import Line

Put = Callable[["RunStrip", Callable[[Plan | None], None]], Any]
STRIP_ACTIONS = (
    KeyAction("run", "enter", "Enter", "run", "run it", DECIDE, 1),
    KeyAction(
        "whole",
        "space",
        "Space",
        "whole plan",
        "show the whole plan: its steps can be ticked, or it can wait",
        DECIDE,
        2,
    ),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 3),
)


class RunStrip(Sheet[Plan]):
    """Gives the plan to run, or None. ``whole`` is True where the whole plan was asked for instead."""

    PLACE = "strip"
    ACTIONS = STRIP_ACTIONS
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, plan: Plan, changes: str = "") -> None:
        super().__init__()
        self.plan, self.changes, self.whole = plan, changes, False

    def body(self) -> ComposeResult:
        yield Line(self.plan.title, self.plan.spent, id="title")
        yield Static(Content(self.said()), id="text", markup=False)

    def said(self) -> str:
        """What it takes and sends, and what it changes beside what it makes."""
        plan = self.plan
        takes = "; ".join(part for part in (total(plan), plan.time) if part)
        sent = "; ".join(plan.sends)
        rows = [
            f"{takes}, by {plan.models}.",
            f"Sends out: {sent}.",
            self.changes,
            left_alone(plan),
        ]
        return "\n".join(row for row in rows if row)

    def do_run(self) -> None:
        self.dismiss(self.plan)

    def do_whole(self) -> None:
        self.whole = True
        self.dismiss(None)


def begin(
    plan: Plan,
    approvals: Approvals,
    put: Put,
    show: Callable[[], None],
    start: Callable[[Plan | None], None],
) -> str:
    """Start a plan at once, or after a yes on its strip, or ``show`` the whole of it, as the session says.

    ``put`` puts the strip on the screen; ``start`` is given the plan, or None. Returns what is to be said of a plan that started at once.
    """
    way = approvals.of(plan).way
    if way is Way.AT_ONCE:
        start(plan)
        return at_once(plan)
    if way is Way.SHEET:
        show()
    else:
        strip = RunStrip(plan, approvals.foreseen(plan).sentence())
        put(strip, lambda chosen: show() if strip.whole else start(chosen))
    return ""


def left_alone(plan: Plan) -> str:
    """The finished branches that a plan leaves as they are, in a sentence; empty where there are none."""
    if not plan.left:
        return ""
    one = len(plan.left) == 1
    names = f"Branch {plan.left[0]} is" if one else f"Branches {', '.join(plan.left)} are"
    return f"{names} finished and {'stays' if one else 'stay'} as {'it is' if one else 'they are'}."


def at_once(plan: Plan) -> str:
    """What is said when a plan starts without a question: what it sends, what it leaves out, and the key that stops it."""
    sent = "; ".join(plan.sends)
    said = (
        "nothing is charged or sent"
        if sent.startswith("nothing leaves")
        else f"nothing is charged; it sends {sent}"
    )
    out = [
        f"{line.address} is left out: {line.off}."
        for line in plan.lines
        if line.off and not line.branch
    ]
    return " ".join(part for part in (f"S stops it; {said}.", left_alone(plan), *out[:2]) if part)
