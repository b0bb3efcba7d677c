"""Texts in lines of so many cells of a terminal; Textual is not needed for them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size


def fit(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: cut with ``…``, or filled with blanks."""
    if width <= 0:
        return ""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1).rstrip() + "…"
    return set_cell_size(text, width)


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells, with ``…`` where something is missing."""
    return text if cell_len(text) <= width else fit(text, width).rstrip()


def column(texts: Iterable[str], least: int, most: int) -> int:
    """Cells for a column of texts: as wide as the widest of them, within reason; ``fit`` cuts what
    is wider still."""
    return max(least, min(most, max(map(cell_len, texts), default=0)))


def ends(left: str, right: str, width: int) -> str:
    """``left`` at one side and ``right`` at the other; the left is cut first."""
    right = cut(right, width)
    room = width - cell_len(right)
    return fit(left, room - 2) + "  " + right if room > 2 else right


def indented(text: str, by: int, width: int) -> list[str]:
    """The text wrapped to ``width``, each line ``by`` blanks in."""
    return [" " * by + line for line in wrapped(text, max(20, width) - by)]


def wrapped(text: str, width: int, most: int | None = None) -> list[str]:
    """The text wrapped to ``width``, in at most so many lines, with ``…`` where something is
    missing."""
    return textwrap.wrap(
        text, max(1, width), max_lines=most, placeholder=" …", break_on_hyphens=False
    )
