"""The keys of the screens about running."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, MOVE, RUN, Action

PLAN = (
    Action("run", "enter", "Enter", "run", "run what is ticked", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a step in or out", DECIDE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    Action("copy", "y", "y", "copy plan", "copy the plan as text", RUN, 4),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing is spent", DECIDE, 3),
)

STAGE = (
    Action("choose", "enter", "Enter", "plan", "show the plan to this stage; nothing runs yet", DECIDE, 1),
    Action("down", "j", "j", "down", "a stage down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a stage up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)
