"""Every key of every screen, in one table. Bindings, footers, help and the command palette are made from it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

NOT_BUILT = "not built yet"


@dataclass(frozen=True)
class Action:
    """What a key does in one place. ``keys`` are Textual's names, ``show`` is what a person reads.

    ``footer`` orders the footer, 0 keeps an action out of it. An action that is not ``built`` keeps its key and says so.
    """

    id: str
    keys: str
    show: str
    label: str
    help: str
    group: str
    footer: int = 0
    built: bool = True


DECIDE, MAKE, LOOK, MOVE, RUN = "DECIDE", "MAKE", "LOOK", "MOVE", "RUN AND SAVE"

PALETTE = Action("palette", "colon", ": ^p", "commands", "all commands by name", RUN)
HELP = Action("help", "question_mark,f1", "?", "help", "the keys that work here, and why others do not", RUN)

WORKBENCH = (
    Action("accept", "a", "a", "accept", "accept this paper or text", DECIDE, 2),
    Action("reject", "x", "x", "reject", "reject this paper, question or idea; the reason is optional", DECIDE, 3),
    Action("candidates", "c", "c", "candidates", "look at the candidates for this slot, and what each would change", DECIDE, 4),
    Action("pin", "p", "p", "pin", "pin a paper by DOI, arXiv id, URL or title", DECIDE, 5),
    Action("accept_all", "A", "A", "accept all", "accept everything proposed in this branch (a list first)", DECIDE, 15),
    Action("keep", "K", "K", "keep", "say that a stale text still holds", DECIDE, 6),
    Action("undo", "u", "u", "undo", "take back the last decision", DECIDE, 9),
    Action("redo", "U", "U", "redo", "bring back what was undone", DECIDE, 14),
    Action("protect", "L", "L", "protect", "protect against bulk acts, or take the protection away", DECIDE, 17),
    Action("edit", "e", "e", "edit", "edit this text and save it as a version of yours", MAKE, 4),
    Action("edit_outside", "E", "E", "$EDITOR", "edit in your own editor", MAKE, built=False),
    Action("refresh", "r", "r", "refresh", "make this again from what it reads now (a plan first)", MAKE, 5),
    Action("refresh_all", "R", "R", "all stale", "bring everything stale up to date (a plan first)", MAKE, 7),
    Action("generate", "g", "g", "generate", "run to a stage you choose (a plan first)", MAKE, 1),
    Action("verify", "v", "v", "novelty", "verify the novelty of this idea", MAKE, built=False),
    Action("branch", "b", "b", "branch", "a new branch that shares this chain up to here", MAKE, 16),
    Action("enter", "enter", "Enter", "read", "go to the text of this row", LOOK, 12),
    Action("why", "w", "w", "why", "where this comes from and what it rests on, in sentences", LOOK, 8),
    Action("next", "right_square_bracket", "]", "next to decide", "go to the next thing that needs you", LOOK, 10),
    Action("previous", "left_square_bracket", "[", "previous", "go to the previous thing that needs you", LOOK),
    Action("history", "h", "h", "history", "the versions of this text: read and adopt one", LOOK, 11),
    Action("older", "less_than_sign", "<", "older", "look at the version before this one; nothing is changed", LOOK, 18),
    Action("newer", "greater_than_sign", ">", "newer", "look at the version after this one; nothing is changed", LOOK, 19),
    Action("diff", "d", "d", "diff", "what changed between two versions", LOOK, built=False),
    Action("read", "o", "o", "paper", "read the paper", LOOK, built=False),
    Action("inspector", "i", "i", "inspector", "the inspector pane", LOOK, built=False),
    Action("find", "slash", "/", "find", "find a word in the tree and the texts", LOOK, built=False),
    Action("down", "j", "j", "down", "a row or a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a row or a line up (also the arrows)", MOVE),
    Action("fold", "space", "Space", "fold", "fold or unfold this row", MOVE, 13),
    Action("close_row", "left", "Left", "fold", "fold this row, or go to the row above it", MOVE),
    Action("open_row", "right", "Right", "unfold", "unfold this row, or go to its first part", MOVE),
    Action("pane_1", "1", "1", "chain", "go to the chain", MOVE),
    Action("pane_2", "2", "2", "detail", "go to the text", MOVE),
    Action("zoom", "z", "z", "zoom", "the pane alone on the screen", MOVE, built=False),
    Action("stop", "S", "S", "stop", "stop after the call that runs; again: stop now", RUN, 1),
    Action("export", "s", "s", "export", "write a Markdown copy beside the session (all is saved already)", RUN, 11),
    Action("cost", "dollar_sign", "$", "cost", "runs and cost", RUN, built=False),
    Action("log", "l", "l", "log", "the log of decisions, newest first", RUN, 18),
    Action("note", "m", "m", "note", "a private note on this row; it is never sent", RUN, 18),
    Action("copy", "y", "y", "copy", "copy the text of this row", RUN),
    Action("settings", "comma", ",", "settings", "settings and provider check", RUN, built=False),
    PALETTE,
    HELP,
    Action("back", "q", "q", "sessions", "back to the sessions; a job goes on", RUN, 20),
    Action("escape", "escape", "Esc", "back", "close what is open, then back", RUN),
)

HOME = (
    Action("open", "enter", "Enter", "open", "open the session", DECIDE, 1),
    Action("new", "n", "n", "new", "start from a topic (free until you approve a plan)", MAKE, 2),
    Action("demo", "o", "o", "demo", "a session on a starter topic: no key, no network, nothing is charged", MAKE, 3),
    Action("down", "j", "j", "down", "a session down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a session up (also the arrows)", MOVE),
    Action("reload", "R", "R", "reload", "look at the folder again", LOOK),
    Action("import", "i", "i", "import", "import a .coi.db file someone sent you", MAKE, built=False),
    Action("export", "s", "s", "export", "write a Markdown copy", RUN, built=False),
    Action("archive", "x", "x", "archive", "put a session away", DECIDE, built=False),
    Action("duplicate", "D", "D", "duplicate", "work on a copy", MAKE, built=False),
    Action("find", "slash", "/", "filter", "filter the list", LOOK, built=False),
    Action("settings", "comma", ",", "settings", "settings and provider check", RUN, built=False),
    PALETTE,
    HELP,
    Action("quit", "q", "q", "quit", "leave coi-tui; a job that runs is stopped, the session stays sound", RUN, 20),
)

PLAN = (
    Action("run", "enter", "Enter", "run", "run what is ticked", DECIDE, 1),
    Action("tick", "space", "Space", "tick", "take a step in or out", DECIDE, 2),
    Action("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    Action("copy", "y", "y", "copy plan", "copy the plan as text", RUN, 4),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing is spent", DECIDE, 3),
)

STAGE = (
    Action("choose", "enter", "Enter", "plan", "show the plan to this stage; nothing runs yet", DECIDE, 1),
    Action("down", "j", "j", "down", "a stage down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a stage up (also the arrows)", MOVE),
    HELP,
    Action("cancel", "escape,q", "Esc", "cancel", "close; nothing runs", DECIDE, 2),
)

EDIT = (
    Action("save", "ctrl+s", "^s", "save version", "save the text as a version and use it", DECIDE, 1),
    Action("wording", "f2", "F2", "wording only", "a change of wording: what reads this text stays fresh", DECIDE, 3),
    Action("edit_outside", "ctrl+g", "^g", "$EDITOR", "edit in your own editor", MAKE, built=False),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 4),
    Action("cancel", "escape", "Esc", "close", "close; a changed text is asked about", DECIDE, 2),
)

REASON = (
    Action("send", "enter", "Enter", "reject", "reject, with the reason if one is written", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is rejected", DECIDE, 2),
)

LIST_KEYS = (
    Action("down", "j", "j", "down", "a row or a line down (also the arrows)", MOVE),
    Action("up", "k", "k", "up", "a row or a line up (also the arrows)", MOVE),
    Action("pane_1", "1", "1", "list", "go to the list", MOVE),
    Action("pane_2", "2", "2", "text", "go to the text (also Tab)", MOVE),
    HELP,
)

CANDIDATES = (
    Action("choose", "enter", "Enter", "choose", "put this paper into the slot; choosing by hand counts as accepting", DECIDE, 1),
    Action("pin", "p", "p", "pin", "pin another paper by DOI, arXiv id, URL or title", DECIDE, 2),
    Action("search", "f", "f", "search", "search with other words", MAKE, built=False),
    Action("find", "slash", "/", "filter", "filter the list", LOOK, built=False),
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

HISTORY = (
    Action("choose", "enter", "Enter", "read", "go to the text of this version", LOOK, 1),
    Action("adopt", "a", "a", "adopt", "use this version; it then stays in use like a text of yours", DECIDE, 2),
    Action("diff", "d", "d", "diff", "what changed between two versions", LOOK, built=False),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)

LOG = (
    Action("choose", "enter", "Enter", "go there", "go to the row that this decision is about", LOOK, 1),
    *LIST_KEYS,
    Action("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
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

PIN = (
    Action("send", "enter", "Enter", "look up", "look the text up; once a paper is shown, pin it", DECIDE, 1),
    Action("down", "down", "Down", "next", "the next of several papers", MOVE, 2),
    Action("up", "up", "Up", "previous", "the previous of several papers", MOVE),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 4),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is pinned", DECIDE, 3),
)

NEW = (
    Action("create", "ctrl+s", "Enter", "create", "make the session (also ^s)", DECIDE, 1),
    Action("help", "f1", "F1", "help", "the keys that work here", RUN, 3),
    Action("cancel", "escape", "Esc", "cancel", "close; nothing is made", DECIDE, 2),
)

CONFIRM = (
    Action("no", "enter,escape,n,q", "Enter", "no, go back", "change nothing", DECIDE, 1),
    Action("yes", "y", "y", "yes", "do it", DECIDE, 2),
)

MESSAGE = (
    Action("copy", "y", "y", "copy", "copy the whole message", RUN, 1),
    Action("cancel", "escape,enter,q", "Esc", "close", "close", DECIDE, 2),
)

HELP_KEYS = (Action("cancel", "escape,question_mark,f1,q,enter", "Esc", "close", "close the help", DECIDE, 1),)

TABLE: dict[str, tuple[Action, ...]] = {
    "workbench": WORKBENCH, "home": HOME, "plan": PLAN, "stages": STAGE, "edit": EDIT, "reason": REASON, "new": NEW,
    "candidates": CANDIDATES, "pin": PIN, "shelf": SHELF, "history": HISTORY, "log": LOG, "accept_all": ACCEPT_ALL, "note": NOTE,
    "confirm": CONFIRM, "message": MESSAGE, "help": HELP_KEYS,
}  # fmt: skip


def action(place: str, name: str) -> Action:
    """The action of that name in a place. KeyError where there is none."""
    return next(a for a in TABLE[place] if a.id == name)


def bindings(place: str, *names: str) -> list[BindingType]:
    """Bindings of a place for its screen; with ``names`` only those, for a widget that would otherwise take the key itself."""
    chosen = [a for a in TABLE[place] if not names or a.id in names]
    target, inner = ("screen.act", "inner.") if names else ("act", "")
    return [
        Binding(a.keys, f"{target}('{a.id}')", a.label, show=False, key_display=a.show, tooltip=a.help, id=f"{place}.{inner}{a.id}")
        for a in chosen
    ]
