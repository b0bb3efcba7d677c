"""A row of the tree as one line of exactly the room there is: marks, label, title, year, note."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from coi_tui.session import row_wording
from coi_tui.session.queries.row import Row, Verdict
from coi_tui.widgets.themes import RowColours
from coi_tui.widgets.words import cut, fit

YEAR_FROM = 44
"""Below this width the year stands only where no note does."""
YEAR_LEAST = 26


def row_text(row: Row, width: int, colours: RowColours) -> Text:
    """The row without cursor and fold mark. Every part is literal text; nothing in a title is markup."""
    signs = row_wording.marks(row).strip(" ") and row_wording.marks(row)
    said = row_wording.note(row)
    label = f"{fit(row.label, max(3, cell_len(row.label)))} " if row.depth else f"{row.label} "
    left = (f"{signs} " if signs else "") + label
    note = f" {said}" if said else ""
    year = f" {row.year}" if row.year and (width >= YEAR_FROM or (not note and width >= YEAR_LEAST)) else ""
    room = width - cell_len(left) - cell_len(year) - cell_len(note)
    if room < 4 and year:
        room, year = room + cell_len(year), ""
    if room < 4:
        note = cut(note, max(0, width - cell_len(left)))
        room = max(0, width - cell_len(left) - cell_len(note))
    title = "" if row.title == row.label else row.title
    text = Text(left + fit(title, room) + year + note, no_wrap=True, end="")
    _colour(text, row, bool(signs), len(note), colours)
    return text


def _colour(text: Text, row: Row, marked: bool, note: int, colours: RowColours) -> None:
    """Colours repeat what marks and words say; nothing is said by colour alone."""
    attention, settled, quiet = colours.attention, colours.settled, colours.quiet
    busy = row.running or row.failed
    if marked:
        taken = row.verdict in (Verdict.ACCEPTED, Verdict.PINNED)
        text.stylize(attention if row.verdict is Verdict.UNDECIDED else settled if taken else quiet, 0, 1)
        text.stylize(attention if busy or row.stale else quiet, 1, 2)
        text.stylize(quiet, 2, 3)
    if note:
        text.stylize(attention if row.needs_you or busy else quiet, len(text) - note)
    if not row.depth and not marked:
        text.stylize("bold", 0, len(text) - note)
