"""A text of any length looks and is selected as in a Static, and only the rows on the screen are made."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich._wrap import divide_line
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content, Span
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip
from textual.widgets import Static

from coi_tui.widgets.long_text import LongText
from coi_tui.widgets.wrapping import Wrapped, breaks

WORDS = st.text(alphabet=" \tabcdefgh.é漢字🙂[]\x1b", max_size=120)
PLAIN = st.text(alphabet="  abc.-", max_size=200)
PARAGRAPH = "The chain of earlier work shows what was tried, where it stops, and which question it leaves open. "


@settings(max_examples=400, deadline=None)
@given(st.one_of(WORDS, PLAIN), st.integers(2, 40))
def test_lines_break_where_textual_breaks_them(text: str, width: int) -> None:
    assert breaks(text, width) == divide_line(text, width)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(WORDS, PLAIN), min_size=1, max_size=5), st.integers(2, 40))
def test_as_high_as_a_static(lines: list[str], width: int) -> None:
    content = Content("\n".join(lines))
    assert Wrapped(content, width).height == content.get_height({}, width)


class Both(App[None]):
    """The same content in both widgets, one over the other."""

    CSS = "VerticalScroll { height: 20; width: 30; } Static { width: 100%; height: auto; }"

    def __init__(self, content: Content) -> None:
        super().__init__()
        self.shown = content

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(self.shown, id="plain")
        with VerticalScroll():
            yield LongText(self.shown, id="long")


def drawn(widget: Static) -> list[list[tuple[str, object, object]]]:
    """Text, style and place in the text of every segment of every row; joined where nothing but the cut differs."""
    return [_pieces(widget.render_line(y)) for y in range(widget.size.height)]


def _pieces(strip: Strip) -> list[tuple[str, object, object]]:
    return [(s.text, s.style.without_color if s.style else None, s.style.meta if s.style else {}) for s in strip if s.text]


CJK = "漢字かな交じり文" * 9
HEADED = Content.assemble(("TITLE of it", "bold"), "\n\n", (PARAGRAPH * 6, ""), "\n", ("HEAD\n", "bold"), CJK, "\n\n", "tail ")


@pytest.mark.parametrize("selection", [None, Selection(None, None), Selection(Offset(3, 0), Offset(95, 2)), Selection(Offset(10, 2), None)])
async def test_drawn_as_a_static(selection: Selection | None) -> None:
    app = Both(HEADED)
    async with app.run_test(size=(60, 40)) as pilot:
        plain, long = app.query_one("#plain", Static), app.query_one("#long", LongText)
        if selection is not None:
            app.screen.selections = {plain: selection, long: selection}
        await pilot.pause()
        assert long.size == plain.size
        assert drawn(long) == drawn(plain)
        if selection is not None:
            assert long.get_selection(selection) == plain.get_selection(selection)


async def test_a_drag_over_it_selects_its_words() -> None:
    app = Both(Content(PARAGRAPH * 40))
    async with app.run_test(size=(60, 40)) as pilot:
        long = app.query_one("#long", LongText)
        await pilot.mouse_down(long, offset=(4, 0))
        await pilot.hover(long, offset=(9, 0))
        await pilot.mouse_up(long, offset=(9, 0))
        await pilot.pause()
        assert app.screen.get_selected_text() == "chain "


async def test_only_rows_on_the_screen_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    row = Wrapped.row

    def counted(self: Wrapped, y: int, marked: tuple[Span, ...] = ()) -> Content:
        made.append(y)
        return row(self, y, marked)

    monkeypatch.setattr(Wrapped, "row", counted)
    app = Both(Content("short"))
    async with app.run_test(size=(60, 40)) as pilot:
        made.clear()
        app.query_one("#long", LongText).update(Content(PARAGRAPH * 600))
        await pilot.pause()
        assert made
        assert max(made) <= 20


async def test_an_empty_text_and_one_row_too_many() -> None:
    app = Both(Content(""))
    async with app.run_test(size=(60, 40)):
        long = app.query_one("#long", LongText)
        assert long.size.height == 1
        assert long.render_line(7).text.strip() == ""
