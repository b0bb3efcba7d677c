"""A sheet of terminal cells to draw on: text of any width stays on its cells, lines go behind text."""

from __future__ import annotations

from itertools import groupby

from rich.cells import cell_len

JOINERS = frozenset("\u200d\ufe0f")
"""Signs that change the width of what stands beside them, each terminal in its own way: they are left out."""
Span = tuple[str, str]
"""A piece of a line and the name of its look."""


class Canvas:
    """Rows of cells. A wide character takes two cells, the second of them empty; what has no width joins the cell before it."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._signs = [[" "] * width for _ in range(height)]
        self._looks = [[""] * width for _ in range(height)]
        self._lines: set[tuple[int, int]] = set()

    def write(self, row: int, x: int, text: str, look: str = "") -> None:
        """Text from a cell on; what does not fit is left out, never half of a wide character."""
        at = x
        for char in text:
            if char in JOINERS:
                continue
            wide = cell_len(char)
            if wide == 0:
                if x < at <= self.width and self._signs[row][at - 1]:
                    self._signs[row][at - 1] += char
                continue
            if at < 0 or at + wide > self.width:
                return
            self._signs[row][at] = char
            self._looks[row][at] = look
            if wide == 2:
                self._signs[row][at + 1], self._looks[row][at + 1] = "", look
            at += wide

    def dye(self, row: int, x: int, end: int, look: str) -> None:
        """Give cells another look."""
        self._looks[row][x:end] = [look] * len(self._looks[row][x:end])

    def draw(self, row: int, x: int, sign: str, look: str) -> None:
        """A sign of a line: over blanks and other lines, never over text."""
        if not (0 <= row < self.height and 0 <= x < self.width):
            return
        if self._signs[row][x] == " " or (row, x) in self._lines:
            self._signs[row][x], self._looks[row][x] = sign, look
            self._lines.add((row, x))

    def spans(self, row: int) -> tuple[Span, ...]:
        """A row in pieces of one look."""
        pairs = zip(self._looks[row], self._signs[row], strict=True)
        return tuple(("".join(sign for _, sign in group), look) for look, group in groupby(pairs, key=lambda p: p[0]))
