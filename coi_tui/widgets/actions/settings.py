"""The keys of the settings."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, LOOK, MOVE, RUN, Action

SETTINGS = (
    Action("change", "enter", "Enter", "change", "go to the settings of the section; there: change this one", DECIDE, 1),
    Action("toggle", "space", "Space", "yes or no", "switch a setting that is a yes or no", DECIDE, 2),
    Action(
        "check", "c", "c", "check", "check the services for free; again: ask each model one small question, its price told first", RUN, 3
    ),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    Action("pane_1", "1", "1", "sections", "go to the sections", MOVE),
    Action("pane_2", "2", "2", "settings", "go to the settings", MOVE),
    Action("pane_3", "3", "3", "text", "go to the text", LOOK),
    HELP,
    Action("cancel", "escape,q", "Esc", "back", "back to the sections, then back", DECIDE, 9),
)

SETTING = (
    Action("send", "enter", "Enter", "set", "check and keep this value; a refused one stays here with the reason", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is changed", DECIDE, 2),
)

ASKING = (
    Action("ask", "enter", "Enter", "ask", "ask each model the one small question, at the price named here", DECIDE, 1),
    HELP,
    Action("cancel", "escape,n,q", "Esc", "cancel", "close; nothing is asked, nothing is spent", DECIDE, 2),
)
