"""Sheets with a list: one with rows to act on, and one with names to choose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import CANCEL, DECIDE, HELP, KeyAction
from coi_tui.widgets.panes import Line, column, ends, fit, indented

T = TypeVar("T")
Row = TypeVar("Row")


class ListSheet(Sheet[T], Generic[T, Row]):
    """A title, rows with a cursor, and some lines below. Subclasses draw the rows."""

    TAIL = ("cancel", "help")
    CLICK: ClassVar[str] = "tick"
    """What a second click on a row does."""

    def __init__(
        self,
        title: str,
        aside: str,
        rows: Sequence[Row],
        parts: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``parts``: headings and texts above the list."""
        super().__init__()
        self.heading, self.aside, self.items, self.parts = title, aside, tuple(rows), parts
        self.told = ""
        """What was said last."""

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        if self.parts:
            with VerticalScroll(id="text"):
                yield Static(in_parts(self.parts), markup=False)
        yield MarkedList(id="lines")
        yield Static("", id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.fill)

    def on_marked_list_room_changed(self) -> None:
        self.fill()

    def row_text(self, row: Row, width: int) -> Content:
        """A row in lines of ``width`` cells."""
        raise NotImplementedError

    def summary(self) -> str:
        """The lines below the rows."""
        return self.told

    def first(self) -> int:
        """Where the cursor begins."""
        return 0

    def fill(self) -> None:
        """Draw the rows and the lines below, the cursor on its row."""
        if not self.composed:
            return
        lines = self.query_one(MarkedList)
        here = self.first() if lines.highlighted is None else lines.highlighted
        lines.show([self.row_text(row, lines.room) for row in self.items], here)
        self.say(self.told)
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.told = text
        self.query_one("#sums", Static).update(Content(self.summary()))

    @property
    def here(self) -> Row | None:
        """The row under the cursor."""
        at = self.query_one("#lines", MarkedList).highlighted if self.composed else None
        return self.items[at] if at is not None else None

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.action_act(self.CLICK)


def in_parts(parts: Sequence[tuple[str, str]]) -> Content:
    """Headings, each with its text."""
    shown = (Content.assemble((f"{head}\n", "bold"), f"{text}\n") for head, text in parts if text)
    return Content("\n").join(shown)


@dataclass(frozen=True)
class Choice(Generic[T]):
    """A row to choose. ``key``: the letter that chooses it; ``off``: why it cannot be chosen;
    ``aside``: what is shown at the right."""

    result: T
    name: str
    text: str = ""
    key: str = ""
    off: str = ""
    aside: str = ""


def named(about: Mapping[str, str]) -> list[Choice[str]]:
    """Choices that give their own names, with what is said of each."""
    return [Choice(name, name, text) for name, text in about.items()]


CHOICE_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "choose", "choose the row under the cursor", DECIDE, 1),
    HELP,
    CANCEL,
)


class AskChoice(ListSheet[T, Choice[T]]):
    """Gives the result of a choice, or None. ``verb``: what Enter is called; ``begin``: the name
    that the cursor is on at first."""

    PLACE = "choice"
    ACTIONS = CHOICE_ACTIONS
    CLICK = "choose"

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[T]],
        verb: str,
        *,
        aside: str = "",
        begin: str = "",
        parts: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(title, aside, choices, parts)
        self.verb, self.begin = verb, begin
        self.names = [choice.name for choice in choices]

    def first(self) -> int:
        if self.begin in self.names:
            return self.names.index(self.begin)
        return next((n for n, choice in enumerate(self.items) if not choice.off), 0)

    def row_text(self, row: Choice[T], width: int) -> Content:
        names = column(self.names, 8, 24)
        letter = f"{row.key or ' '}  " if any(choice.key for choice in self.items) else ""
        head = f"{letter}{fit(row.name, names)}"
        if not row.off:
            return Content(ends(f"{head} {row.text}".rstrip(), row.aside, width))
        line = f"{head} off: {row.off}"
        rest = indented(f"off: {row.off}", 5, width)
        return Content.styled(
            line if len(line) <= width else "\n".join([head.rstrip(), *rest]), "dim"
        )

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "choose" else super().label(item)

    def on_key(self, event: events.Key) -> None:
        """The letter of a row."""
        choice = next((c for c in self.items if c.key and c.key == event.character), None)
        if choice is not None:
            event.stop()
            self._take(choice)

    def do_choose(self) -> None:
        if self.here is not None:
            self._take(self.here)

    def _take(self, choice: Choice[T]) -> None:
        if choice.off:
            self.say(f"{choice.name}: {choice.off}.")
        else:
            self.dismiss(choice.result)
