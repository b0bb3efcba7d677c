"""A row of the tree as one line of exactly the room there is: marks, label, title, year, note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from coi_tui.widgets.themes import RowColours
from coi_tui.widgets.words import cut, fit

if TYPE_CHECKING:
    from coi_tui.session.queries.row import Row

YEAR_FROM = 44
"""Below this width the year stands only where no note does."""
YEAR_LEAST = 26


def row_text(row: Row, width: int, colours: RowColours) -> Text:
    """The row without cursor and fold mark. Every part is literal text; nothing in a title is markup."""
    marks = row.marks if row.marks.strip() else ""
    label = f"{fit(row.label, max(3, cell_len(row.label)))} " if row.depth else f"{row.label} "
    left = (f"{marks} " if marks else "") + label
    note = f" {row.note}" if row.note else ""
    year = f" {row.year}" if row.year and (width >= YEAR_FROM or (not note and width >= YEAR_LEAST)) else ""
    room = width - cell_len(left) - cell_len(year) - cell_len(note)
    if room < 4 and year:
        room, year = room + cell_len(year), ""
    if room < 4:
        note = cut(note, max(0, width - cell_len(left)))
        room = max(0, width - cell_len(left) - cell_len(note))
    title = "" if row.title == row.label else row.title
    text = Text(left + fit(title, room) + year + note, no_wrap=True, end="")
    _colour(text, row, len(marks), len(note), colours)
    return text


def _colour(text: Text, row: Row, marks: int, note: int, colours: RowColours) -> None:
    """Colours repeat what marks and words say; nothing is said by colour alone."""
    attention, settled, quiet = colours.attention, colours.settled, colours.quiet
    if marks:
        text.stylize(attention if row.marks[0] == "?" else settled if row.marks[0] in "+P" else quiet, 0, 1)
        text.stylize(attention if row.marks[1] in "~:!*" else quiet, 1, 2)
        text.stylize(quiet, 2, 3)
    if note:
        text.stylize(attention if row.needs_you or row.marks[1] in "*!" else quiet, len(text) - note)
    if not row.depth and not marks:
        text.stylize("bold", 0, len(text) - note)
