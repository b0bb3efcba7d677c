"""A row of the tree as one line of text: glyph, label or year, title, and a word at the right.
Pure."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from coi_tui.session import row_wording
from coi_tui.session.queries.row import Row, RowKind, Verdict
from coi_tui.widgets.formatting import column, cut, fit
from coi_tui.widgets.themes import RowColours

YEAR_FROM = 34
"""Below this width a paper's year gives way to its title."""
COLUMN_FROM, COLUMN, WIDEST = 48, 10, 18
"""From this width on, what texts say begins in one column, right of the widest label; one of more
than ``WIDEST`` cells is cut."""
LABEL_GAP = 2
TITLE_LEAST = 4
"""Cells below which a title gives way to nothing more."""


def label_column(rows: Iterable[Row]) -> int:
    """Cells for the labels of texts among these rows."""
    return column(
        (row.label for row in rows if row.kind is RowKind.TEXT and row.status is not None),
        COLUMN,
        WIDEST,
    )


def row_text(row: Row, width: int, colours: RowColours, labels: int = COLUMN) -> Text:
    """The row without cursor and fold mark. Every part is literal text; nothing in a title is
    markup. ``labels``: cells for labels."""
    head = _head(row, width, labels)
    title = _said(row)
    note = _note(row, title, width - cell_len(head))
    said = fit(title, width - cell_len(head) - cell_len(note))
    text = Text(head + said + note, no_wrap=True, end="")
    _colour(text, row, len(head), len(note), colours)
    return text


def _head(row: Row, width: int, labels: int) -> str:
    """What stands before the title: the glyph of the verdict, and the year of a paper, the label of
    a text or the number of a branch."""
    if row.kind is RowKind.BRANCH:
        return f"{row.label}  " if row.label != row.title else ""
    if row.kind is RowKind.SLOT:
        return (
            f"{row_wording.glyph(row)} {row.year or '':4}  "
            if width >= YEAR_FROM
            else f"{row_wording.glyph(row)} "
        )
    if row.status is None:
        return f"{row_wording.glyph(row)} "
    label = fit(row.label, labels) if width >= COLUMN_FROM else cut(row.label, labels)
    return f"{row_wording.glyph(row)} {label}{' ' * LABEL_GAP}"


def _said(row: Row) -> str:
    """The title; for an empty place of a chain which one it is, and nothing where the label says it
    all."""
    if row.kind is RowKind.SLOT and not row.made:
        return f"{row.title}  {row.label}"
    says_no_more = row.title == row.label or (not row.made and row.label in row.title.split())
    return "" if row.kind is RowKind.TEXT and says_no_more else row_wording.line(row)


def _note(row: Row, title: str, room: int) -> str:
    """The word at the right, with a gap before it; cut where hardly a title is left. That a verdict
    is due, the glyph says too."""
    said = row_wording.note(row)
    if not said or (said == row_wording.DECIDE and cell_len(title) + cell_len(said) + 2 > room):
        return ""
    return (
        cut(f"  {said}", max(0, room)) if room - cell_len(said) - 2 < TITLE_LEAST else f"  {said}"
    )


def _colour(text: Text, row: Row, head: int, note: int, colours: RowColours) -> None:
    """Weight and colour repeat what place, glyph and words say; nothing is said by colour alone."""
    if row.kind is RowKind.BRANCH:
        text.stylize("bold", 0, len(text) - note)
    elif row.kind is RowKind.SLOT and not row.made:
        text.stylize(colours.quiet)
    else:
        text.stylize(colours.quiet, 1, head)
        text.stylize(_verdict_style(row, colours), 0, 1)
    if note:
        text.stylize(
            colours.attention if row.needs_you or row.running or row.failed else colours.quiet,
            len(text) - note,
        )


def _verdict_style(row: Row, colours: RowColours) -> str:
    if row.asks or row.running or row.failed:
        return colours.attention
    return (
        colours.settled
        if row.verdict in (Verdict.ACCEPTED, Verdict.PINNED) or row.by_you
        else colours.quiet
    )
