"""The tree of rows by itself: what it does with its cursor and its view when rows come."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from coi_tui.session.wording import Row, RowKind
from coi_tui.widgets.chain_tree import ChainTree

pytestmark = pytest.mark.painted

HEIGHT = 10


class TreeApp(App[None]):
    def compose(self) -> ComposeResult:
        yield ChainTree()


def rows(branches: int, below_last: int) -> list[Row]:
    found = [Row(str(n), 0, RowKind.BRANCH, str(n), f"branch {n}") for n in range(branches)]
    return found + [
        Row(f"{branches - 1}/{n}", 1, RowKind.TEXT, "", f"text {n}") for n in range(below_last)
    ]


@pytest.mark.parametrize(("below", "line"), [(3, 6), (30, 0)])
async def test_rows_that_come_below_the_cursors_row_come_into_view(below: int, line: int) -> None:
    """A method's first rows came below the last line of the screen, so that its run seemed to have
    made nothing."""
    app = TreeApp()
    async with app.run_test(size=(60, HEIGHT)) as pilot:
        tree = app.query_one(ChainTree)
        tree.show(rows(20, 0))
        await pilot.pause()
        tree.go("19")
        await pilot.pause()
        assert tree.cursor_line - int(tree.scroll_offset.y) == HEIGHT - 1
        tree.show(rows(20, below))
        await pilot.pause()
        assert tree.address == "19"
        assert tree.cursor_line - int(tree.scroll_offset.y) == line
