"""The keys of the screens about papers."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, HELP, LOOK, MAKE, MOVE, RUN, Action

CANDIDATES = (
    Action("choose", "enter", "Enter", "choose", "put this paper into the slot; choosing by hand counts as accepting", DECIDE, 1),
    Action("pin", "p", "p", "pin", "pin another paper by DOI, arXiv id, URL or title", DECIDE, 2),
    Action("read", "o", "o", "read", "read what there is of this paper", LOOK, 3),
    Action("search", "f", "f", "search", "search again: the anchor with other words, a neighbour in the other source", MAKE, 4),
    Action("find", "slash", "/", "filter", "show only the candidates that say some words", LOOK, 5),
    Action("by_match", "m", "m", "by match", "sort by match, as ranked", LOOK),
    Action("by_year", "y", "y", "by year", "sort by year, newest first", LOOK),
    Action("by_citations", "n", "n", "by citations", "sort by citations, most first", LOOK),
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

ATTACH = (
    Action("send", "enter", "Enter", "attach", "read the PDF and attach its text to this paper", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is attached", DECIDE, 2),
)

READER = (
    Action("page_down", "space", "Space", "page", "a page down", MOVE, 2),
    Action("page_up", "b", "b", "page up", "a page up", MOVE, 3),
    Action("find", "slash", "/", "find", "find a word in the text", LOOK, 1),
    Action("find_next", "n", "n", "next match", "the next place with the word", LOOK, 6),
    Action("find_previous", "N", "N", "previous match", "the place with the word before", LOOK),
    Action("pin_reference", "p", "p", "pin reference", "pin the reference under the cursor of the outline before this paper", DECIDE, 4),
    Action("browser", "O", "O", "browser", "open the paper's page; over ssh its address is copied", LOOK, 5),
    Action("attach", "a", "a", "attach PDF", "attach a PDF of your own: its text is read in place of what is here", DECIDE, 10),
    Action("pane_1", "1", "1", "outline", "go to the outline; Enter goes to a place in the text", MOVE, 7),
    Action("pane_2", "2", "2", "text", "go to the text", MOVE),
    Action("pane_3", "3", "3", "card", "go to the card; Enter goes to the passage a field was drawn from", MOVE, 8),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "back", "back to the row", DECIDE, 9),
)
