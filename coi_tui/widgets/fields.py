"""Fields to fill in: lines and texts to type in, and check boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Checkbox, Input, TextArea


def own_keys(bindings: Iterable[BindingType]) -> Mapping[str, str]:
    """The actions of a field by its keys, without those that are letters."""
    return {binding.key: binding.action for binding in Binding.make_bindings(bindings) if not binding.priority}


async def act_at_once(field: Input | TextArea, event: events.Key, actions: Mapping[str, str]) -> None:
    """Run a key of the field itself when it hears of it, so that no letter overtakes it. Other keys go the usual way."""
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


class Tick(Checkbox, inherit_bindings=False):
    """Textual's own shows the same mark for both and tells them apart by colour; its brackets would be dark on dark.

    The space bar ticks. Enter is left to the sheet (``Entered``), where it means what the footer says: it must not tick a box in passing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_button", "tick", show=False), Binding("enter", "enter", "done", show=False),
    ]  # fmt: skip

    class Entered(Message):
        """Enter was pressed on the box."""

    def action_enter(self) -> None:
        self.post_message(self.Entered())

    def render(self) -> Content:
        style = self.get_visual_style("toggle--label")
        return Content.assemble(Content.styled("[x]" if self.value else "[ ]", style), self.label.pad(1, 1).stylize_before(style))
