"""The views of a cell as lines of a list with a text for each: documents, tables, matrices, curves,
transcripts. Pure functions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from coi_tui.model.views import (
    ContentView,
    DocumentView,
    MatrixView,
    TableView,
    TitledText,
    TranscriptView,
    Turn,
)
from coi_tui.widgets.panes import cut, fit

GAP = 2
LEAST_LAST = 16
"""Cells that the last column of a table gets at least; the others are cut before that."""
SPEAKING = "speaking"
"""The mark of a turn whose answer is coming in."""
NOTHING_SAID, NOTHING_WRITTEN = "-", "nothing written yet"
MOST_NAME = 28
"""Cells for the name of a row of a matrix, or of a speaker."""
LEAST_NAME = 12
"""Cells that the name of a row keeps where the columns of a matrix are many."""


@dataclass(frozen=True)
class ViewLine:
    """What stands behind a line of a view: its text under a title. ``paper``: the id of a paper it
    stands for."""

    key: str
    title: str
    parts: tuple[TitledText, ...]
    paper: str = ""


def view_lines(view: ContentView, column: int = 0) -> list[ViewLine]:
    """The lines of a view, top to bottom. ``column``: where the cursor of a matrix stands, from
    0."""
    if isinstance(view, DocumentView):
        return [
            ViewLine(f"{n} {title}", title, (("", text),))
            for n, (title, text) in enumerate(view.sections)
        ]
    if isinstance(view, TableView):
        return [ViewLine(row.key, row.cells[-1], row.text, row.paper) for row in view.rows]
    if isinstance(view, MatrixView):
        return [
            ViewLine(
                f"{n}",
                f"{row.name} x {view.columns[column]}",
                ((row.cells[column].mark, row.cells[column].text),),
                row.paper,
            )
            if view.columns
            else ViewLine(f"{n}", row.name, (), row.paper)
            for n, row in enumerate(view.rows)
        ]
    return [
        ViewLine(
            turn.address or f"{n}",
            f"{spoken_by(turn)}   (turn {n} of {len(view.turns)})",
            (("", turn.text),),
        )
        for n, turn in enumerate(view.turns, start=1)
    ]


def heading_line(view: ContentView, width: int, column: int = 0) -> str:
    """The names above the lines, in at most ``width`` cells; empty where there are none."""
    if isinstance(view, TableView):
        return _joined(view.columns, _widths(view, width), width)
    if isinstance(view, MatrixView) and view.columns:
        return cut(f"column {column + 1} of {len(view.columns)}: {view.columns[column]}", width)
    return ""


def drawn(view: ContentView, width: int, column: int = 0, coming: Container[str] = ()) -> list[str]:
    """The lines as they are drawn, each in at most ``width`` cells. ``coming``: the addresses of
    turns whose answers are coming in."""
    if isinstance(view, DocumentView):
        return [cut(title, width) for title, _ in view.sections]
    if isinstance(view, TableView):
        widths = _widths(view, width)
        return [_joined(row.cells, widths, width) for row in view.rows]
    if isinstance(view, MatrixView):
        return _matrix(view, width, column)
    return transcript_lines(view, width, coming)


def spoken_by(turn: Turn) -> str:
    """Who speaks, and to what."""
    return f"{turn.speaker}{f', {turn.note}' if turn.note else ''}"


def transcript_lines(view: TranscriptView, width: int, coming: Container[str] = ()) -> list[str]:
    """A line a turn: its round, its mark, who speaks (to whom, where there is room), and the
    beginning of what is said.

    Of an answer that is ``coming`` in, by the address of its turn, the end.
    """
    most = max(LEAST_NAME, min(MOST_NAME, width // 3))
    whole = all(cell_len(spoken_by(turn)) <= most for turn in view.turns)
    rows = [
        (
            f"{turn.number or ''}" if view.of else "",
            SPEAKING if turn.address and turn.address in coming else turn.mark,
            cut(spoken_by(turn) if whole else turn.speaker, most),
            " ".join(turn.text.split())
            or (NOTHING_WRITTEN if turn.mark == "yours" else NOTHING_SAID),
        )
        for turn in view.turns
    ]
    widths = [max(map(cell_len, column), default=0) for column in zip(*rows, strict=True)][:3]
    lines = []
    for turn, (*before, said) in zip(view.turns, rows, strict=True):
        head = "".join(
            f"{fit(cell, cells)}{' ' * GAP}"
            for cell, cells in zip(before, widths, strict=True)
            if cells
        )
        room = width - cell_len(head)
        if turn.address in coming and cell_len(said) > room:
            said = f"…{said[1 - room :]}"
        lines.append(cut(f"{head}{said}", width))
    return lines


def _widths(view: TableView, width: int) -> list[int]:
    """The width of each column: what its cells need, but the last one takes what is left, and at
    least a little of it."""
    need = [
        max(map(cell_len, column))
        for column in zip(view.columns, *(row.cells for row in view.rows), strict=True)
    ]
    room = width - GAP * (len(need) - 1) - LEAST_LAST
    while len(need) > 1 and sum(need[:-1]) > max(room, len(need) - 1):
        widest = max(range(len(need) - 1), key=lambda n: need[n])
        need[widest] -= 1
    return [*need[:-1], max(LEAST_LAST, width - sum(need[:-1]) - GAP * (len(need) - 1))]


def _joined(cells: Sequence[str], widths: Sequence[int], width: int) -> str:
    return cut(
        (" " * GAP)
        .join(fit(cell, room) for cell, room in zip(cells, widths, strict=True))
        .rstrip(),
        width,
    )


def _name_room(names: Iterable[str]) -> int:
    """Cells for the names before the lines."""
    return min(MOST_NAME, max(map(cell_len, names), default=0))


def _matrix(view: MatrixView, width: int, column: int) -> list[str]:
    """The marks of each row, the one in the column of the cursor in brackets."""
    room = max((cell_len(cell.mark) for row in view.rows for cell in row.cells), default=1) + 2
    names = min(
        _name_room(row.name for row in view.rows),
        max(LEAST_NAME, width - room * len(view.columns) - 1),
    )
    lines = []
    for row in view.rows:
        marks = (
            fit(f"[{cell.mark}]" if n == column else f" {cell.mark} ", room)
            for n, cell in enumerate(row.cells)
        )
        lines.append(cut(f"{fit(row.name, names)} {''.join(marks)}".rstrip(), width))
    return lines
