"""The inspector: who made the row, what reads it, what needs the person, what happened last. One text in a scroll."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.widgets.formatting import cut, fit

NEEDS, LABEL = 6, 9
"""Lines of the list of what needs the person; cells for the labels of the facts."""


@dataclass(frozen=True)
class Inspected:
    """What the inspector shows. ``needs`` are the first lines of a list of ``waiting`` rows."""

    made: tuple[tuple[str, str], ...] = ()
    feeds: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    waiting: int = 0
    activity: tuple[str, ...] = ()


class Inspector(VerticalScroll):
    """Shows one ``Inspected`` at its own width. The scroll stays for the same row."""

    DEFAULT_CSS = """
    Inspector { padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    Inspector > Static { width: 100%; height: auto; }
    """
    can_focus = True

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.key, self.shown = "", Inspected()
        self._width, self._lines = 0, -1

    def compose(self) -> ComposeResult:
        yield Static("", markup=False)

    def show(self, key: str, what: Inspected) -> None:
        """Show the facts of a row; nothing is drawn when they are the same."""
        if (key, what) == (self.key, self.shown):
            return
        other, self.key, self.shown = key != self.key, key, what
        self._draw()
        if other:
            self.scroll_home(animate=False)

    def on_resize(self, event: events.Resize) -> None:
        if self._room != self._width:
            self._draw()

    @property
    def _room(self) -> int:
        """Cells of a line, the same with a scroll bar (which comes only after the lines are known) and without."""
        return self.scrollable_content_region.width

    def _draw(self) -> None:
        self._width = self._room
        if self._width > 0 and self.key:
            content = inspector_content(self.shown, self._width)
            before, self._lines = self._lines, content.plain.count("\n")
            self.query_one(Static).update(content, layout=self._lines != before)  # as many lines: nothing else moves

    @property
    def text(self) -> str:
        """What is shown, as plain text."""
        return inspector_content(self.shown, max(24, self._width)).plain


def inspector_content(what: Inspected, width: int) -> Content:
    """Four headed lists of literal text, each line at most ``width`` cells."""
    lines: list[Content] = [_head("MADE BY", width)]
    for label, said in what.made:
        lines += [Content(line) for line in _fact(label, said, width)]
    if what.feeds:
        lines += [Content(line) for line in _fact("feeds", " ".join(what.feeds), width)]
    lines += [_head("NEEDS YOU", width, "] next" if what.waiting else "")]
    lines += [Content(cut(line, width)) for line in what.needs[:NEEDS]] or [Content("nothing")]
    if what.waiting > NEEDS:
        lines.append(Content(cut(f"and {what.waiting - NEEDS} more", width)))
    lines += [_head("ACTIVITY", width), *([Content(cut(line, width)) for line in what.activity] or [Content("nothing yet")])]
    return Content("\n").join(lines[:1] + [part for line in lines[1:] for part in _spaced(line)])


def _spaced(line: Content) -> Iterator[Content]:
    if line.plain.startswith(("NEEDS YOU", "ACTIVITY")) and line.spans:
        yield Content("")
    yield line


def _head(words: str, width: int, right: str = "") -> Content:
    gap = max(2, width - len(words) - len(right))
    return Content.assemble((words, "bold"), (" " * gap + right if right else "", "dim"))


def _fact(label: str, said: str, width: int) -> Sequence[str]:
    if not label:
        return textwrap.wrap(said, max(8, width)) or [""]
    room = max(8, width - LABEL)
    words = textwrap.wrap(said, room, break_on_hyphens=False) or [""]
    return [fit(label if n == 0 else "", LABEL) + line for n, line in enumerate(words)]
