"""The keys of the screens about running."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, HELP, MAKE, MOVE, RUN, Action

PLAN = (
    Action("run", "enter", "Enter", "run", "run what is ticked", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a step in or out", DECIDE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    Action("keep", "K", "K", "still valid", "say that the ticked texts still hold instead of making them again", DECIDE, 6),
    Action("anew", "a", "a", "ask anew", "ask the services also where the library holds an answer; once more: use what is kept", DECIDE, 7),
    Action("later", "l", "l", "queue for later", "let it wait for the network; it runs when you say so, at the prices of then", DECIDE, 4),
    Action("copy", "y", "y", "copy plan", "copy the plan as text", RUN, 5),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing is spent", DECIDE, 3),
)

QUEUE = (
    Action("choose", "enter", "Enter", "plan", "show this plan as it is today; it runs by Enter there", DECIDE, 1),
    Action("remove", "x", "x", "take out", "take this plan out; nothing is run", DECIDE, 2),
    Action("undo", "u", "u", "undo", "take back the last decision", DECIDE, 3),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is run", DECIDE, 9),
)

STAGE = (
    Action("choose", "enter", "Enter", "plan", "show the plan to this stage; nothing runs yet", DECIDE, 1),
    Action("down", "j", "j", "down", "a stage down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a stage up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)

GENERATE = (
    Action("choose", "enter", "Enter", "plan", "show the plan of this line; nothing runs yet", DECIDE, 1),
    Action("successor", "s", "s", "successor", "one more successor", MAKE),
    Action("predecessor", "p", "p", "predecessor", "one more predecessor", MAKE),
    Action("chain", "c", "c", "chain", "the whole chain of this branch", MAKE),
    Action("trends", "t", "t", "trends", "the trends of this branch", MAKE),
    Action("direction", "d", "d", "direction", "the future direction, with what it rests on", MAKE),
    Action("idea", "i", "i", "idea", "the idea, with what it rests on", MAKE),
    Action("experiment", "e", "e", "experiment", "the experiment plan of this branch's idea", MAKE),
    Action("first", "f", "f", "anchors", "questions and anchors", MAKE),
    Action("all", "a", "a", "all branches", "all branches to a stage you choose", MAKE),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)

COST = (
    Action("choose", "enter", "Enter", "read", "go to the text: sums, a job, or a call's prompt and raw answer", DECIDE, 1),
    Action("stop", "S", "S", "stop", "stop after the call that runs; again: stop now", RUN, 2),
    Action("cap", "b", "b", "budget", "set the most that this session may spend", DECIDE, 3),
    Action("copy", "y", "y", "copy", "copy the text below", RUN, 4),
    *LIST_KEYS,
    Action("cancel", "escape,q,dollar_sign", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)

CAP = (
    Action("send", "enter", "Enter", "set", "set the cap; an empty line takes it away", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; the cap stays as it was", DECIDE, 2),
)

FAILED = (
    Action("retry", "enter", "Enter", "try again", "try again (a plan first)", DECIDE, 1),
    Action("pin", "p", "p", "pin", "pin a paper yourself by DOI or arXiv id", DECIDE, 2),
    Action("search", "f", "f", "other source", "search with other words or another source", DECIDE, 3),
    Action("keep", "K", "K", "keep as is", "keep the chain at this length and go on", DECIDE, 4),
    Action("settings", "comma", ",", "settings", "settings: keys and sources", RUN, 6),
    Action("copy", "y", "y", "copy", "copy all of this", RUN, 5),
    HELP,
    Action("cancel", "escape,q", "Esc", "close", "close; nothing is changed", DECIDE, 9),
)
