"""Tables and talks: how they are drawn, and the screen that shows them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from coi_tui.model.document import Table, TableRow, Transcript, Turn
from coi_tui.screens.content_screen import ContentScreen, transcript_table
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.widgets.panes import table_lines

from .helpers import demo


def table(*rows: tuple[str, ...], head: tuple[str, ...] = ("one", "two", "three")) -> Table:
    return Table(head, tuple(TableRow(cells, str(n)) for n, cells in enumerate(rows)))


def test_columns_stand_below_their_names_and_empty_ones_are_left_out() -> None:
    ranked = table(("1", "", "Attention"), ("12", "", "Recurrence"), head=("rank", "", "title"))
    assert table_lines(ranked, 30) == ["rank  title", "1     Attention", "12    Recurrence"]


def test_the_names_of_many_columns_are_cut_and_all_shown() -> None:
    names = tuple(f"Paper number {n}" for n in range(6))
    head, row = table_lines(table(("7",) * 6 + ("Attention",), head=(*names, "paper")), 70)
    assert head.count("Pape") == 6
    assert row.count("7") == 6
    assert head.index("paper") == row.index("Attention")


def test_marks_rounds_and_speakers_stand_in_columns() -> None:
    turns = (
        Turn("Ada", "First.", "", "K1/said1.1", "leader", 1),
        Turn("Zed", "From outside.", "to Ada", "K1/guest1.2", "guest", 1),
        Turn("Ben", "", "", "K1/said2.1", "", 2),
    )
    assert table_lines(transcript_table(Transcript(turns, 5)), 70)[1:] == [
        "1  leader  Ada          First.",
        "1  guest   Zed, to Ada  From outside.",
        "2          Ben          -",
    ]


words = st.text(alphabet="ab 漢é-", min_size=1, max_size=60)


@settings(derandomize=True, max_examples=150)
@given(st.lists(st.tuples(words, words, words), max_size=5), st.integers(20, 150))
def test_no_line_is_wider_than_its_room(rows: list[tuple[str, str, str]], width: int) -> None:
    talk = Transcript(tuple(Turn(row[0], row[1], row[2]) for row in rows))
    for one in (table(*rows), transcript_table(talk)):
        lines = table_lines(one, width)
        assert len(lines) == len(rows) + 1
        assert all(cell_len(line) <= width for line in lines)


# -- the screen


async def test_the_reading_list_opens_as_a_table_with_the_papers_to_read(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="directions") as t:
        await t.go("reading")
        await t.press("enter")
        screen = await t.on(ContentScreen)
        await t.until(lambda: screen.lines.option_count == len(screen.items) > 0, "the rows")
        entries = t.bench.session.queries.reading_list().entries
        assert [line.paper for line in screen.items] == [entry.paper.id for entry in entries]
        await t.until(lambda: entries[0].reasons() in screen.about_pane.text, "the reasons")
        assert "rank" in str(screen.lines.border_title)
        await t.press("o")
        await t.on(ReaderScreen)
