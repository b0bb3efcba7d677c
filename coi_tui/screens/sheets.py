"""Sheets over a screen: rows to choose from or to tick, questions, messages, a line to fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from coi_tui.model.text import clean_line
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.key_actions import (
    CANCEL,
    CANCEL_TYPING,
    HELP,
    HELP_BY_F1,
    TICK,
    KeyAction,
)
from coi_tui.widgets.lines import column, cut, ends, fit, indented
from coi_tui.widgets.panes import Line

if TYPE_CHECKING:
    from coi_tui.session.decisions.bulk_accept import Undecided

T = TypeVar("T")
Row = TypeVar("Row")
Parts = Sequence[tuple[str, str]]
"""Headings, each with its text."""


class ListSheet(Sheet[T], Generic[T, Row]):
    """A title, rows with a cursor, and some lines below. Subclasses draw the rows."""

    AUTO_FOCUS = "#lines"
    CLICK = "tick"
    """What a second click on a row does."""

    def __init__(
        self,
        title: str,
        aside: str,
        rows: Sequence[Row],
        parts: Parts = (),
    ) -> None:
        """``parts``: headings and texts above the list."""
        super().__init__(classes="-parts" if parts else "")
        self.heading, self.aside, self.items, self.parts = title, aside, tuple(rows), parts
        self.message = ""

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        if self.parts:
            with VerticalScroll(id="text"):
                yield Static(in_parts(self.parts), markup=False)
        yield MarkedList(id="lines")
        yield Static("", id="sums", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.fill)

    def on_marked_list_room_changed(self) -> None:
        self.fill()

    def row_text(self, row: Row, width: int) -> Content:
        """A row in lines of ``width`` cells."""
        raise NotImplementedError

    def summary(self) -> str:
        """The lines below the rows."""
        return self.message

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
        self.say(self.message)
        self.refresh_footer()

    def say(self, text: str) -> None:
        self.message = text
        self.query_one("#sums", Static).update(Content(self.summary()))

    @property
    def here(self) -> Row | None:
        """The row under the cursor."""
        at = self.query_one("#lines", MarkedList).highlighted if self.composed else None
        return self.items[at] if at is not None else None

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.action_act(self.CLICK)


def in_parts(parts: Parts) -> Content:
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
    """Choices that give their own names, with a description of each."""
    return [Choice(name, name, text) for name, text in about.items()]


class AskChoice(ListSheet[T, Choice[T]]):
    """Gives the result of a choice, or None. ``verb``: what Enter is called; ``begin``: the name
    that the cursor is on at first."""

    PLACE = "choice"
    ACTIONS = (KeyAction("choose", "enter", "choose", "choose the row", 1), HELP, CANCEL)
    CLICK = "choose"

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice[T]],
        verb: str,
        *,
        aside: str = "",
        begin: str = "",
        parts: Parts = (),
    ) -> None:
        super().__init__(title, aside, choices, parts)
        self.verb, self.begin = verb, begin
        self.names = [choice.name for choice in choices]

    def first(self) -> int:
        if self.begin in self.names:
            return self.names.index(self.begin)
        return next((n for n, choice in enumerate(self.items) if not choice.off), 0)

    def row_text(self, row: Choice[T], width: int) -> Content:
        letter = f"{row.key or ' '}  " if any(choice.key for choice in self.items) else ""
        head = f"{letter}{fit(row.name, column(self.names, 8, 24))}"
        if not row.off:
            return Content(ends(f"{head} {row.text}".rstrip(), row.aside, width))
        line = f"{head} off: {row.off}"
        if len(line) > width:
            line = "\n".join([head.rstrip(), *indented(f"off: {row.off}", 5, width)])
        return Content.styled(line, "dim")

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "choose" else super().label(item)

    def on_key(self, event: events.Key) -> None:
        """The letter of a row."""
        if self._chosen(event.character):
            event.stop()

    def action_move(self, how: str) -> None:
        """Where ``g`` is the letter of a row, it chooses that also when it was pressed before the
        sheet was there."""
        if how != "scroll_home" or not self._chosen("g"):
            super().action_move(how)

    def _chosen(self, letter: str | None) -> bool:
        """Take the row of a letter; False where there is none."""
        choice = next((c for c in self.items if c.key and c.key == letter), None)
        if choice is not None:
            self._take(choice)
        return choice is not None

    def do_choose(self) -> None:
        if self.here is not None:
            self._take(self.here)

    def _take(self, choice: Choice[T]) -> None:
        if choice.off:
            self.say(f"{choice.name}: {choice.off}.")
        else:
            self.dismiss(choice.result)


class AcceptSheet(ListSheet[list[str], "Undecided"]):
    """Gives the addresses to accept, or None."""

    PLACE = "accept_all"
    ACTIONS = (
        KeyAction("run", "enter", "accept", "accept what is ticked; one undo reverts it", 1),
        TICK,
        HELP,
        CANCEL,
    )
    GUARDED = True

    def __init__(self, heading: str, items: Sequence[Undecided]) -> None:
        super().__init__(heading, "one undo reverts it", items)
        self.ticked = {one.address for one in items if not one.off}

    @property
    def chosen(self) -> list[Undecided]:
        """What is ticked, from the top."""
        return [one for one in self.items if one.address in self.ticked]

    def summary(self) -> str:
        from coi_tui.session.decisions.bulk_accept import in_sentence

        sums = in_sentence(self.chosen, len(self.items) - len(self.chosen))
        return self.message or f"{sums} No task changes what you accepted."

    def row_text(self, row: Undecided, width: int) -> Content:
        box = f"[{'x' if row.address in self.ticked else ' '}]"
        address = fit(row.address, column((one.address for one in self.items), 4, 18))
        kind = fit(row.what, column((one.what for one in self.items), 5, 12))
        title = row.title if row.is_text else f"{row.year or '????'}  {row.title}"
        first = cut(f"{box} {address}  {kind}  {title}", width)
        off = f"\n    left out by default: {cut(row.off, width - 25)}" if row.off else ""
        return Content(first + off)

    def off_run(self) -> str:
        return "" if self.chosen else "nothing is ticked; Space ticks"

    def label(self, item: KeyAction) -> str:
        return f"accept {len(self.chosen)}" if item.id == "run" else item.label

    def do_tick(self) -> None:
        if self.here is not None:
            self.ticked ^= {self.here.address}
            self.fill()

    def do_run(self) -> None:
        self.dismiss([one.address for one in self.chosen])


class MessageSheet(Sheet[None]):
    """``parts`` are (heading, text) pairs, shown as they are."""

    PLACE = "message"
    ACTIONS: tuple[KeyAction, ...] = (
        KeyAction("copy", "y", "copy", "copy the whole message", 1),
        KeyAction("cancel", "escape,enter,q", "close", "close", 2),
    )
    TAIL = ("cancel",)

    def __init__(self, title: str, parts: Parts) -> None:
        super().__init__()
        self.heading, self.parts = title, parts

    def body(self) -> ComposeResult:
        yield Line(self.heading, id="title")
        with VerticalScroll(id="text"):
            yield Static(in_parts(self.parts), markup=False)

    def do_copy(self) -> None:
        lines = [self.heading, *(f"{head}: {text}" for head, text in self.parts if text)]
        self.app.copy_to_clipboard("\n".join(lines))
        self.query_one("#title", Line).say(self.heading, "copied")


class AskText(Sheet[str]):
    """Gives the line (perhaps empty), or None when nothing is to be done. ``verb``: what Enter is
    called; ``at_bottom``: the rows behind stay in view."""

    PLACE = "line"
    ACTIONS = (
        KeyAction("send", "enter", "go on", "go on with what is written", 1),
        HELP_BY_F1,
        CANCEL_TYPING,
    )

    def __init__(
        self,
        title: str,
        effect: str,
        verb: str = "go on",
        *,
        hint: str = "",
        aside: str = "",
        value: str = "",
        at_bottom: bool = False,
    ) -> None:
        super().__init__(classes="-line" if at_bottom else "")
        self.heading, self.effect, self.verb = title, effect, verb
        self.hint, self.aside, self.value = hint, aside, value

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield Static(Content(self.effect), id="text", markup=False)
        yield LineField(self.value, placeholder=self.hint, id="reason")

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "send" else super().label(item)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.action_act("send")

    def do_send(self) -> None:
        self.dismiss(clean_line(self.query_one("#reason", Input).value))
