"""The panes of the workbench by width: inspector, rows; resizing keeps the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from coi_tui.session.wording import Row, RowKind, RowOrigin, Status, Verdict
from coi_tui.widgets.chain_tree import ROWS, row_text

from .helpers import Trip, demo


def focus(t: Trip) -> str:
    """The name of the pane that has the focus."""
    return str(t.bench.focused.id) if t.bench.focused is not None else ""


def panes(t: Trip) -> list[str]:
    """The panes on the screen, from the left, each with some room."""
    shown = [
        p
        for p in t.bench.query("#chain, #detail, #inspector")
        if p.display and p.region.width > 20 and p.region.height > 5
    ]
    return [str(p.id) for p in sorted(shown, key=lambda p: p.region.x)]


TWO = ["chain", "detail"]


@pytest.mark.parametrize(
    ("size", "at_first", "with_i", "after"),
    [
        ((120, 36), [*TWO, "inspector"], [*TWO, "inspector"], TWO),
        ((100, 30), TWO, [*TWO, "inspector"], TWO),
        ((80, 24), TWO, ["chain", "inspector"], TWO),
        ((60, 16), ["chain"], ["inspector"], ["chain"]),
    ],
)
async def test_three_widths_and_i(
    tmp_path: Path, size: tuple[int, int], at_first: list[str], with_i: list[str], after: list[str]
) -> None:
    async with demo(tmp_path, size, stage="anchors") as t:
        await t.go("1/0")
        assert panes(t) == at_first
        await t.press("i")
        assert panes(t) == with_i
        assert focus(t) == "inspector"
        await t.until(lambda: "Made by" in t.text, "the inspector's text")
        assert "[3] Inspector" in t.text
        await t.press("i")
        assert panes(t) == after
        assert focus(t) == "chain"
        assert t.bench.chain.address == "1/0"


async def test_escape_closes_what_is_open_and_never_the_session(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        bench = t.bench
        bench.chain.go("1/0")
        await t.press("w", "i", "escape", "escape", "escape")
        assert t.app.screen is bench
        assert (bench.chain.address, bench.chain.has_focus) == ("1/0", True)
        assert "q goes back to the sessions" in t.status


@pytest.mark.parametrize("pane", ["chain", "detail", "inspector"])
async def test_resizing_keeps_cursor_focus_and_scroll(tmp_path: Path, pane: str) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("2/0")
        await t.press({"chain": "1", "detail": "2", "inspector": "i"}[pane])
        await t.press("j", "j", "j")
        cursor, widget = t.bench.chain.address, t.bench.query_one(f"#{pane}")
        scroll = widget.scroll_y
        for size in ((80, 24), (60, 16), (50, 10), (100, 30), (60, 16), (120, 36)):
            await t.resize(*size)
            if size != (50, 10):
                assert t.bench.chain.address == cursor
                assert t.bench.focused is not None
                assert t.bench.focused.display
        assert t.bench.focused is widget or (
            pane == "inspector" and t.bench.focused is t.bench.chain
        )
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
