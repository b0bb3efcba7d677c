"""Help: every key of the place, from the table of actions; a key that is off says why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import Sheet
from coi_tui.session.look.rows import FRESH_WORDS, ORIGIN_WORDS, VERDICT_WORDS
from coi_tui.widgets.actions import NOT_BUILT, Action, bindings
from coi_tui.widgets.actions.table import DECIDE, LOOK, MAKE, MOVE, RUN
from coi_tui.widgets.panes import Line
from coi_tui.widgets.words import indented

RIGHT_NOW = 6
"""So many of the keys that work on this row stand first."""
TWO_COLUMNS = 92
"""Cells from which the keys stand in two columns."""
ORDER = (DECIDE, MAKE, LOOK, MOVE, RUN)
Entry = tuple[Action, str]


class HelpScreen(Sheet[None]):
    """Shown over any screen; Esc or ``?`` closes it."""

    PLACE = "help"
    BINDINGS = bindings("help")
    TAIL = ("find", "copy", "cancel")

    def __init__(self, where: str, entries: Sequence[Entry], notes: Sequence[str]) -> None:
        super().__init__()
        self.where, self.entries, self.notes = where, entries, notes
        self.words = ""

    def body(self) -> ComposeResult:
        yield Line(f"Help   for: {self.where}", "? or Esc closes", id="title")
        with VerticalScroll(id="text"):
            yield Static("", id="keys", markup=False)
        yield Line("", id="said")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#text").focus()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        shown = [e for e in self.entries if fits(e, self.words)]
        notes = self.notes if not self.words else ()
        self.query_one("#keys", Static).update(in_columns(shown, notes, self.query_one("#keys").size.width - 2))
        self.say(f"with “{self.words}”: {len(shown)} of {len(self.entries)} keys; / and an empty line shows all" if self.words else "")

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def do_find(self) -> None:
        from coi_tui.screens.sheets.find_sheet import FilterSheet

        self.app.push_screen(FilterSheet(self.words), self._filtered)

    def _filtered(self, words: str | None) -> None:
        if words is not None:
            self.words = words
            self._fill()

    async def do_copy(self) -> None:
        from coi_tui.screens.clipboard import copy

        self.say(await copy(self.app, help_content(self.entries, self.notes, 100).plain, "the help"))


def fits(entry: Entry, words: str) -> bool:
    """Whether a key, its label or what it does says all of the words."""
    item, reason = entry
    text = f"{item.show} {item.label} {item.help} {reason}".casefold()
    return all(word in text for word in words.casefold().split())


def in_columns(entries: Sequence[Entry], notes: Sequence[str], width: int) -> Content:
    """First what works here and now, then the rest; in two columns where there is room for them."""
    if width < TWO_COLUMNS:
        return help_content(entries, notes, width)
    half = width // 2 - 2
    lines = help_content(entries, (), half).split("\n", allow_blank=True)
    middle = next((n for n in range(len(lines) // 2, len(lines)) if not lines[n].plain.strip()), len(lines))
    left, right = lines[:middle], lines[middle + 1 :]
    rows = []
    for n in range(max(len(left), len(right))):
        one, other = left[n] if n < len(left) else Content(""), right[n] if n < len(right) else Content("")
        rows.append(Content.assemble(one, " " * max(2, half + 4 - one.cell_length), other))
    told = [Content(line) for note in notes for line in indented(note.strip(), 2 * note.startswith(" "), width)]
    return Content("\n").join([*rows, Content(""), *told])


def help_content(entries: Sequence[Entry], notes: Sequence[str], width: int) -> Content:
    """Groups of keys, what they do, and in brackets why one is off; then what is not built yet, then the notes."""
    pieces: list[Content] = []
    now = sorted((e for e in entries if not e[1] and e[0].footer), key=lambda e: e[0].footer)[:RIGHT_NOW]
    if now:
        pieces.append(Content.styled("RIGHT NOW", "bold"))
        pieces += [_line(item, "", width) for item, _ in now]
        pieces.append(Content(""))
    built = [e for e in entries if e[1] != NOT_BUILT]
    for group, members in groupby(sorted(built, key=lambda e: ORDER.index(e[0].group)), key=lambda e: e[0].group):
        pieces.append(Content.styled(group, "bold"))
        pieces += [_line(item, reason, width) for item, reason in members]
        pieces.append(Content(""))
    if later := [item for item, reason in entries if reason == NOT_BUILT]:
        pieces.append(Content.styled("NOT BUILT YET (the key says so)", "bold"))
        pieces += [_line(item, "", width) for item in later]
        pieces.append(Content(""))
    pieces += [Content(line) for note in notes for line in indented(note.strip(), 2 * note.startswith(" "), width)]
    return Content("\n").join(pieces)


def _line(item: Action, reason: str, width: int) -> Content:
    what = "\n".join(indented(item.help, 9, width)).strip()
    off = "\n".join(["", *indented(f"off: {reason}", 9, width)]) if reason else ""
    return Content.assemble((f"  {item.show:6} ", "bold"), what, (off, "dim italic"))


def legend() -> tuple[str, ...]:
    """The row marks in words."""

    def spell(words: dict[str, str]) -> str:
        return ", ".join(f"{mark} {word}" for mark, word in words.items() if word)

    return (
        "ROW MARKS, three in front of each row:",
        f"  1st  {spell(VERDICT_WORDS)}", f"  2nd  {spell(FRESH_WORDS)}", f"  3rd  {spell(ORIGIN_WORDS)}",
        "  stale^ at the right: something further up is stale.",
    )  # fmt: skip
