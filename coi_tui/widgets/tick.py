"""A check box that says on or off in characters: ``[x]`` or ``[ ]``."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """Textual's own shows the same mark for both and tells them apart by colour; its brackets would be dark on dark."""

    @property
    def _button(self) -> Content:
        return Content.styled("[x]" if self.value else "[ ]", self.get_visual_style("toggle--label"))

    def watch_value(self) -> None:
        super().watch_value()
        self.refresh(layout=True)
