"""The pane of a timeline: one widget that paints only the lines in view, with the years always above."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from coi_tui.session.queries.timeline import Timeline
from coi_tui.widgets.actions.pictures import TIMELINE
from coi_tui.widgets.actions.table import bindings_of
from coi_tui.widgets.timeline_text import BLOCK, NODE, Drawing, drawn


class TimelineView(Widget):
    """Shows a picture with the cursor on one paper; what does not fit is moved into view with the cursor, the wheel or a click."""

    DEFAULT_CSS = """
    TimelineView { height: 1fr; }
    TimelineView .timeline--strong { text-style: bold; }
    TimelineView .timeline--dim { color: $text-muted; }
    TimelineView .timeline--link { color: $accent; text-style: bold; }
    TimelineView .timeline--here { text-style: reverse bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"timeline--strong", "timeline--dim", "timeline--link", "timeline--here"}
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "timeline", [a for a in TIMELINE if a.id in ("left", "right", "up", "down", "go")], inner=True
    )
    can_focus = True

    class Pointed(Message):
        """A paper was clicked; ``again`` the second time."""

        def __init__(self, address: str, again: bool) -> None:
            super().__init__()
            self.address, self.again = address, again

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.drawing: Drawing | None = None
        self.left = self.top = 0

    @property
    def _room(self) -> Size:
        """Cells for the branches: one line goes to the years."""
        inner = self.content_size
        return Size(inner.width, max(1, inner.height - 1))

    def show(self, picture: Timeline, cursor: str) -> None:
        """Show a picture with the cursor on a paper, moved no further than needed to have the paper in view."""
        room = self._room
        if not room.width:
            return
        loose = (BLOCK + 1) * len(picture.lanes) <= room.height
        self.drawing = drawn(picture, room.width, cursor, loose=loose)
        self._bring_into_view(self.drawing, room)
        self._say_where(picture, self.drawing, room)
        self.refresh()

    def _bring_into_view(self, d: Drawing, room: Size) -> None:
        self.top = max(min(self.top, d.row - 2), d.row + 2 - room.height)
        self.left = max(min(self.left, d.x - 2), d.x + d.cell + 1 - room.width)
        self._hold(room)

    def _hold(self, room: Size) -> None:
        d = self.drawing
        self.top = max(0, min(self.top, len(d.lines) - room.height)) if d else 0
        self.left = max(0, min(self.left, d.width - room.width)) if d else 0

    def _say_where(self, picture: Timeline, d: Drawing, room: Size) -> None:
        """Below the frame: how many papers are outside of what is seen, and on which side."""
        seen = {"left": 0, "right": 0, "above": 0, "below": 0}
        for row, x in d.spots.values():
            seen["left"] += x < self.left
            seen["right"] += x + NODE > self.left + room.width
            seen["above"] += row < self.top
            seen["below"] += row >= self.top + room.height
        said = [f"{n} {where}" for where, n in seen.items() if n]
        self.border_subtitle = Content(f"papers out of view: {', '.join(said)}" if said else "")

    def render_line(self, y: int) -> Strip:
        d, width = self.drawing, self.content_size.width
        if d is None:
            return Strip.blank(width, self.rich_style)
        at = self.top + y - 1
        spans = d.years if y == 0 else d.lines[at] if at < len(d.lines) else ()
        strip = Strip([Segment(text, self._style(look)) for text, look in spans])
        return strip.crop(self.left, self.left + width).extend_cell_length(width, self.rich_style)

    def _style(self, look: str) -> Style:
        return self.rich_style if not look else self.get_component_rich_style(f"timeline--{look}")

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.drawing is None or at.y == 0:
            return
        row, x = at.y - 1 + self.top, at.x + self.left
        for address, (line, begin) in self.drawing.spots.items():
            if row in (line, line + 1) and begin <= x < begin + self.drawing.cell:
                self.post_message(self.Pointed(address, event.chain == 2))
                return

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._move(0, 1)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._move(0, -1)
        event.stop()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._move(4, 0)
        event.stop()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._move(-4, 0)
        event.stop()

    def _move(self, x: int, y: int) -> None:
        self.left, self.top = self.left + x, self.top + y
        self._hold(self._room)
        self.refresh()
