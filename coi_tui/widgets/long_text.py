"""A text of any length: broken into rows once for a width, and drawn only where it is seen."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content, Span
from textual.geometry import Size
from textual.strip import Strip
from textual.style import Style
from textual.visual import VisualType
from textual.widgets import Static

from coi_tui.widgets.wrapping import Wrapped


class LongText(Static):
    """As a Static of left-aligned, literal text; what is scrolled away costs nothing. Its text can be selected with the mouse."""

    def __init__(self, content: Content | str = "", *, id: str | None = None) -> None:
        super().__init__(content if isinstance(content, Content) else Content(content), id=id, markup=False)
        self._wrapped: tuple[Content, Wrapped] | None = None

    def wrapped(self, width: int) -> Wrapped:
        """The text as it is now, broken for a width in cells."""
        content = self.content if isinstance(self.content, Content) else Content(str(self.content))
        if self._wrapped is None or self._wrapped[0] is not content or self._wrapped[1].width != width:
            self._wrapped = (content, Wrapped(content, width))
        return self._wrapped[1]

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show another text. Where it takes as many rows as the one before, nothing else moves."""
        width, before = self.size.width, self._wrapped[1].height if self._wrapped is not None else -1
        super().update(content, layout=False)
        if layout and (not width or self.wrapped(width).height != before):
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The rows that the text takes at a width."""
        return self.wrapped(width).height if width else 0

    def render_line(self, y: int) -> Strip:
        """One row, with the places of its characters in the text, which selecting goes by."""
        style, width = self.visual_style, self.size.width
        wrapped = self.wrapped(width) if width else None
        if wrapped is None or not 0 <= y < wrapped.height:
            return Strip.blank(width, style.rich_style)
        line, x = wrapped.place(y)
        row = wrapped.row(y, self._selected(line))
        segments = []
        for text, own in row.render(style, end=""):
            segments.append(Segment(text, (style + own).rich_style_with_offset(x, line)))
            x += len(text)
        return Strip(segments, row.cell_length)

    def _selected(self, line: int) -> tuple[Span, ...]:
        """The style of the selection, where it touches a line of the text."""
        selection = self.text_selection
        touched = selection.get_span(line) if selection is not None else None
        if touched is None:
            return ()
        start, end = touched
        style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
        return (Span(start, 1_000_000_000 if end == -1 else end, style),)
