"""A check box that says on or off in characters: ``[x]`` or ``[ ]``."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Checkbox


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

    @property
    def _button(self) -> Content:
        return Content.styled("[x]" if self.value else "[ ]", self.get_visual_style("toggle--label"))

    def watch_value(self) -> None:
        super().watch_value()
        self.refresh(layout=True)
