"""Tables and talks as lines of a list. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from coi_tui.model.document import Table, TableRow, Transcript, Turn
from coi_tui.widgets.panes import cut, fit

GAP = 2
LEAST_LAST = 16
"""Cells that the last column gets at least; the others are cut before that."""
NOTHING_SAID, NOTHING_WRITTEN = "-", "nothing written yet"


def table_lines(table: Table, width: int) -> list[str]:
    """The names of the columns, then the rows, each in at most ``width`` cells."""
    rows = [row.cells for row in table.rows]
    filled = [n for n, column in enumerate(zip(table.head, *rows, strict=True)) if any(column)]
    lines = [[line[n] for n in filled] for line in (table.head, *rows)]
    widths = _widths(lines, width)
    drawn = (map(fit, line, widths) for line in lines)
    return [cut((" " * GAP).join(cells).rstrip(), width) for cells in drawn]


def _widths(lines: Sequence[Sequence[str]], width: int) -> list[int]:
    """The width of each column: what its cells need, but the last one takes what is left, and at
    least a little of it."""
    most = max(LEAST_LAST, width // 4)
    need = [min(most, max(map(cell_len, column))) for column in zip(*lines, strict=True)][:-1]
    room = width - GAP * len(need) - LEAST_LAST
    while need and sum(need) > max(room, len(need)):
        need[need.index(max(need))] -= 1
    return [*need, max(LEAST_LAST, width - sum(need) - GAP * len(need))]


def spoken_by(turn: Turn) -> str:
    """Who speaks, and to what."""
    return f"{turn.speaker}{f', {turn.note}' if turn.note else ''}"


def transcript_table(talk: Transcript) -> Table:
    """A row a turn: its round, its mark, who speaks to whom, and what is
    said."""
    rows = tuple(
        TableRow(
            (
                f"{turn.number or ''}" if talk.of else "",
                turn.mark,
                spoken_by(turn),
                " ".join(turn.text.split())
                or (NOTHING_WRITTEN if turn.mark == "yours" else NOTHING_SAID),
            ),
            turn.address or str(n),
        )
        for n, turn in enumerate(talk.turns, start=1)
    )
    return Table(("", "", "", ""), rows)
