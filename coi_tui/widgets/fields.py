"""Fields to fill in and lists to choose from: lines and texts to type in, check boxes, rows with a
cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Checkbox, Input, OptionList, TextArea

from coi_tui.widgets.key_actions import MOVE_KEYS


def own_keys(bindings: Iterable[BindingType]) -> Mapping[str, str]:
    """The actions of a field by its keys, without those that are letters."""
    return {
        binding.key: binding.action
        for binding in Binding.make_bindings(bindings)
        if not binding.priority
    }


async def act_at_once(
    field: Input | TextArea, event: events.Key, actions: Mapping[str, str]
) -> None:
    """Run a key of the field itself when it hears of it, so that no letter overtakes it. Other keys
    go the usual way."""
    action = actions.get(event.key)
    if action is not None and not event.is_printable and await field.app.run_action(action, field):
        event.stop()
        event.prevent_default()


INPUT_KEYS, TEXT_KEYS = own_keys(Input.BINDINGS), own_keys(TextArea.BINDINGS)


class LineField(Input):
    """One line to type in."""

    async def on_key(self, event: events.Key) -> None:
        await act_at_once(self, event, INPUT_KEYS)


class TextField(TextArea):
    """A text to type in."""

    async def on_key(self, event: events.Key) -> None:
        await act_at_once(self, event, TEXT_KEYS)


class ReadField(TextArea):
    """A text to read. Keys that would change it move in it."""

    BINDINGS: ClassVar[list[BindingType]] = MOVE_KEYS


class Tick(Checkbox, inherit_bindings=False):
    """Textual's own shows the same mark for both and tells them apart by colour; its brackets would
    be dark on dark.

    The space bar ticks. Enter is left to the sheet, where it means what the footer says: it must
    not tick a box in passing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "toggle_button", "tick", show=False)]

    def render(self) -> Content:
        style = self.get_visual_style("toggle--label")
        return Content.assemble(
            Content.styled("[x]" if self.value else "[ ]", style),
            self.label.pad(1, 1).stylize_before(style),
        )


NARROWEST = 8
"""Cells that a list is laid out for, however narrow the terminal is."""


class MarkedList(OptionList, inherit_bindings=False):
    """Rows of literal text; ``>`` stands before the one under the cursor. Enter, Space and all
    letters are left to the screen."""

    DEFAULT_CSS = "MarkedList { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }"
    action_scroll_down, action_scroll_up = (
        OptionList.action_cursor_down,
        OptionList.action_cursor_up,
    )
    action_scroll_home, action_scroll_end = OptionList.action_first, OptionList.action_last

    class RoomChanged(Message):
        """The rows may be longer or shorter now; a list that was hidden gets its width some time
        after it was filled."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self.texts: list[Content] = []
        self.marked: int | None = None
        self._last_room = self.room

    def on_resize(self, event: events.Resize) -> None:
        self.scroll_to_highlight()
        if self.room != self._last_room:
            self._last_room = self.room
            self.post_message(self.RoomChanged())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows are wrapped to a few cells at least: to none, Textual cannot wrap them."""
        return super().get_content_height(container, viewport, max(NARROWEST, width))

    @property
    def room(self) -> int:
        """Cells for the text of a row."""
        return max(36, self.scrollable_content_region.width - 5)

    def show(self, rows: Sequence[Content], highlighted: int) -> None:
        """Show these rows with the cursor on one of them."""
        self.clear_options()
        self.texts, self.marked = list(rows), None
        self.add_options(Content.assemble("  ", row) for row in rows)
        self.highlighted = min(highlighted, len(rows) - 1) if rows else None
        self._mark(self.highlighted)

    def action_page_up(self) -> None:
        self._turn(super().action_page_up)

    def action_page_down(self) -> None:
        self._turn(super().action_page_down)

    def _turn(self, page: Callable[[], None]) -> None:
        """Turn a page, unless no line is on the screen: Textual counts no lines then, and its own
        keys for it end in an error."""
        if self.scrollable_content_region:
            page()

    def on_click(self, event: events.Click) -> None:
        """A click goes to the row, and a second one does what Enter does."""
        event.prevent_default()
        row = event.style.meta.get("option")
        if row is None or row >= len(self.texts):  # the rows have changed since they were drawn
            return
        self.highlighted = row
        if event.chain == 2:
            self.action_select()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._mark(event.option_index)

    def _mark(self, now: int | None) -> None:
        for index, sign in ((self.marked, "  "), (now, "> ")):
            if index is not None and index < len(self.texts):
                self.replace_option_prompt_at_index(
                    index, Content.assemble(sign, self.texts[index])
                )
        self.marked = now


class ChoiceList(MarkedList):
    """A list in which Enter chooses the row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", show=False)]
