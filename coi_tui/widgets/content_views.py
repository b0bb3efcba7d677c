"""The views of a cell as lines of a list with a text for each: documents, tables, matrices, curves, transcripts. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rich.cells import cell_len

from coi_tui.model.views import (
    ContentView,
    CurvePoint,
    CurveView,
    DocumentView,
    MatrixRow,
    MatrixView,
    TableRow,
    TableView,
    TitledText,
    TranscriptView,
    Turn,
)  # fmt: skip
from coi_tui.widgets.formatting import cut, fit

GAP = 2
LEAST_LAST = 16
"""Cells that the last column of a table gets at least; the others are cut before that."""
MOST_NAME = 28
"""Cells for the name of a row of a matrix, or of a speaker."""


@dataclass(frozen=True)
class ViewLine:
    """A line of a view: ``line`` draws it in a width, ``title`` and ``parts`` are its text. ``paper``: the id of a paper it stands for."""

    key: str
    line: Callable[[int], str]
    title: str
    parts: tuple[TitledText, ...]
    paper: str = ""


def view_lines(view: ContentView, column: int = 0) -> list[ViewLine]:
    """The lines of a view, top to bottom. ``column``: where the cursor of a matrix stands, from 0."""
    makers: dict[type, Callable[[Any], list[ViewLine]]] = {
        DocumentView: _document, TableView: _table, CurveView: _curve, TranscriptView: _transcript,
        MatrixView: lambda matrix: _matrix(matrix, column),
    }  # fmt: skip
    return makers[type(view)](view)


def heading_line(view: ContentView, width: int, column: int = 0) -> str:
    """The names above the lines, in at most ``width`` cells; empty where there are none."""
    if isinstance(view, TableView):
        return _joined(view.columns, _widths(view, width), width)
    if isinstance(view, MatrixView) and view.columns:
        return cut(f"column {column + 1} of {len(view.columns)}: {view.columns[column]}", width)
    return cut(f"{view.y} by {view.x}", width) if isinstance(view, CurveView) else ""


# -- tables ---------------------------------------------------------------------------------------------------------


def _table(view: TableView) -> list[ViewLine]:
    return [ViewLine(row.key, partial(_table_line, view, row), row.cells[-1], row.text, row.paper) for row in view.rows]


def _table_line(view: TableView, row: TableRow, width: int) -> str:
    return _joined(row.cells, _widths(view, width), width)


def _widths(view: TableView, width: int) -> list[int]:
    """The width of each column: what its cells need, but the last one takes what is left, and at least a little of it."""
    need = [max(map(cell_len, column)) for column in zip(view.columns, *(row.cells for row in view.rows), strict=True)]
    room = width - GAP * (len(need) - 1) - LEAST_LAST
    while len(need) > 1 and sum(need[:-1]) > max(room, len(need) - 1):
        widest = max(range(len(need) - 1), key=lambda n: need[n])
        need[widest] -= 1
    return [*need[:-1], max(LEAST_LAST, width - sum(need[:-1]) - GAP * (len(need) - 1))]


def _joined(cells: Sequence[str], widths: Sequence[int], width: int) -> str:
    return cut((" " * GAP).join(fit(cell, room) for cell, room in zip(cells, widths, strict=True)).rstrip(), width)


# -- the others -----------------------------------------------------------------------------------------------------


def _name_room(names: Iterable[str]) -> int:
    """Cells for the names before the lines."""
    return min(MOST_NAME, max(map(cell_len, names), default=0))


def _matrix(view: MatrixView, column: int) -> list[ViewLine]:
    return [
        ViewLine(
            f"{n}", partial(_matrix_line, view, row, column), f"{row.name} x {view.columns[column]}" if view.columns else row.name,
            ((row.cells[column].mark, row.cells[column].text),) if row.cells else (),
        )
        for n, row in enumerate(view.rows)
    ]  # fmt: skip


def _matrix_line(view: MatrixView, row: MatrixRow, column: int, width: int) -> str:
    """The marks of a row, the one in the column of the cursor in brackets."""
    room = max((cell_len(cell.mark) for each in view.rows for cell in each.cells), default=1) + 2
    marks = (fit(f"[{cell.mark}]" if n == column else f" {cell.mark} ", room) for n, cell in enumerate(row.cells))
    return cut(f"{fit(row.name, _name_room(each.name for each in view.rows))} {''.join(marks)}".rstrip(), width)


def _curve(view: CurveView) -> list[ViewLine]:
    return [
        ViewLine(
            point.at, partial(_curve_line, view, point), f"{point.at}: {point.value:g}", (("", point.text),) if point.text else ()
        )
        for point in view.points
    ]  # fmt: skip


def _curve_line(view: CurveView, point: CurvePoint, width: int) -> str:
    """A value as a bar as long as its share of the greatest one."""
    names, most = _name_room(p.at for p in view.points), max(p.value for p in view.points)
    room = max(1, width - names - max(len(f"{p.value:g}") for p in view.points) - 2)
    bar = "█" * (round(room * point.value / most) if most > 0 else 0)
    return cut(f"{fit(point.at, names)} {bar} {point.value:g}", width)


def _transcript(view: TranscriptView) -> list[ViewLine]:
    return [
        ViewLine(
            f"{n}", partial(_transcript_line, view, turn),
            f"{turn.speaker}{f', to {turn.to}' if turn.to else ''}   (turn {n} of {len(view.turns)})", (("", turn.text),),
        )
        for n, turn in enumerate(view.turns, start=1)
    ]  # fmt: skip


def _transcript_line(view: TranscriptView, turn: Turn, width: int) -> str:
    return cut(f"{fit(turn.speaker, _name_room(t.speaker for t in view.turns))}  {' '.join(turn.text.split())}", width)


def _document(view: DocumentView) -> list[ViewLine]:
    return [ViewLine(f"{n} {title}", partial(cut, title), title, (("", text),)) for n, (title, text) in enumerate(view.sections)]
