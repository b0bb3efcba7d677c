"""The panes of the workbench by width, rows; resizing keeps the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from coi_tui.session.wording import Row, RowKind, RowOrigin, Status, Verdict
from coi_tui.widgets.chain_tree import ROWS, row_text

from .helpers import demo


@pytest.mark.parametrize(("size", "panes"), [((120, 36), 2), ((80, 24), 2), ((60, 16), 1)])
async def test_enter_shows_the_text_at_any_width_and_escape_leads_back(
    tmp_path: Path, size: tuple[int, int], panes: int
) -> None:
    async with demo(tmp_path, size, stage="anchors") as t:
        await t.go("1/0")
        shown = [t.bench.chain, t.bench.detail]
        for key, focus in (("enter", t.bench.detail), ("escape", t.bench.chain)):
            await t.press(key)
            assert t.bench.focused is focus
            assert sum(p.display and p.region.width > 20 < p.region.right for p in shown) == panes
            assert focus.display
        assert t.bench.chain.address == "1/0"


async def test_escape_closes_what_is_open_and_never_the_session(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        bench = t.bench
        bench.chain.go("1/0")
        await t.press("w", "2", "escape", "escape", "escape")
        assert t.app.screen is bench
        assert (bench.chain.address, bench.chain.has_focus) == ("1/0", True)
        assert "q goes back to the sessions" in t.status


@pytest.mark.parametrize("pane", ["chain", "detail"])
async def test_resizing_keeps_cursor_focus_and_scroll(tmp_path: Path, pane: str) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("2/0")
        await t.press({"chain": "1", "detail": "2"}[pane])
        await t.press("j", "j", "j")
        cursor, widget = t.bench.chain.address, t.bench.query_one(f"#{pane}")
        scroll = widget.scroll_y
        for size in ((80, 24), (60, 16), (50, 10), (100, 30), (60, 16), (120, 36)):
            await t.resize(*size)
            if size != (50, 10):
                assert t.bench.chain.address == cursor
                assert t.bench.focused is not None
                assert t.bench.focused.display
        assert t.bench.focused is widget
        if pane == "detail":
            assert widget.scroll_y == min(scroll, widget.max_scroll_y)
        line = t.bench.chain.nodes[cursor].line - t.bench.chain.scroll_y
        assert 0 <= line < t.bench.chain.scrollable_content_region.height, "the cursor is in view"


TITLES = [
    "研究想法的生成与评估方法综述",
    "cafe\u0301 e\u0301tudes on re\u0301sume\u0301s of long titles",
    "👩‍🔬 emoji in a title of a paper",
    "ﷺ بحث عن الأفكار",
    "a" * 90,
]


def test_forty_titles_of_any_script_keep_their_columns() -> None:
    made = [
        Row(
            f"1/+{n}",
            1,
            RowKind.TEXT,
            f"+{n}",
            f"{TITLES[n % 5]} {n}",
            2024 if n % 3 else None,
            Verdict.UNDECIDED,
            Status.FRESH,
            RowOrigin.MODEL,
            made=True,
            by_you=bool(n % 2),
        )
        for n in range(40)
    ]
    for width in (26, 34, 41, 60):
        lines = [row_text(row, width, ROWS["textual-dark"]).plain for row in made]
        assert {cell_len(line) for line in lines} == {width}
        for line in lines:
            assert line.startswith("? +")
            assert line.endswith("  decide") or "decide" not in line
