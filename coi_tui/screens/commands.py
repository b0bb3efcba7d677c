"""The keys of the workbench, forty and one at most: those of the table of verbs, and its own. And the list of
all keys and commands of a screen: typing filters, Enter runs, a command that is off says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.fuzzy import Matcher
from textual.widget import Widget
from textual.widgets import Static

from coi_tui.model.suggest import meant
from coi_tui.model.text import has_words
from coi_tui.screens.base import CoiScreen, Sheet
from coi_tui.session.decisions.verbs import VERBS
from coi_tui.session.wording import GLYPH_WORDS
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.key_actions import (
    FIND_NEXT,
    FIND_PREVIOUS,
    HELP,
    OWN_PAPERS,
    QUIT,
    UNDO,
    KeyAction,
)
from coi_tui.widgets.panes import Line

WORKBENCH_ACTIONS = (
    *(
        KeyAction(verb.name, verb.key, verb.label, verb.help, verb.footer)
        for verb in VERBS.values()
        if verb.label
    ),
    UNDO,
    KeyAction("redo", "U", "redo", "bring back what was undone", 14),
    KeyAction(
        "refresh_all", "R", "all stale", "bring everything stale up to date (a plan first)", 5
    ),
    KeyAction("generate", "g", "generate", "run to a stage you choose (a plan first)", 5),
    KeyAction(
        "enter", "enter", "read", "go to the text of this row; from there to what it cites", 12
    ),
    KeyAction("why", "w", "why", "where this comes from and what it is based on, in sentences", 8),
    KeyAction(
        "next",
        "right_square_bracket",
        "next to decide",
        "go to the next thing that needs you",
        4,
    ),
    KeyAction("history", "h", "history", "the versions of this text: read one and use it", 11),
    KeyAction("diff", "d", "diff", "what changed between two versions"),
    KeyAction("read", "o", "paper", "read the paper"),
    KeyAction(
        "picture", "P", "picture", "the chain of this branch as a picture: years, links, idea"
    ),
    KeyAction("find", "slash", "find", "find words in the tree and the texts, or go to an address"),
    FIND_NEXT,
    FIND_PREVIOUS,
    KeyAction("tag", "t", "tag", "tag this row, to compare it"),
    KeyAction("compare", "equals_sign", "compare", "compare the two tagged rows"),
    KeyAction("pane_1", "1", "chain", "go to the chain"),
    KeyAction("pane_2", "2", "detail", "go to the text"),
    KeyAction("stop", "S", "stop", "stop after the current call; again: stop now", 1),
    KeyAction(
        "export",
        "s",
        "export",
        "write the proposal, references or a picture, after its warnings (all is saved already)",
        11,
    ),
    KeyAction("cost", "", "cost", "runs and cost"),
    KeyAction("log", "l", "log", "the log of decisions, newest first", 18),
    KeyAction("look", "", "new papers", "look for papers that are new since you looked"),
    KeyAction("readers", "", "second readers", "what second readers decided otherwise, and why"),
    KeyAction("note", "", "note", "a private note on this row; it is never sent"),
    KeyAction("copy", "y", "copy", "copy the text of this row, or what is selected"),
    replace(OWN_PAPERS, footer=0),
    KeyAction("settings", "", "settings", "settings"),
    KeyAction(
        "network",
        "",
        "work offline or online",
        "turn network access of this session off or on",
    ),
    KeyAction(
        "means", "", "my means", "say what means you have, such as GPUs, data, people, weeks"
    ),
    KeyAction(
        "criteria", "", "criteria", "which papers may be proposed: years, venues, words, no surveys"
    ),
    HELP,
    KeyAction("back", "q", "sessions", "back to the sessions; a job goes on", 20),
    KeyAction("escape", "escape", "back", "close what is open; the session stays"),
    KeyAction("of_sessions", "", "rename, duplicate, delete", "of a session, in the list of them"),
    QUIT,
)

MOVING = (
    "Arrows, j and k move, ^d and ^u by half a page, ^f and ^b by a page; g (on the workbench g g) and "
    "G go to top and bottom; z gives a pane all the room; Tab goes to the next one; in the chain "
    "Left, Right and Space fold. "
    f"Signs: {', '.join(f'{sign} {word}' for sign, word in GLYPH_WORDS.items())}."
)
INDENT = 7
"""Cells for the key of a command."""

COMMAND_ACTIONS = (
    KeyAction("run", "enter", "run", "run this command", 1),
    KeyAction("cancel", "escape,f1", "close", "clear the filter, then close", 2),
)


class CommandSheet(Sheet[str]):
    """Gives the name of the action to run, or None."""

    PLACE = "commands"
    ACTIONS = COMMAND_ACTIONS
    TAIL = ("cancel",)

    def __init__(self, below: CoiScreen[Any]) -> None:
        super().__init__()
        self.below = below
        entries = [(action, below.why_off(action.id)) for action in below.actions]
        self.entries = sorted(entries, key=lambda e: (bool(e[1]), e[0].footer or len(entries)))
        """Each action and why it is off: those that work now first, as in the footer."""
        self.shown: list[str] = []

    def body(self) -> ComposeResult:
        yield Line(f"Keys and commands: {self.below.PLACE}", id="title")
        yield LineField(placeholder="type to filter", compact=True)
        yield MarkedList(id="lines")
        yield Static(MOVING, id="sums", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.fill)

    def on_input_changed(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Show the commands that are meant, the likeliest first."""
        if not self.composed:
            return
        lines, matcher = self.query_one(MarkedList), Matcher(self.words)
        scores = [likeness(action, off, matcher) for action, off in self.entries]
        ranked = sorted(zip(scores, self.entries, strict=True), key=lambda pair: -pair[0])
        found = [entry for score, entry in ranked if score]
        self.shown = [action.id for action, _ in found]
        lines.show([_row(*entry, lines.room) for entry in found] or [Content("no match")], 0)

    @property
    def words(self) -> str:
        """The filter."""
        return self.query_one(LineField).value if self.composed else ""

    @property
    def moved_in(self) -> Widget:
        """The list, while the filter has the focus."""
        return self.query_one(MarkedList)

    def do_run(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None and at < len(self.shown):
            self.dismiss(self.shown[at])

    on_input_submitted = on_option_list_option_selected = do_run

    def do_cancel(self) -> None:
        """Clear the filter; close where there is none."""
        if self.words:
            self.query_one(LineField).value = ""
        else:
            self.dismiss()


def likeness(action: KeyAction, off: str, matcher: Matcher) -> float:
    """How likely a command is meant by what was typed; 0 where it is not. Names count before words
    of the help; a word from elsewhere names what it is called here."""
    if action.id in (said := meant(matcher.query)):
        return MEANT - said.index(action.id)
    whole = f"{action.show} {action.label} {action.help} {off}"
    named = matcher.match(action.label) if matcher.query.strip() else 0.0
    return named or float(has_words(whole, matcher.query))


MEANT = 1000.0


def _row(action: KeyAction, off: str, width: int) -> Content:
    """A command in lines of at most ``width`` cells, indented below its key."""
    reason = Content.styled(f"off: {off}", "dim italic")
    texts = [Content(f"{action.label}: {action.help}"), *([reason] if off else [])]
    lines = [line for text in texts for line in text.wrap(width - INDENT)]
    heads = [(f"{action.show:{INDENT}}", "bold"), *[(" " * INDENT, "")] * (len(lines) - 1)]
    return Content("\n").join(
        Content.assemble(head, line) for head, line in zip(heads, lines, strict=True)
    )
