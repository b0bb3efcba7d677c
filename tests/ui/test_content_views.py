"""Documents, tables, matrices, curves and transcripts: how they are drawn, and the screen that
shows them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from coi_tui.model.views import (
    ContentView,
    DocumentView,
    MatrixCell,
    MatrixRow,
    MatrixView,
    TableRow,
    TableView,
    TranscriptView,
    Turn,
)
from coi_tui.screens.papers.reader_screen import ReaderScreen
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.widgets.content_views import drawn, heading_line, view_lines

from .helpers import demo

FIRST = TableRow("a", ("1", "Attention"), (("WHY", "It is cited."),), "a")
TABLE = TableView(("rank", "title"), (FIRST, TableRow("b", ("12", "Recurrence"))))
MATRIX = MatrixView(
    ("First paper", "Second paper"),
    (
        MatrixRow("problem", (MatrixCell("same", "The passage."), MatrixCell("none"))),
        MatrixRow("mechanism", (MatrixCell("none"), MatrixCell("other"))),
    ),
)


def test_columns_stand_below_their_names() -> None:
    assert heading_line(TABLE, 30) == "rank  title"
    assert drawn(TABLE, 30) == ["1     Attention", "12    Recurrence"]
    assert [line.paper for line in view_lines(TABLE)] == ["a", ""]


def test_the_cell_of_a_matrix_under_the_cursor_is_marked_and_told() -> None:
    assert drawn(MATRIX, 60, 0) == ["problem   [same]  none", "mechanism [none]  other"]
    first = view_lines(MATRIX, 1)[0]
    assert (first.title, first.parts) == ("problem x Second paper", (("none", ""),))
    assert heading_line(MATRIX, 60, 1) == "column 2 of 2: Second paper"


words = st.text(alphabet="ab 漢é-", min_size=1, max_size=60)


@settings(derandomize=True, max_examples=150)
@given(st.lists(st.tuples(words, words, words), max_size=5), st.integers(20, 150))
def test_no_line_is_wider_than_its_room(rows: list[tuple[str, str, str]], width: int) -> None:
    views: list[ContentView] = [
        TableView(
            ("one", "two", "three"), tuple(TableRow(str(n), row) for n, row in enumerate(rows))
        ),
        MatrixView(
            ("a", "b", "c"),
            tuple(MatrixRow(row[0], tuple(MatrixCell(mark) for mark in row)) for row in rows),
        ),
        TranscriptView(tuple(Turn(row[0], row[1], row[2]) for row in rows)),
        DocumentView(tuple((row[0], row[1]) for row in rows)),
    ]
    for view in views:
        assert all(
            cell_len(line) <= width for line in [heading_line(view, width), *drawn(view, width)]
        )
        assert len(drawn(view, width)) == len(view_lines(view))


# -- the screen


async def test_the_reading_list_opens_as_a_table_with_the_papers_to_read(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="directions") as t:
        await t.go("reading")
        await t.press("enter")
        screen = await t.on(ContentScreen)
        await t.until(lambda: screen.lines.option_count == screen.count > 0, "the rows")
        entries = t.bench.session.queries.reading_list().entries
        assert [line.paper for line in screen.items] == [entry.paper for entry in entries]
        await t.until(lambda: "WHY IT STANDS HERE" in screen.about_pane.text, "the reasons")
        assert "rank" in str(screen.lines.border_title)
        assert screen.why_off("left")
        await t.press("o")
        await t.on(ReaderScreen)
