"""A document, table, matrix, curve or talk of a cell, as a list with a text for each line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

from textual.content import Content

from coi_tui.model.papers import Paper
from coi_tui.model.text import count
from coi_tui.model.views import (
    ROW_KEYS,
    ContentView,
    MatrixView,
    RowChange,
    TableView,
    TranscriptView,
    Turn,
)
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.candidates import paper_lines
from coi_tui.session.queries.texts import readable, sentences
from coi_tui.widgets.content_views import ViewLine, drawn, heading_line, spoken_by, view_lines
from coi_tui.widgets.key_actions import DECIDE, LOOK, MOVE, VIEW_ACTIONS, KeyAction

STREAM = 0.2
"""Seconds between two looks at the answers that are coming in."""

CONTENT_ACTIONS = (
    KeyAction("read", "enter", "Enter", "read", "go to the text of this line", LOOK, 1),
    KeyAction(
        "open",
        "o",
        "o",
        "open",
        "read this paper, or go to the row of this turn in the tree",
        LOOK,
        2,
    ),
    KeyAction("left", "left", "Left", "column left", "the column before, in a matrix", MOVE, 4),
    KeyAction("right", "right", "Right", "column right", "the next column, in a matrix", MOVE, 5),
    KeyAction(
        "tick",
        "space",
        "Space",
        "on or off",
        "switch what the row stands for on or off: an entity, a paper, an idea",
        DECIDE,
        1,
    ),
    KeyAction("accept", "a", "a", "take in", "take what was left out in again", DECIDE),
    KeyAction(
        "reject",
        "x",
        "x",
        "leave out",
        "leave out what the row stands for, so that later steps do not see it; or take it in again",
        DECIDE,
        3,
    ),
    KeyAction("pin", "p", "p", "pin", "take this paper whatever its rank, or no longer", DECIDE, 2),
    KeyAction(
        "edit",
        "e",
        "e",
        "edit",
        "edit what is said in this turn, or write your own words between two turns",
        DECIDE,
        2,
    ),
    *VIEW_ACTIONS,
)


class ContentScreen(Listing[str, ViewLine]):
    """Gives the address of a turn whose row is wanted, or None. The cursor stays with the last turn
    while a talk goes on."""

    PLACE = "content"
    ACTIONS = CONTENT_ACTIONS
    NAMES = ("[1] List", "[2] Text")
    CHANGES = frozenset({"edit", *ROW_KEYS})
    ON_ROW = frozenset({"read", "open", *CHANGES})
    EMPTY = "There is nothing in it."

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address, self.column = address, 0
        self.view: ContentView | None = None
        self.streams: dict[str, str] = {}
        """The answers that are coming in, by the address of the turn."""

    def on_mount(self) -> None:
        self.set_interval(STREAM, self._listen)

    # -- what there is

    def keys(self) -> Sequence[str]:
        return [line.key for line in self.items]

    @property
    def turns(self) -> Sequence[Turn]:
        """The turns of a talk, none where this is none."""
        return self.view.turns if isinstance(self.view, TranscriptView) else ()

    @property
    def turn(self) -> Turn | None:
        """The turn under the cursor, where it is a cell."""
        turn = self.turns[self.at] if self.turns and self.at is not None else None
        return turn if turn is not None and turn.address else None

    def take(self) -> None:
        self.view = self.session.queries.content_view(self.address)
        self.items = view_lines(self.view, self.column) if self.view is not None else ()

    def load(self) -> None:
        goes_along = self._at_end()
        super().load()
        if goes_along:
            self.begin_at(self._last())

    def first(self) -> int:
        """Of a talk the turn that it was opened at, else the last one."""
        here = (n for n, turn in enumerate(self.turns) if turn.address == self.address)
        return next(here, self._last())

    def _last(self) -> int:
        """The last turn that was said, or is being said."""
        said = (n for n, turn in enumerate(self.turns) if turn.text or turn.address in self.streams)
        return max(said, default=0)

    def _at_end(self) -> bool:
        """Whether the cursor goes along with a talk."""
        return (
            self.composed and bool(self.turns) and self.at is not None and self.at >= self._last()
        )

    def heading(self) -> tuple[str, str]:
        kind = self.session.core.methods.kind(self.address)
        reached = count(self.count, "row")
        if isinstance(self.view, TranscriptView):
            said = [turn for turn in self.turns if turn.text or turn.address in self.streams]
            reached = f"{len(said)} of {self.count} said"
            if self.view.of:
                number = max((turn.number for turn in said), default=0)
                reached = f"turn {number} of {self.view.of}"
        return f"{self.address}   {kind.title if kind is not None else ''}", reached

    def fill(self) -> None:
        """The names of columns stand in the frame of the list."""
        if self.composed and self.view is not None:
            above = heading_line(self.view, max(8, self.size.width - 10), self.column)
            self.lines.border_title = Content(
                f" {above}" if above else self.NAMES[0]
            )  # a blank more, and names stand above their columns
        super().fill()

    def row_texts(self, width: int) -> Sequence[Content]:
        if self.view is None:
            return []
        lines = drawn(self._now(self.view), width, self.column, self.streams)
        return [Content(line) for line in lines]

    def _now(self, view: ContentView) -> ContentView:
        """A talk with the answers that are coming in; another view as it is."""
        if not isinstance(view, TranscriptView):
            return view
        turns = (replace(t, text=self.streams.get(t.address) or t.text) for t in view.turns)
        return replace(view, turns=tuple(turns))

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        if self.turns:
            return self._told_of(self.turns[at])
        line = self.items[at]
        paper = self.session.state.papers.get(line.paper)
        known = list(paper_lines(paper))[1:] if paper is not None else []
        note = self.view.note if isinstance(self.view, TableView) else ""
        about = [("ABOUT THIS TABLE", note)] if note else []
        return f"{line.key} {self.column}", line.title, [*line.parts, *known, *about]

    def _told_of(self, turn: Turn) -> tuple[str, str, Sequence[tuple[str, str]]]:
        assert isinstance(self.view, TranscriptView)
        place = f"turn {turn.number} of {self.view.of}" if self.view.of and turn.number else ""
        title = "   ".join(part for part in (spoken_by(turn), place, turn.address) if part)
        coming = self.streams.get(turn.address)
        if coming:
            used = "what was said stays" if turn.text else "it is no version"
            note = ("", f"(speaking; {used} until it is complete)")
            return f"{turn.address} speaking", title, [("", coming), note]
        head = [("", MARKS[turn.mark])] if turn.mark and turn.text else []
        about = [("ABOUT THIS TALK", self.view.note)] if self.view.note else []
        unsaid = WRITE if turn.mark == "yours" and not self.why_off("edit") else "Not said yet."
        return turn.address or title, title, [*head, ("", turn.text or unsaid), *about]

    # -- the answers that come in

    def _listen(self) -> None:
        """Show what came in since the last look; the cursor goes along where it stood on the last
        turn."""
        moves = self.app.animation_level != "none"
        streams = {
            turn.address: readable(raw) if moves else sentences(readable(raw))
            for turn in self.turns
            if turn.address and (raw := self.controller.incoming(turn.address))
        }
        if not self.composed or streams == self.streams:
            return
        goes_along = self._at_end()
        self.streams = streams
        if goes_along:
            self.begin_at(self._last())
        self.fill()
        if goes_along and streams:
            self.about_pane.scroll_end(animate=False)

    # -- actions

    def _paper(self) -> Paper | None:
        """The record of the paper that the line under the cursor stands for."""
        return self.session.state.papers.get(self.chosen.paper) if self.chosen is not None else None

    def _change(self, name: str) -> RowChange | None:
        """What a key would change about the row under the cursor."""
        key = next((key for key in ROW_KEYS if key == name), None)
        if key is None or self.chosen is None:
            return None
        return self.session.edits.row_change(self._changed, self.chosen.key, key)

    @property
    def _changed(self) -> str:
        """The cell that a key on the row under the cursor is about."""
        return self.turn.address if self.turn is not None else self.address

    def off(self, name: str) -> str:
        if name in ("left", "right"):
            by = -1 if name == "left" else 1
            columns = self.view.columns if isinstance(self.view, MatrixView) else ()
            return "" if 0 <= self.column + by < len(columns) else "there is no further column"
        if name == "open":
            return "" if self.turn or self._paper() else "this line is no paper and has no row"
        if name == "edit":
            if self.turn is None:
                return "there is no text to edit here"
            return self.controller.refusals(self.turn.address)["edit"]
        if name not in ROW_KEYS or self._change(name) is not None:
            return ""
        return "nothing about this row can be changed that way"

    def label(self, item: KeyAction) -> str:
        change = self._change(item.id)
        return change.word if change is not None else item.label

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        if name in ROW_KEYS:
            return partial(self.change_row, self._changed, self.here.key, name)
        return super().handler(name)

    def do_left(self) -> None:
        self._go(-1)

    def do_right(self) -> None:
        self._go(1)

    def _go(self, by: int) -> None:
        self.column += by
        self.load()

    def do_read(self) -> None:
        self.about_pane.focus()

    def do_open(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        paper = self._paper()
        if paper is not None:
            self.app.push_screen(ReaderScreen(self.controller, paper, self.address))
        else:
            self.dismiss(self._changed)

    def do_edit(self) -> None:
        from coi_tui.screens.texts.edit_screen import EditScreen

        self.app.push_screen(
            EditScreen(self.controller, self._changed),
            lambda said: self.done(said or "Nothing was changed."),
        )


WRITE = "Nothing is written here yet. e writes what you want to say."
MARKS = {
    "struck": "You struck this turn: later ones do not see it.",
    "yours": "These are your own words.",
    "guest": "A guest answers once and does not join.",
    "leader": "The leader sums up, or decides for all.",
}
"""What sets a turn apart, in a sentence."""
