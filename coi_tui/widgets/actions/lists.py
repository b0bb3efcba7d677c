"""The keys that every list beside a text has."""

from __future__ import annotations

from coi_tui.widgets.actions.table import HELP, MOVE, Action

LIST_KEYS = (
    Action("down", "j", "j", "down", "a row or a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a row or a line up (also the arrows)", MOVE),
    Action("pane_1", "1", "1", "list", "go to the list", MOVE),
    Action("pane_2", "2", "2", "text", "go to the text (also Tab)", MOVE),
    HELP,
)
