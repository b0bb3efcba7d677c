"""Lists with a text about the current row: sessions, settings, candidates, versions, the log. Those
about a session follow it, and their keys change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import OptionList, Static

from coi_tui.model.document import Table
from coi_tui.screens.base import CoiScreen, SessionScreen
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.sheets import AskText, Parts
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.panes import DetailPane, Line, table_lines

T = TypeVar("T")
Row = TypeVar("Row")
About = tuple[str, str, Parts]
"""Key, title and parts of the text about a row."""
ABOUT_AFTER = 0.08
"""Seconds after the cursor has moved until the text follows, so that holding a key stays fast."""
WATCH = 0.5
"""Seconds between looks whether the session has changed."""


class ListScreen(CoiScreen[T], Generic[T, Row]):
    """A list and the text about its row, in two panes. Subclasses say what the rows are."""

    SAYS = "#message"
    NAMES = ("[1]", "[2]")
    KEY: attrgetter[Any] = attrgetter("key")
    """What tells the rows apart: the cursor stays on its row when rows come and go."""
    MARKED = True
    """Whether Markdown in the text is styled."""
    EMPTY = "There is nothing here."
    ON_ROW = frozenset[str]()
    """Actions on the row under the cursor; ``NO_ROW`` says why they are off where there is none."""
    NO_ROW = "there is nothing here"

    items: Sequence[Row] = ()
    """What the rows stand for, in order; set by ``take``."""
    words = ""
    """The filter, for a screen that has one."""
    _timer: Timer | None = None

    # -- what subclasses say

    def take(self) -> None:
        """Set ``items``."""

    def heading(self) -> tuple[str, str]:
        """The header line, left and right."""
        raise NotImplementedError

    def columns(self, width: int) -> Table:
        """The rows in columns. Where these have names, the names are in the frame of the list."""
        raise NotImplementedError

    def style(self, row: Row) -> str:
        """How a row is drawn."""
        return ""

    def row_texts(self, width: int) -> Sequence[Content]:
        """The rows, each in at most ``width`` cells."""
        if not self.items:
            return []
        head, *rows = table_lines(self.columns(width), width)
        if head:
            self.lines.border_title = Content(f" {head}")
        return [
            Content.styled(row, self.style(item))
            for row, item in zip(rows, self.items, strict=True)
        ]

    def about(self, at: int) -> About:
        """The text about a row."""
        raise NotImplementedError

    def about_none(self) -> Parts:
        """Parts of the text where there is no row."""
        return ()

    def first(self) -> int:
        """Where the cursor begins."""
        return 0

    # -- showing

    def body(self) -> ComposeResult:
        yield Line(id="header")
        yield MarkedList(id="lines")
        yield DetailPane(id="about", marked=self.MARKED)
        yield Static("", id="message", markup=False)

    def on_mount(self) -> None:
        self.lines.border_title = Content(self.NAMES[0])
        self.about_pane.border_title = Content(self.NAMES[1])
        self.lines.focus()
        self.load()

    @property
    def lines(self) -> MarkedList:
        return self.query_one("#lines", MarkedList)

    @property
    def about_pane(self) -> DetailPane:
        return self.query_one("#about", DetailPane)

    @property
    def at(self) -> int | None:
        """The place of the cursor in the list, or None when the list is empty."""
        here = self.lines.highlighted if self.composed else None
        return here if here is not None and here < len(self.items) else None

    @property
    def chosen(self) -> Row | None:
        """What the row under the cursor stands for."""
        return self.items[self.at] if self.at is not None else None

    @property
    def here(self) -> Row:
        """As ``chosen``, for actions that are off where there is no row."""
        assert self.at is not None
        return self.items[self.at]

    def place_of(self, key: object) -> int | None:
        """The place of a row in the list."""
        return next((n for n, item in enumerate(self.items) if self.KEY(item) == key), None)

    def load(self) -> None:
        """Take the rows again and draw them, the cursor on the row where it was."""
        at = self.at
        before = self.KEY(self.items[at]) if at is not None else None
        self.take()
        if self.composed:
            same = self.place_of(before) if at is not None else self.first()
            self.fill(at if same is None else same)

    def fill(self, at: int | None = None) -> None:
        """Draw the rows, the cursor on its row or on the one at ``at``."""
        if not self.composed:
            return
        here = self.lines.highlighted if at is None else at
        self.lines.show(self.row_texts(self.lines.room), here or 0)
        self.query_one("#header", Line).say(*self.heading())
        self.show_about()

    def on_marked_list_room_changed(self) -> None:
        self.fill()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(ABOUT_AFTER, self.show_about)

    def show_about(self) -> None:
        if not self.composed:
            return
        if self.at is None:
            self.about_pane.show("", self.EMPTY, self.about_none())
        else:
            self.about_pane.show(*self.about(self.at))
        self.refresh_footer()

    def done(self, message: str) -> None:
        """Show what was changed, and say so."""
        self.load()
        self.say(message)

    # -- actions

    def why_off(self, name: str) -> str:
        if name in self.ON_ROW and self.at is None:
            return self.NO_ROW
        return super().why_off(name)

    def do_pane_1(self) -> None:
        self.lines.focus()

    def do_pane_2(self) -> None:
        self.about_pane.focus()

    def do_find(self) -> None:
        sheet = AskText(
            "Filter",
            "Shows only rows that contain all of these words; an empty line shows all.",
            "filter",
            value=self.words,
            at_bottom=True,
        )
        self.ask(sheet, self._filter)

    def _filter(self, words: str) -> None:
        self.words = words
        self.load()

    def do_cancel(self) -> object:
        """From the text to the list, from there out."""
        return self.dismiss() if self.focused is self.lines else self.lines.focus()


class SessionListScreen(ListScreen[T, Row], SessionScreen[T]):
    """A list about a session. Loads its rows again when the session changes."""

    GOES_ON = frozenset[str]()
    """Actions that the screen gives to the workbench, to be done at ``address``."""

    _seen = -1

    def __init__(self, controller: SessionController, address: str = "") -> None:
        super().__init__(controller)
        self.address = address

    def on_mount(self) -> None:
        self.set_interval(WATCH, self._watch)

    def load(self) -> None:
        self._seen = self.state.seq
        super().load()

    @property
    def moved(self) -> bool:
        """True when the session has changed since the rows were taken: what is shown may not hold
        any more."""
        return self.state.seq != self._seen

    def _watch(self) -> None:
        if self.composed and self.moved:
            self.load()

    # -- actions

    def why_off(self, name: str) -> str:
        if name in self.GOES_ON:
            return self.session.refusals(self.address)[name]
        return super().why_off(name)

    def handler(self, name: str) -> Callable[[], object]:
        go_on = partial(self.dismiss, cast("T", name))
        return go_on if name in self.GOES_ON else super().handler(name)
