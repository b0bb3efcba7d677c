"""A check box that says on or off in characters: ``[x]`` or ``[ ]``."""

from __future__ import annotations

from textual.widgets import Checkbox


class Tick(Checkbox):
    """Textual's own shows the same mark for both and tells them apart by colour."""

    BUTTON_LEFT = "["
    BUTTON_INNER = " "
    BUTTON_RIGHT = "]"

    def watch_value(self) -> None:
        self.BUTTON_INNER = "x" if self.value else " "
        super().watch_value()
        self.refresh(layout=True)
