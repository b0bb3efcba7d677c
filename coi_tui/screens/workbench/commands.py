"""The keys of the workbench, forty at most: those of the table of verbs, and its own. What is used
less is in the list of commands only."""

from __future__ import annotations

from coi_tui.session.decisions.verbs import VERBS
from coi_tui.widgets.key_actions import DECIDE, HELP, LOOK, MAKE, MOVE, RUN, KeyAction

OF_VERBS = tuple(
    KeyAction(verb.name, verb.key, verb.key or ":", verb.label, verb.help, verb.group, verb.footer)
    for verb in VERBS.values()
    if verb.label
)

WORKBENCH_ACTIONS = (
    *OF_VERBS,
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 6),
    KeyAction("redo", "U", "U", "redo", "bring back what was undone", DECIDE, 14),
    KeyAction(
        "refresh_all",
        "R",
        "R",
        "all stale",
        "bring everything stale up to date (a plan first)",
        MAKE,
        5,
    ),
    KeyAction(
        "generate", "g", "g", "generate", "run to a stage you choose (a plan first)", MAKE, 5
    ),
    KeyAction("enter", "enter", "Enter", "read", "go to the text of this row", LOOK, 12),
    KeyAction(
        "why",
        "w",
        "w",
        "why",
        "where this comes from and what it is based on, in sentences",
        LOOK,
        8,
    ),
    KeyAction(
        "next",
        "right_square_bracket",
        "]",
        "next to decide",
        "go to the next thing that needs you",
        LOOK,
        4,
    ),
    KeyAction(
        "history", "h", "h", "history", "the versions of this text: read one and use it", LOOK, 11
    ),
    KeyAction("diff", "d", "d", "diff", "what changed between two versions", LOOK),
    KeyAction("read", "o", "o", "paper", "read the paper", LOOK),
    KeyAction(
        "inspector",
        "i,3",
        "i",
        "inspector",
        "go to the inspector (also 3); from there back, and it is out of sight",
        LOOK,
    ),
    KeyAction(
        "find",
        "slash",
        "/",
        "find",
        "find words in the tree and the texts, or go to an address",
        LOOK,
    ),
    KeyAction("find_next", "n", "n", "next match", "the next place with the word", LOOK),
    KeyAction("tag", "t", "t", "tag", "tag this row, to compare it", LOOK),
    KeyAction("compare", "equals_sign", "=", "compare", "compare the two tagged rows", LOOK),
    KeyAction("pane_1", "1", "1", "chain", "go to the chain", MOVE),
    KeyAction("pane_2", "2", "2", "detail", "go to the text", MOVE),
    KeyAction("stop", "S", "S", "stop", "stop after the current call; again: stop now", RUN, 1),
    KeyAction(
        "export",
        "s",
        "s",
        "export",
        "write the proposal, references or a picture, after its warnings (all is saved already)",
        RUN,
        11,
    ),
    KeyAction("cost", "", ":", "cost", "runs and cost", RUN),
    KeyAction("log", "l", "l", "log", "the log of decisions, newest first", RUN, 18),
    KeyAction("note", "", ":", "note", "a private note on this row; it is never sent", RUN),
    KeyAction(
        "copy",
        "y",
        "y",
        "copy",
        "copy the text of this row, or what is selected",
        RUN,
    ),
    KeyAction("settings", "", ":", "settings", "settings", RUN),
    KeyAction(
        "network",
        "",
        ":",
        "work offline or online",
        "turn network access of this session off or on",
        RUN,
    ),
    KeyAction(
        "means",
        "",
        ":",
        "my means",
        "say what means you have, such as GPUs, data, people, weeks",
        DECIDE,
    ),
    KeyAction(
        "criteria",
        "",
        ":",
        "criteria",
        "which papers may be proposed: years, venues, words, no surveys",
        DECIDE,
    ),
    HELP,
    KeyAction("back", "q", "q", "sessions", "back to the sessions; a job goes on", RUN, 20),
    KeyAction("escape", "escape", "Esc", "back", "close what is open; the session stays", RUN),
)
