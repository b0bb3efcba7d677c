"""The keys of the screens about texts."""

from __future__ import annotations

from coi_tui.widgets.actions.lists import LIST_KEYS
from coi_tui.widgets.actions.table import DECIDE, HELP, LOOK, MAKE, MOVE, RUN, Action

EDIT = (
    Action("save", "ctrl+s", "^s", "save version", "save the text as a version and use it", DECIDE, 1),
    Action("wording", "f2", "F2", "wording only", "a change of wording: what reads this text stays fresh", DECIDE, 3),
    Action("edit_outside", "ctrl+g", "^g", "$EDITOR", "edit in your own editor", MAKE),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 4),
    Action("beside", "f3", "F3", "beside", "what the machine wrote and what saving does, where one pane fits", LOOK, 5),
    Action("discard", "", "", "discard draft", "drop what is typed here; the text in use stays", DECIDE),
    Action("cancel", "escape", "Esc", "close", "close; a changed text is kept as a draft", DECIDE, 2),
)

HISTORY = (
    Action("choose", "enter", "Enter", "read", "go to the text of this version", LOOK, 1),
    Action("adopt", "a", "a", "adopt", "use this version; it then stays in use like a text of yours", DECIDE, 2),
    Action("diff", "d", "d", "diff", "what changed between two versions", LOOK),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)

COMPARE = (
    Action("pane_1", "1", "1", "left", "go to the first text (also Tab)", MOVE, 1),
    Action("pane_2", "2", "2", "right", "go to the second text (also Tab)", MOVE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    Action("page", "space", "Space", "page down", "a page down", MOVE, 3),
    HELP,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)

LOG = (
    Action("choose", "enter", "Enter", "go there", "go to the row that this decision is about", LOOK, 1),
    Action("revert", "r", "r", "revert", "take back this decision alone; what rests on it is named first", DECIDE, 2),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
)

DIFF = (
    Action("theirs", "greater_than_sign", ">", "theirs", "take this part from theirs, and go to the next that differs", DECIDE, 1),
    Action("mine", "less_than_sign", "<", "mine", "keep this part as mine, and go to the next that differs", DECIDE, 2),
    Action("save", "ctrl+s,enter", "^s", "save merge", "save the text put together; it has both versions as parents", DECIDE, 3),
    Action("take_free", "T", "T", "take untouched", "take from theirs every part that you had not changed yourself", DECIDE, 4),
    Action("merge", "m", "m", "by hand", "go on with the text put together in the editor", MAKE, 5),
    Action("words", "D", "D", "by word", "show the part word by word, or as two paragraphs", LOOK, 6),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)
