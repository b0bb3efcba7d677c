"""The keys of novelty report, arena and review."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, LOOK, MAKE, MOVE, Action

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
    Action("review", "V", "V", "review again", "review the plan in use (a plan first)", MAKE, 4),
    Action("add", "plus", "+", "own point", "add a point of your own", DECIDE),
    _UNDO,
    *LIST_KEYS,
    _BACK,
)

LATER = {
    "arena.tournament": "g runs the stage selection, which plays what pairs are left",
    "review.add": "points of one's own come later; edit the plan itself with e on its row",
}
