"""The keys of the workbench, and the list of all commands of a screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import groupby
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList

from coi_tui.screens.base import CoiScreen, Sheet
from coi_tui.session.decisions.verbs import VERBS
from coi_tui.session.wording import GLYPH_WORDS, NOTE_WORDS
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, LOOK, MAKE, MOVE, RUN, KeyAction, bindings
from coi_tui.widgets.panes import Line

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


RIGHT_NOW = 6
"""Number of commands that work now and are listed first."""
ORDER = (DECIDE, MAKE, LOOK, MOVE, RUN)
Entry = tuple[KeyAction, str]
"""An action and why it is off."""
Command = Callable[[], Awaitable[None] | None]


COMMAND_ACTIONS = (
    KeyAction("run", "", "Enter", "run", "run this command", DECIDE, 1),
    KeyAction(
        "cancel",
        "escape,f1",
        "Esc",
        "close",
        "clear the filter, then close",
        DECIDE,
        2,
    ),
)


class CommandSheet(Sheet[Command]):
    """Gives the command to run, or None."""

    PLACE = "commands"
    ACTIONS = COMMAND_ACTIONS
    TAIL = ("cancel",)
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(COMMAND_ACTIONS),
        *(
            Binding(key, f"move('{how}')", show=False)
            for key, how in (
                ("up", "cursor_up"),
                ("down", "cursor_down"),
                ("pageup", "page_up"),
                ("pagedown", "page_down"),
            )
        ),
    ]

    def __init__(self, below: CoiScreen[Any]) -> None:
        """``below``: the screen that the commands are of."""
        super().__init__()
        self.below = below
        self.entries = tuple(below.help_entries())
        self.commands: list[Command | None] = []
        """What Enter runs, for each row of the list."""

    def body(self) -> ComposeResult:
        yield Line(f"Keys and commands   {self.below.help_title()}", "Esc closes", id="title")
        yield LineField(placeholder="type to filter", id="words", compact=True)
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(LineField).focus()

    @property
    def words(self) -> str:
        """The filter."""
        return self.query_one(LineField).value.strip() if self.composed else ""

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill()

    def _fill(self) -> None:
        if not self.composed:
            return
        lines = self.query_one(MarkedList)
        rows = list(self._matching() if self.words else self._all())
        self.commands = [command for _, command, _ in rows]
        texts = [text if heading else _wrapped(text, lines.room) for text, _, heading in rows]
        headings = {n for n, (_, _, heading) in enumerate(rows) if heading}
        lines.show(texts or [Content("no match")], 1 if headings else 0, headings)

    def _all(self) -> Iterable[tuple[Content, Command | None, bool]]:
        """What works now, then everything by groups, then the notes."""
        now = [entry for entry in self.entries if entry[0].footer and not entry[1]]
        first = sorted(now, key=lambda entry: entry[0].footer)[:RIGHT_NOW]
        by_group = sorted(self.entries, key=lambda entry: ORDER.index(entry[0].group))
        yield Content.styled("RIGHT NOW", "bold"), None, True
        yield from map(self._row, first)
        for group, members in groupby(by_group, key=lambda entry: entry[0].group):
            yield Content.styled(group, "bold"), None, True
            yield from map(self._row, members)
        yield from ((Content(note), None, False) for note in self.below.help_notes())

    def _matching(self) -> Iterable[tuple[Content, Command | None, bool]]:
        """The commands that contain the words, those that work first."""
        found = [entry for entry in self.entries if fits(entry, self.words)]
        yield from map(self._row, sorted(found, key=lambda entry: bool(entry[1])))

    def _row(self, entry: Entry) -> tuple[Content, Command, bool]:
        item, reason = entry
        off = (f"\noff: {reason}", "dim italic") if reason else ""
        text = Content.assemble((f"{item.show:6}", "bold"), f" {item.label}: {item.help}", off)
        return text, partial(self.below.action_act, item.id), False

    def action_move(self, how: str) -> None:
        """Move the cursor of the list while the filter has the focus."""
        getattr(self.query_one(MarkedList), f"action_{how}")()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.do_run()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.do_run()

    def do_run(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None and at < len(self.commands) and (command := self.commands[at]):
            self.dismiss(command)

    def do_cancel(self) -> None:
        """Clear the filter; close where there is none."""
        if self.words:
            self.query_one(LineField).value = ""
        else:
            self.dismiss(None)


def fits(entry: Entry, words: str) -> bool:
    """Whether a command contains all of the words."""
    item, reason = entry
    text = f"{item.show} {item.label} {item.help} {reason}".casefold()
    return all(word in text for word in words.casefold().split())


def _wrapped(text: Content, width: int) -> Content:
    """Lines of at most ``width`` cells, indented below the first word after the key."""
    first, *rest = (line for part in text.split("\n") for line in part.wrap(width - 7))
    return Content("\n").join([first, *(Content.assemble(" " * 7, line) for line in rest)])


def row_legend() -> tuple[str, ...]:
    """What the glyph before a row and the word at its right mean."""
    return (
        "Glyphs before a row:",
        *(f"  {sign}  {words}" for sign, words in GLYPH_WORDS.items()),
        "Words at the right of a row:",
        *(f"  {word}: {meaning}" for word, meaning in NOTE_WORDS.items()),
    )
