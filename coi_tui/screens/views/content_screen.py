"""A document, table, matrix, curve or transcript of a cell, as a list with a text for each line;
and the slots for a paper of a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from textual.content import Content

from coi_tui.model.papers import Paper
from coi_tui.model.views import ROW_KEYS, ContentView, MatrixView, RowChange, TableView
from coi_tui.model.wording import count
from coi_tui.screens.listing import Listing
from coi_tui.screens.papers.slot_choice import SlotChoice
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.availability import Action
from coi_tui.session.decisions.preview import words
from coi_tui.session.queries.candidates import paper_lines
from coi_tui.widgets.content_views import ViewLine, drawn, heading_line, view_lines
from coi_tui.widgets.formatting import cut, fit
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, MOVE, VIEW_ACTIONS, KeyAction

CONTENT_ACTIONS = (
    KeyAction(
        "place",
        "enter",
        "Enter",
        "put in a slot",
        "put this paper into a slot of a chain, chosen next (also p, where a row cannot be pinned)",
        DECIDE,
        1,
    ),
    KeyAction("read", "o", "o", "read", "read what there is of this paper", LOOK, 2),
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
    KeyAction("reject", "x", "x", "leave out", "leave out what the row stands for", DECIDE),
    KeyAction("pin", "p", "p", "pin", "take this paper whatever its rank, or no longer", DECIDE, 2),
    *VIEW_ACTIONS,
)


class ContentScreen(Listing[str, ViewLine]):
    """Gives a sentence about a paper that was put into a slot, or None."""

    PLACE = "content"
    ACTIONS = CONTENT_ACTIONS
    NAMES = ("[1] List", "[2] Text")
    CHANGES, ON_ROW = frozenset({"place", *ROW_KEYS}), frozenset({"place", "read", *ROW_KEYS})
    EMPTY = "There is nothing in it."

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address, self.column = address, 0
        self.view: ContentView | None = None

    def keys(self) -> Sequence[str]:
        return [line.key for line in self.items]

    def take(self) -> None:
        self.view = self.session.queries.content_view(self.address)
        self.items = view_lines(self.view, self.column) if self.view is not None else ()

    def heading(self) -> tuple[str, str]:
        kind = self.session.core.methods.kind(self.address)
        return f"{self.address}   {kind.title if kind is not None else ''}", count(
            self.count, "row"
        )

    def fill(self) -> None:
        """The names of columns stand in the frame of the list."""
        if self.composed and self.view is not None:
            above = heading_line(self.view, max(8, self.size.width - 10), self.column)
            self.lines.border_title = Content(
                f" {above}" if above else self.NAMES[0]
            )  # a blank more, and names stand above their columns
        super().fill()

    def row_texts(self, width: int) -> Sequence[Content]:
        return (
            [Content(line) for line in drawn(self.view, width, self.column)]
            if self.view is not None
            else []
        )

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        line = self.items[at]
        paper = self.session.state.papers.get(line.paper)
        known = list(paper_lines(paper))[1:] if paper is not None else []
        note = (
            [("ABOUT THIS TABLE", self.view.note)]
            if isinstance(self.view, TableView) and self.view.note
            else []
        )
        return f"{line.key} {self.column}", line.title, [*line.parts, *known, *note]

    # -- actions

    def _paper(self) -> Paper | None:
        """The record of the paper that the line under the cursor stands for."""
        return self.session.state.papers.get(self.chosen.paper) if self.chosen is not None else None

    def off_read(self) -> str:
        return "" if self._paper() is not None else "this line is no paper"

    def off_place(self) -> str:
        return self.off_read()

    def _off_column(self, by: int) -> str:
        if not isinstance(self.view, MatrixView):
            return "this is no matrix"
        return (
            "" if 0 <= self.column + by < len(self.view.columns) else "there is no further column"
        )

    def _change(self, name: str) -> RowChange | None:
        """What a key would change about the row under the cursor."""
        key = next((key for key in ROW_KEYS if key == name), None)
        return (
            self.session.edits.row_change(self.address, self.chosen.key, key)
            if key is not None and self.chosen is not None
            else None
        )

    def off(self, name: str) -> str:
        return (
            ""
            if name not in ROW_KEYS or self._change(name) is not None
            else "nothing about this row can be changed that way"
        )

    def label(self, item: KeyAction) -> str:
        change = self._change(item.id)
        return change.word if change is not None else item.label

    async def action_act(self, name: str) -> None:
        """A key that decides on a row; p puts a paper into a slot where no row can be pinned."""
        if name == "pin" and self._change(name) is None and not self.why_off("place"):
            name = "place"
        await super().action_act(name)

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        if name in ROW_KEYS:
            return partial(self.change_row, self.address, self.here.key, name)
        return super().handler(name)

    def off_left(self) -> str:
        return self._off_column(-1)

    def off_right(self) -> str:
        return self._off_column(1)

    def do_left(self) -> None:
        self._go(-1)

    def do_right(self) -> None:
        self._go(1)

    def _go(self, by: int) -> None:
        self.column += by
        self.load()

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        paper = self._paper()
        assert paper is not None
        self.app.push_screen(ReaderScreen(self.controller, paper, self.address))

    def do_place(self) -> None:
        paper = self._paper()
        assert paper is not None
        self.app.push_screen(SlotsScreen(self.controller, paper), self._placed)

    def _placed(self, said: str | None) -> None:
        if said is not None:
            self.dismiss(said)


SLOTS_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "put it there",
        "put the paper into this slot; choosing by hand counts as accepting",
        DECIDE,
        1,
    ),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class SlotsScreen(Listing[str, str]):
    """The slots that a paper may stand in, each with what putting it there would change. Gives a
    sentence about the choice, or None."""

    PLACE = "slots"
    ACTIONS = SLOTS_ACTIONS
    NAMES = ("[1] Slots", "[2] Preview")
    CHANGES, ON_ROW = frozenset({"choose"}), frozenset({"choose"})
    NO_ROW = "no slot can take this paper"
    EMPTY = "No chain can take this paper: it stands in them already, or its year does not fit between its neighbours there."

    def __init__(self, controller: SessionController, paper: Paper) -> None:
        super().__init__(controller)
        self.paper = paper
        self.choice = SlotChoice(self)

    def keys(self) -> Sequence[str]:
        return self.items

    def take(self) -> None:
        self.items = self.session.previews.slots_for(self.paper)

    def heading(self) -> tuple[str, str]:
        return f"Put “{cut(self.paper.title, max(12, self.size.width - 30))}”", count(
            self.count, "slot"
        )

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(address), width)) for address in self.items]

    def _row(self, address: str) -> str:
        state = self.session.state
        held = state.papers.get(state.slot(address).paper or "")
        return f"{fit(address, 8)} {f'in place of “{held.title}” ({held.year})' if held is not None else 'free'}"

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        address = self.items[at]
        return (
            address,
            f"{address}: what it changes",
            words(self.choice.preview(address, self.paper), self.session.state),
        )

    def off_choose(self) -> str:
        return (
            self.controller.refusals(self.chosen)[Action.CHOOSE] if self.chosen is not None else ""
        )

    async def do_choose(self) -> None:
        await self.choice.choose(self.here, self.paper)
