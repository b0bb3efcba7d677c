"""The keys of novelty report, arena and review."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, LOOK, MAKE, MOVE, RUN, Action

_UNDO = Action("undo", "u", "u", "undo", "take back the last decision", DECIDE, 7)
_BACK = Action("cancel", "escape,q", "Esc", "back", "back to the row", DECIDE, 9)

NOVELTY = (
    Action("judge", "c", "c", "your judgement", "goes round: same idea; overlaps, differs; unrelated; none", DECIDE, 1),
    Action("verify", "v", "v", "check again", "search again and judge (a plan first)", MAKE, 2),
    Action("bad", "B", "B", "bad example", "hold this paper against the idea: the next draft must differ from it", DECIDE, 3),
    Action("read", "enter,o", "Enter", "read", "read what there is of this paper (also o)", LOOK, 4),
    Action("note", "m", "m", "note", "a private note on this report; it is never sent", DECIDE, 5),
    _UNDO,
    *LIST_KEYS,
    _BACK,
)

ARENA = (
    Action("vote_left", "left", "Left", "left is better", "vote for the left idea on this criterion", DECIDE, 1),
    Action("vote_right", "right", "Right", "right", "vote for the right idea on this criterion", DECIDE, 2),
    Action("vote_tie", "0", "0", "tie", "vote for a tie on this criterion", DECIDE, 3),
    Action("next_criterion", "space", "Space", "criterion", "the next criterion", MOVE, 4),
    Action("model", "M", "M", "model's view", "show what the model said of this match before you have voted", LOOK, 5),
    Action("pick", "a", "a", "pick", "pick the idea that your votes on this match favour", DECIDE, 6),
    Action("compare", "enter,d", "Enter", "side by side", "both ideas beside each other (also d)", LOOK, 8),
    _UNDO,
    Action("tournament", "w", "w", "tournament", "all pairs of ideas (a plan first)", MAKE),
    *LIST_KEYS,
    _BACK,
)

REVIEW = (
    Action("tick", "space", "Space", "tick", "this point is to be answered, or not", DECIDE, 1),
    Action("dismiss", "x", "x", "dismiss", "set this point aside, with a reason", DECIDE, 2),
    Action("refine", "F", "F", "refine", "refine the plan with the ticked points (a plan first)", MAKE, 3),
    Action("review", "V", "V", "review", "review the plan in use (a plan first)", MAKE, 4),
    Action("add", "plus", "+", "own point", "add a point of your own; it counts like the reviewer's", DECIDE, 5),
    Action("older", "less_than_sign", "<", "older", "the changes of the version of the plan before this one", LOOK, 6),
    Action("newer", "greater_than_sign", ">", "newer", "the changes of the version of the plan after this one", LOOK, 6),
    _UNDO,
    *LIST_KEYS,
    _BACK,
)

POINT = (
    Action("send", "enter", "Enter", "add", "add the point; an empty line adds nothing", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is added", DECIDE, 2),
)

LATER = {
    "arena.tournament": "g runs the stage selection, which plays what pairs are left",
}
