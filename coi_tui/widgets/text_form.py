"""A text with parts as a form: a field for each part, under its name, as high as what stands in
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import TextArea

from coi_tui.session.decisions.edits import TextPart
from coi_tui.widgets.fields import TextField

LEAST, AROUND = 3, 1
"""The least lines that a long part shows of itself; lines of the form that stay free beside it."""


HINTS = {
    "text": "",
    "lines": "one a line",
    "pairs": "one a line, a name and what it is after a colon",
}
"""How a part is written, by what it contains."""


class TextForm(VerticalScroll, can_focus=False):
    """Tab goes from field to field; a part that is longer than the form scrolls by itself."""

    DEFAULT_CSS = """
    TextForm { scrollbar-size-vertical: 1; padding: 0 1; }
    TextForm > TextField { width: 100%; height: auto; min-height: 2; border: none; border-top: solid $text-primary; padding: 0; }
    TextForm > TextField { margin: 0 0 1 0; background: $surface; }
    TextForm > TextField:focus { border: none; border-top: double $text-accent; }
    """

    def __init__(self, parts: Sequence[TextPart], id: str) -> None:
        super().__init__(id=id)
        self.parts = tuple(parts)
        self.fields = {
            part.name: TextField(
                part.text, soft_wrap=True, show_line_numbers=False, id=f"part-{part.name}"
            )
            for part in parts
        }
        self._last = self.parts[0].name

    def compose(self) -> ComposeResult:
        for part in self.parts:
            self.fields[part.name].border_title = _label(part)
            yield self.fields[part.name]

    @property
    def texts(self) -> dict[str, str]:
        """What stands in the fields, by the names of their parts."""
        return {name: field.text for name, field in self.fields.items()}

    @property
    def current(self) -> str:
        """The part that is written in, or was last."""
        return next((name for name, field in self.fields.items() if field.has_focus), self._last)

    def take(self, texts: Mapping[str, str]) -> None:
        """Put texts into these parts; each can be undone like typing. The others stay."""
        for name, text in texts.items():
            field = self.fields[name]
            if text != field.text:
                field.replace(text, (0, 0), field.document.end)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._last = self.current

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """A part that grows stays in sight."""
        if event.text_area.has_focus:
            event.text_area.scroll_visible(animate=False)

    def on_resize(self, event: events.Resize) -> None:
        most = max(LEAST, event.size.height - AROUND)
        for field in self.fields.values():
            field.styles.max_height = most


def _label(part: TextPart) -> Content:
    hint = HINTS[part.form]
    return Content.assemble(" ", (part.heading, "bold"), f"  {hint} " if hint else " ")
