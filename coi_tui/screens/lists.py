"""Lists with a text about the current row; those about a session follow it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import OptionList

from coi_tui.model.document import RowKey, Table
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sessions import SessionController
from coi_tui.screens.sheets import AskText
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.panes import DetailPane, Line, table_lines

if TYPE_CHECKING:
    from coi_tui.session.decisions.impact import Impact
    from coi_tui.session.session import Session


T = TypeVar("T")
Row = TypeVar("Row")
About = tuple[str, str, Sequence[tuple[str, str]]]
"""Key, title and parts of the text about a row."""
ABOUT_AFTER = 0.08


class ListScreen(CoiScreen[T], Generic[T, Row]):
    """A list and the text about its row, in two panes. Subclasses say what the rows are."""

    NAMES: ClassVar[tuple[str, str]] = ("[1]", "[2]")
    TAIL: ClassVar[tuple[str, ...]] = ("cancel", "help")
    MARKED: ClassVar[bool] = True
    """Whether Markdown in the text is styled."""
    EMPTY: ClassVar[str] = "There is nothing here."
    ON_ROW: ClassVar[frozenset[str]] = frozenset()
    """Actions on the row under the cursor; ``NO_ROW`` says why they are off where there is none."""
    NO_ROW: ClassVar[str] = "there is nothing here"

    items: Sequence[Row] = ()
    """What the rows stand for, in order; set by ``take``."""
    words = ""
    """The filter, for a screen that has one."""
    _timer: Timer | None = None

    # -- what subclasses say

    def keys(self) -> Sequence[str]:
        """What tells the rows apart, in order: the cursor stays on its row when rows come and
        go."""
        raise NotImplementedError

    def take(self) -> None:
        """Set ``items``."""
        raise NotImplementedError

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

    def told(self, at: int) -> About:
        """The text about a row."""
        raise NotImplementedError

    def told_of_none(self) -> Sequence[tuple[str, str]]:
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
        yield Line(id="said")

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
    def count(self) -> int:
        """The number of rows."""
        return len(self.items)

    @property
    def at(self) -> int | None:
        """The place of the cursor in the list, or None when the list is empty."""
        here = self.lines.highlighted if self.composed else None
        return here if here is not None and here < self.count else None

    @property
    def chosen(self) -> Row | None:
        """What the row under the cursor stands for."""
        return self.items[self.at] if self.at is not None else None

    @property
    def here(self) -> Row:
        """As ``chosen``, for actions that are off where there is no row."""
        assert self.at is not None
        return self.items[self.at]

    def load(self) -> None:
        """Take the rows again and draw them, the cursor on the row where it was."""
        at = self.at
        before = self.keys()[at] if at is not None else None
        self.take()
        now = list(self.keys())
        if not self.composed:
            return
        self.fill(now.index(before) if before in now else self.first() if at is None else at)

    def fill(self, at: int | None = None) -> None:
        """Draw the rows, the cursor on its row or on the one at ``at``."""
        if not self.composed:
            return
        here = self.lines.highlighted if at is None else at
        self.lines.show(self.row_texts(self.lines.room), here or 0)
        self.query_one("#header", Line).say(*self.heading())
        self.show_about()

    def begin_at(self, at: int) -> None:
        """Put the cursor on a row."""
        self.lines.highlighted = at

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.fill)

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
            self.about_pane.show("", self.EMPTY, self.told_of_none())
        else:
            self.about_pane.show(*self.told(self.at))
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def done(self, said: str | None) -> None:
        """Show what was changed, and say so; nothing to say leaves the line."""
        self.load()
        if said is not None:
            self.say(said)

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

    def do_cancel(self) -> None:
        """From the text to the list, from there out."""
        if self.focused is self.lines:
            self.dismiss(None)
        else:
            self.lines.focus()


Made = TypeVar("Made")
WATCH = 0.5
"""Seconds between looks whether the session has changed."""


class Listing(ListScreen[T, Row]):
    """A list about a session. Loads its rows again when the session changes."""

    CHANGES: ClassVar[frozenset[str]] = frozenset()
    """Actions that change the session."""
    STARTS: ClassVar[frozenset[str]] = frozenset()
    """Actions that start a job."""
    GOES_ON: ClassVar[frozenset[str]] = frozenset()
    """Actions that the screen gives to the workbench, to be done at ``address``."""
    address = ""

    def __init__(self, controller: SessionController) -> None:
        super().__init__()
        self.controller, self.session = controller, controller.session
        self._seen = -1

    def on_mount(self) -> None:
        self.set_interval(WATCH, self._watch)

    def load(self) -> None:
        self._seen = self.session.state.seq
        super().load()

    @property
    def moved(self) -> bool:
        """True when the session has changed since the rows were taken: what is shown may not hold
        any more."""
        return self.session.state.seq != self._seen

    def _watch(self) -> None:
        if self.composed and self.moved:
            self.load()

    # -- actions

    def why_off(self, name: str) -> str:
        if name in self.STARTS and (reason := self.controller.not_idle()):
            return reason
        if name in self.CHANGES and (reason := self.controller.not_writable()):
            return reason
        if name in self.GOES_ON:
            return self.controller.refusals(self.address)[name]
        return super().why_off(name)

    def handler(self, name: str) -> Callable[[], Awaitable[None] | None]:
        return partial(self._go_on, name) if name in self.GOES_ON else super().handler(name)

    def _go_on(self, name: str) -> None:
        self.dismiss(cast("T", name))

    async def change(
        self,
        own: str,
        question: str,
        act: Callable[[Session], Made],
        done: Callable[[Made], object],
    ) -> None:
        """Make a change of the person's; one that moves other rows says which beforehand, and asks
        once."""
        await self.confirm_impact(self.session.impact(own, act), question, act, done)

    async def change_row(self, address: str, row: str, key: RowKey) -> None:
        """Do what a key does about a row of a table or talk."""
        await self.change(
            address,
            f"Change {address}?",
            lambda s: s.edits.change_row(address, row, key),
            lambda change: self.done(f"{change.message} u undoes it."),
        )

    async def confirm_impact(
        self,
        changes: Impact,
        question: str,
        act: Callable[[Session], Made],
        done: Callable[[Made], object],
    ) -> None:
        """Make a change whose impact is known; one that moves other rows says which, and
        asks once."""
        from coi_tui.screens.sheets import confirm_impact

        async def go() -> None:
            done(await self.controller.decide(lambda: act(self.session)))

        await confirm_impact(changes, question, go, self.app.push_screen, self.say)

    def off_undo(self) -> str:
        return self.controller.not_undoable()

    async def do_undo(self) -> None:
        label = await self.controller.decide(self.session.undo_stack.undo)
        self.done(f"Undone: {label}.")
