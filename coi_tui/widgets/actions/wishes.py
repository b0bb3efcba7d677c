"""The keys of the sheets of criteria and of the order of sources."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, RUN, Action

CRITERIA = (
    Action("send", "ctrl+s", "Enter", "set", "set these criteria; lists made under others become stale (also ^s)", DECIDE, 1),
    Action("clear", "f4", "F4", "clear all", "take all criteria away", DECIDE, 2),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the criteria stay as they were", DECIDE, 9),
)

SOURCES = (
    Action("send", "ctrl+s", "Enter", "set", "set this order; what is in the chains stays (also ^s)", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the order stays as it was", DECIDE, 9),
)
