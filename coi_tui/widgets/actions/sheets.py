"""The keys of the small sheets."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, MOVE, RUN, Action

REASON = (
    Action("send", "enter", "Enter", "reject", "reject, with the reason if one is written", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is rejected", DECIDE, 2),
)

ACCEPT_ALL = (
    Action("run", "enter", "Enter", "accept", "accept what is ticked; one undo takes it all back", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a paper in or out", DECIDE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing is accepted", DECIDE, 3),
)

NOTE = (
    Action("send", "enter", "Enter", "save", "save the note; an empty line takes it away", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the note stays as it was", DECIDE, 2),
)

FIND = (
    Action("send", "enter", "Enter", "find", "go to the first row that says it", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; what was sought before goes on", DECIDE, 2),
)

WORDS = (
    Action("send", "enter", "Enter", "search", "show the plan of this search; nothing is sent yet", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is searched", DECIDE, 2),
)

FILTER = (
    Action("send", "enter", "Enter", "filter", "show only what says these words; an empty line shows all", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the list stays as it is", DECIDE, 2),
)

GO = (
    Action("send", "enter", "Enter", "go", "go to this address", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the cursor stays", DECIDE, 2),
)

EXPORT = (
    Action("write", "enter", "Enter", "write", "write what is ticked; what exists is overwritten only after a yes", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a kind in or out", DECIDE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is written", DECIDE, 3),
)

CONFIRM = (
    Action("no", "enter,escape,n,q", "Enter", "no, go back", "change nothing", DECIDE, 1),
    Action("yes", "y", "y", "yes", "do it", DECIDE, 2),
)

MESSAGE = (
    Action("copy", "y", "y", "copy", "copy the whole message", RUN, 1),
    Action("cancel", "escape,enter,q", "Esc", "close", "close", DECIDE, 2),
)

HELP_KEYS = (
    Action("find", "slash", "type", "to filter", "typing shows only the keys that say the words; / goes to the line for them", RUN, 2),
    Action("copy", "ctrl+y", "^y", "copy", "copy the whole help", RUN, 3),
    Action("up", "up", "Up", "up", "a line up", MOVE),
    Action("down", "down", "Down", "down", "a line down", MOVE),
    Action("page_up", "pageup", "PgUp", "page up", "a page up", MOVE),
    Action("page_down", "pagedown", "PgDn", "page down", "a page down", MOVE),
    Action(
        "cancel",
        "escape,question_mark,f1,enter",
        "Esc",
        "close",
        "end the filter, then close the help; Enter closes it",
        DECIDE,
        1,
    ),
)
