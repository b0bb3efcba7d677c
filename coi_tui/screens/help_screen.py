"""Help: every key of the place, from the table of actions; a key that is off says why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.screens.base import Sheet
from coi_tui.session.wording import GLYPH_WORDS, NOTE_WORDS
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import DECIDE, LOOK, MAKE, MOVE, RUN, KeyAction
from coi_tui.widgets.panes import Line, indented

RIGHT_NOW = 6
"""So many of the keys that work on this row stand first."""
ORDER = (DECIDE, MAKE, LOOK, MOVE, RUN)
Entry = tuple[KeyAction, str]


class FilterLine(LineField):
    """What is typed filters at once. ``?`` closes the help as it opened it, and ``/`` begins no
    word."""

    DEFAULT_CSS = "FilterLine { height: 1; margin: 0 1; background: $boost; }"

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return not self._passes(key) and super().check_consume_key(key, character)

    async def on_key(self, event: events.Key) -> None:
        if self._passes(event.key):
            event.prevent_default()

    def _passes(self, key: str) -> bool:
        return key == "question_mark" or (key == "slash" and not self.value)


class Keys(VerticalScroll):
    """The keys, scrolled from the line above them."""

    can_focus = False


HELP_ACTIONS = (
    KeyAction(
        "find",
        "slash",
        "type",
        "to filter",
        "type to show only the keys that match; / goes to the filter",
        RUN,
        2,
    ),
    KeyAction("up", "up", "Up", "up", "a line up", MOVE),
    KeyAction("down", "down", "Down", "down", "a line down", MOVE),
    KeyAction("page_up", "pageup", "PgUp", "page up", "a page up", MOVE),
    KeyAction("page_down", "pagedown", "PgDn", "page down", "a page down", MOVE),
    KeyAction(
        "cancel",
        "escape,question_mark,f1,enter",
        "Esc",
        "close",
        "clear the filter, then close the help; Enter closes it",
        DECIDE,
        1,
    ),
)


class HelpScreen(Sheet[None]):
    """Shown over any screen; typing filters, Esc ends the filter and then the help, ``?`` closes
    it."""

    PLACE = "help"
    ACTIONS = HELP_ACTIONS
    TAIL = ("find", "cancel")

    def __init__(self, where: str, entries: Sequence[Entry], notes: Sequence[str]) -> None:
        super().__init__()
        self.where, self.entries, self.notes = where, entries, notes

    def body(self) -> ComposeResult:
        yield Line(f"Help   for: {self.where}", "? or Esc closes", id="title")
        yield FilterLine(
            placeholder="type to filter: a key, or words of what it does", id="words", compact=True
        )
        with Keys(id="text"):
            yield Static("", id="keys", markup=False)
        yield Line("", id="said")

    def on_mount(self) -> None:
        self._line.focus()

    @property
    def _line(self) -> FilterLine:
        return self.query_one(FilterLine)

    @property
    def _text(self) -> Keys:
        return self.query_one(Keys)

    @property
    def words(self) -> str:
        """What is typed."""
        return self._line.value.strip() if self.composed else ""

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def on_input_changed(self, event: Input.Changed) -> None:
        if not self.composed:
            return
        self._fill()
        self._text.scroll_home(animate=False)
        self.refresh_footer()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(None)

    def _fill(self) -> None:
        if not self.composed:
            return
        shown = [e for e in self.entries if fits(e, self.words)]
        notes = self.notes if not self.words else ()
        self.query_one("#keys", Static).update(
            help_content(shown, notes, self.query_one("#keys").size.width - 2)
        )
        found = f"{len(shown)} of {len(self.entries)} keys match" if shown else "No key matches"
        self.say(f"{found}; Esc shows all." if self.words else "")

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- actions

    def do_find(self) -> None:
        self._line.focus()

    def do_up(self) -> None:
        self._text.scroll_up(animate=False)

    def do_down(self) -> None:
        self._text.scroll_down(animate=False)

    def do_page_up(self) -> None:
        self._text.scroll_page_up(animate=False)

    def do_page_down(self) -> None:
        self._text.scroll_page_down(animate=False)

    def do_cancel(self) -> None:
        """With words typed everything is shown again; without, the help closes."""
        if self.words:
            self._line.value = ""
        else:
            self.dismiss(None)


def fits(entry: Entry, words: str) -> bool:
    """Whether a key, its label or what it does says all of the words."""
    item, reason = entry
    text = f"{item.show} {item.label} {item.help} {reason}".casefold()
    return all(word in text for word in words.casefold().split())


def help_content(entries: Sequence[Entry], notes: Sequence[str], width: int) -> Content:
    """What works right now, in the order of the footer; then all keys by groups, one that is off
    with the reason, and the notes."""
    now = sorted(
        (item for item, reason in entries if item.footer and not reason),
        key=lambda item: item.footer,
    )
    pieces = [Content.styled("RIGHT NOW", "bold")] if now else []
    pieces += [_line(item, "", width) for item in now[:RIGHT_NOW]]
    by_group = sorted(entries, key=lambda e: ORDER.index(e[0].group))
    for group, members in groupby(by_group, key=lambda e: e[0].group):
        pieces += [Content(""), Content.styled(group, "bold")]
        pieces += [_line(item, reason, width) for item, reason in members]
    pieces.append(Content(""))
    pieces += [
        Content(line)
        for note in notes
        for line in indented(note.strip(), 2 * note.startswith(" "), width)
    ]
    return Content("\n").join(pieces)


def _line(item: KeyAction, reason: str, width: int) -> Content:
    """What a key does, and why it is off."""
    what = "\n".join(indented(item.help, 9, width)).strip()
    off = "\n".join(["", *indented(f"off: {reason}", 9, width)]) if reason else ""
    return Content.assemble((f"  {item.show:6} ", "bold"), what, (off, "dim italic"))


def rows_told() -> tuple[str, ...]:
    """What the glyph in front of a row and the word at its right mean."""
    return (
        "ROWS, one glyph in front of each:",
        *(f"  {sign}  {words}" for sign, words in GLYPH_WORDS.items()),
        "and at the right a word where the state matters:",
        *(f"  {word}: {meaning}" for word, meaning in NOTE_WORDS.items()),
        "Branches are bold; their papers and texts stand below them. Who made a text, and where it stands, is in the inspector.",
    )
