"""The keys of the timeline."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, LOOK, MOVE, RUN, Action

TIMELINE = (
    Action("go", "enter", "Enter", "go to", "back to the workbench, on the row of this paper", DECIDE, 1),
    Action("left", "left,h", "Left", "older", "the paper left of it in its branch", MOVE, 2),
    Action("right", "right,l", "Right", "newer", "the paper right of it in its branch", MOVE, 3),
    Action("down", "down,j", "Down", "branch", "the branch below", MOVE, 4),
    Action("up", "up,k", "Up", "branch up", "the branch above", MOVE),
    Action("read", "o", "o", "paper", "read the paper", LOOK, 6),
    Action("write", "s", "s", "SVG", "write the picture as SVG beside the session", RUN, 5),
    Action("pane_1", "1", "1", "picture", "go to the picture", LOOK),
    Action("pane_2", "2", "2", "text", "go to the text", LOOK),
    HELP,
    Action("cancel", "escape,q,T", "Esc", "back", "back to the row (also T)", DECIDE, 9),
)
