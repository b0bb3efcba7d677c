"""The keys of the session list and of making a session."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, DISPLAY, HELP, LOOK, MAKE, MOVE, PALETTE, RUN, Action

HOME = (
    Action("open", "enter", "Enter", "open", "open the session", DECIDE, 1),
    Action("new", "n", "n", "new", "start from a topic (free until you approve a plan)", MAKE, 2),
    Action("demo", "o", "o", "demo", "a session on a starter topic: no key, no network, nothing is charged", MAKE, 3),
    Action("down", "j", "j", "down", "a session down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a session up (also the arrows)", MOVE),
    Action("reload", "R", "R", "reload", "look at the folder again", LOOK),
    Action("import", "i", "i", "import", "import a .coi.db file someone sent you", MAKE, 4),
    Action("export", "s", "s", "export", "write an export of this session without opening it", RUN, 10),
    Action("copy", "y", "y", "copy path", "copy where the last export was written", RUN, 1),
    Action("archive", "x", "x", "put away", "put a session away, or take it back; nothing is deleted", DECIDE, 6),
    Action("undo", "u", "u", "undo", "undo putting away", DECIDE, 7),
    Action("duplicate", "D", "D", "duplicate", "work on a copy", MAKE, 8),
    Action("find", "slash", "/", "filter", "filter the list by name or topic", LOOK, 5),
    Action("put_away", "", ":", "show what is put away", "show or hide the sessions that are put away", LOOK),
    Action("delete", "", ":", "delete session", "delete this session for good; its name is asked for", DECIDE),
    Action("escape", "escape", "Esc", "end filter", "end the filter", LOOK, 9),
    Action("settings", "comma", ",", "settings", "settings and provider check", RUN),
    *DISPLAY,
    PALETTE,
    HELP,
    Action("quit", "q", "q", "quit", "leave coi-tui; a job that runs is stopped, the session stays sound", RUN, 20),
)

IMPORT = (
    Action("send", "enter", "Enter", "import", "copy this file into the sessions", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is imported", DECIDE, 2),
)

DELETE = (
    Action("send", "enter", "Enter", "delete", "delete for good, if the name is right", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is deleted", DECIDE, 2),
)

NEW = (
    Action("create", "ctrl+s", "Enter", "create", "make the session (also ^s)", DECIDE, 1),
    Action("empty", "ctrl+r", "^r", "empty", "empty the lines and begin anew", DECIDE, 3),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is made, what you typed is kept for the next time", DECIDE, 2),
)
