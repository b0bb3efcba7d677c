"""The keys of the screens about papers."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, LOOK, MAKE, MOVE, RUN, Action

CANDIDATES = (
    Action("choose", "enter", "Enter", "choose", "put this paper into the slot; choosing by hand counts as accepting", DECIDE, 1),
    Action("pin", "p", "p", "pin", "pin another paper by DOI, arXiv id, URL or title", DECIDE, 2),
    Action("search", "f", "f", "search", "search with other words", MAKE),
    Action("find", "slash", "/", "filter", "filter the list", LOOK),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)

SHELF = (
    Action("choose", "enter,a", "Enter", "reopen", "take it off the shelf, so that it may be proposed again (also a)", DECIDE, 1),
    Action("candidates", "c", "c", "its slot", "the candidates of the slot that it left", DECIDE, 2),
    Action("undo", "u", "u", "undo", "take back the last decision", DECIDE, 3),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
)

PIN = (
    Action("send", "enter", "Enter", "look up", "look the text up; once a paper is shown, pin it", DECIDE, 1),
    Action("down", "down", "Down", "next", "the next of several papers", MOVE, 2),
    Action("up", "up", "Up", "previous", "the previous of several papers", MOVE),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 4),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is pinned", DECIDE, 3),
)
