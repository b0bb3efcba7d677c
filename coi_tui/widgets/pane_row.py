"""Panes side by side. The border after the first one can be dragged with the mouse."""

from __future__ import annotations

from textual import events
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

LEAST_FIRST, LEAST_OTHER = 24, 30
"""The least cells of the first pane, and of what stands beside it, when the border is dragged."""


class PaneRow(Horizontal):
    """The first pane has the width of the style sheet until its border is dragged."""

    class Dragged(Message):
        """The border was dragged and let go."""

        def __init__(self, width: int) -> None:
            super().__init__()
            self.width = width

    def __init__(self, first: Widget, *others: Widget, id: str | None = None) -> None:
        super().__init__(first, *others, id=id)
        self._first, self._others = first, others
        self._dragging = False
        self.dragged = 0
        """The width of the first pane as it was dragged, 0 where it was not."""

    def fit(self, *, beside: bool) -> None:
        """A width that was dragged holds only ``beside`` other panes, and leaves room for them."""
        styles = self._first.styles
        if not self.dragged or not beside:
            if styles.inline.has_rule("width"):  # taking away what is not there lays everything out again
                styles.width = None
            return
        fixed = sum(pane.outer_size.width for pane in self._others[1:] if pane.display) if self._others[0].display else 0
        styles.width = max(LEAST_FIRST, min(self.dragged, self.screen.size.width - fixed - LEAST_OTHER))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A drag begins on the border between the first pane and what is beside it."""
        first = self._first.region
        on_border = event.screen_x in (first.right - 1, first.right) and first.y <= event.screen_y < first.bottom
        if on_border and self._first.display and first.right < self.screen.size.width:
            self._dragging = True
            self._first.capture_mouse()
            event.stop()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self.dragged = max(LEAST_FIRST, int(event.screen_x) - self._first.region.x + 1)
            self.fit(beside=True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._dragging:
            self._dragging = False
            self._first.release_mouse()
            self.post_message(self.Dragged(self.dragged))
