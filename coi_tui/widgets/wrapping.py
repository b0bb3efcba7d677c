"""Where lines of text break: the same places as in Textual's own text, found once for a width and quickly for plain English."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from rich._wrap import divide_line
from textual.content import Content, Span


def breaks(text: str, width: int) -> list[int]:
    """The offsets at which a line without line feeds is broken to fit ``width`` cells. Words longer than a line are folded."""
    if len(text) <= width and text.isascii() and text.isprintable():
        return []
    simple = text.isascii() and text.isprintable() and not text.startswith(" ")
    if not simple or max(map(len, text.split()), default=0) > width:
        return divide_line(text, width)
    return list(_simple_breaks(text, width))


def _simple_breaks(text: str, width: int) -> Iterator[int]:
    """One cell for each character, no word longer than a line: the break is at the first word that does not fit whole."""
    at, end = 0, len(text.rstrip())
    while end - at > width:
        fits = at + width
        if text[fits] == " ":
            while text[fits] == " ":
                fits += 1
            at = fits
        else:
            at = text.rindex(" ", at, fits) + 1
        yield at


class Wrapped:
    """A text broken for one width. Rows are made one by one, when they are asked for."""

    def __init__(self, content: Content, width: int) -> None:
        self.width = width
        self._spans = content.spans
        self._lines = content.plain.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))
        self._breaks = [breaks(self._line(n, ()).plain if "\t" in line else line, width) for n, line in enumerate(self._lines)]
        self._firsts = list(accumulate((len(found) + 1 for found in self._breaks), initial=0))

    @property
    def height(self) -> int:
        """How many rows the whole text takes."""
        return self._firsts[-1]

    def place(self, y: int) -> tuple[int, int]:
        """Which line of the text a row shows, and from which of its characters on."""
        n = bisect_right(self._firsts, y) - 1
        piece = y - self._firsts[n]
        return n, self._breaks[n][piece - 1] if piece else 0

    def row(self, y: int, marked: Sequence[Span] = ()) -> Content:
        """What a row shows. ``marked``: styles to lay over its line of the text, such as a selection's."""
        n, start = self.place(y)
        last = y + 1 == self._firsts[n + 1]
        if "\t" in self._lines[n]:
            whole, spans = self._line(n, marked).plain, self._line(n, marked).spans
        else:
            whole, spans = self._lines[n], self._spans_of(n, marked)
        end = len(whole) if last else self._breaks[n][y - self._firsts[n]]
        text = whole[start:end] if last else whole[start:end].rstrip()
        return Content(text, clipped(spans, start, start + len(text)), strip_control_codes=False).truncate(self.width)

    def _line(self, n: int, marked: Sequence[Span]) -> Content:
        """A line with blanks for its tabs."""
        return Content(self._lines[n], self._spans_of(n, marked), strip_control_codes=False).expand_tabs()

    def _spans_of(self, n: int, marked: Sequence[Span]) -> list[Span]:
        return [*clipped(self._spans, self._starts[n], self._starts[n + 1] - 1), *marked]


def clipped(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """What of the styles falls on a piece of a text, counted from its beginning."""
    return [Span(max(s.start, start) - start, min(s.end, end) - start, s.style) for s in spans if s.start < end and s.end > start]
