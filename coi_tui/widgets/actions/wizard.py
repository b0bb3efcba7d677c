"""The keys of the making of a session."""

from __future__ import annotations

from coi_tui.widgets.actions.table import DECIDE, HELP, MAKE, MOVE, RUN, Action

WIZARD = (
    Action("forward", "ctrl+s", "Enter", "continue", "go on to the next step (also ^s, in a field too)", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a question in or leave it out; choose a pace", DECIDE, 2),
    Action("edit", "e", "e", "edit", "write this question anew", MAKE, 3),
    Action("add", "plus,n", "+", "add", "go to the line for a question of your own", MAKE, 4),
    Action("ask", "g", "g", "ask for questions", "ask for search questions (a plan first)", MAKE, 5),
    Action("undo", "u", "u", "undo", "take the last decision back", DECIDE, 6),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    Action("back", "escape", "Esc", "back", "the step before; from the first one to the sessions. Nothing is lost", RUN, 9),
)

WHICH = (
    Action("choose", "enter", "Enter", "this one", "take the paper under the cursor", DECIDE, 1),
    Action("down", "j", "j", "down", "a paper down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a paper up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape", "Esc", "none of these", "take none; what you typed stays in its line", DECIDE, 2),
)

QUESTION = (
    Action("send", "enter", "Enter", "save", "keep the question as it is written", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the question stays as it was", DECIDE, 2),
)
