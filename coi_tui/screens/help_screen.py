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

ORDER = (DECIDE, MAKE, LOOK, MOVE, RUN)
Entry = tuple[Action, str]


class HelpScreen(Sheet[None]):
    """Shown over any screen; Esc or ``?`` closes it."""

    PLACE = "help"
    BINDINGS = bindings("help")
    TAIL = ("cancel",)

    def __init__(self, where: str, entries: Sequence[Entry], notes: Sequence[str]) -> None:
        super().__init__()
        self.where, self.entries, self.notes = where, entries, notes

    def body(self) -> ComposeResult:
        yield Line(f"Help   for: {self.where}", "? or Esc closes", id="title")
        with VerticalScroll(id="text"):
            yield Static("", id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#text").focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        self.query_one("#keys", Static).update(help_content(self.entries, self.notes, self.query_one("#keys").size.width - 2))


def help_content(entries: Sequence[Entry], notes: Sequence[str], width: int) -> Content:
    """Groups of keys, what they do, and in brackets why one is off; then what is not built yet, then the notes."""
    pieces: list[Content] = []
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
