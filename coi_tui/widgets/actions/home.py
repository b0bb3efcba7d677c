"""The keys of the session list and of making a session."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, LOOK, MAKE, MOVE, PALETTE, RUN, Action

HOME = (
    Action("open", "enter", "Enter", "open", "open the session", DECIDE, 1),
    Action("new", "n", "n", "new", "start from a topic (free until you approve a plan)", MAKE, 2),
    Action("demo", "o", "o", "demo", "a session on a starter topic: no key, no network, nothing is charged", MAKE, 3),
    Action("down", "j", "j", "down", "a session down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a session up (also the arrows)", MOVE),
    Action("reload", "R", "R", "reload", "look at the folder again", LOOK),
    Action("import", "i", "i", "import", "import a .coi.db file someone sent you", MAKE),
    Action("export", "s", "s", "export", "write a Markdown copy", RUN),
    Action("archive", "x", "x", "archive", "put a session away", DECIDE),
    Action("duplicate", "D", "D", "duplicate", "work on a copy", MAKE),
    Action("find", "slash", "/", "filter", "filter the list", LOOK),
    Action("settings", "comma", ",", "settings", "settings and provider check", RUN),
    PALETTE,
    HELP,
    Action("quit", "q", "q", "quit", "leave coi-tui; a job that runs is stopped, the session stays sound", RUN, 20),
)

NEW = (
    Action("create", "ctrl+s", "Enter", "create", "make the session (also ^s)", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is made", DECIDE, 2),
)
