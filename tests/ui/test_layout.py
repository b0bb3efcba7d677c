"""Layout by size: panes, footers, focus, rows, toasts."""

import importlib
import itertools
import pkgutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.driver import Driver

from coi_tui import screens
from coi_tui.model.document import ROW_KEYS
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.commands import WORKBENCH_ACTIONS
from coi_tui.screens.terminal import quiet
from coi_tui.session.wording import Row, RowKind, RowOrigin, Status, Verdict
from coi_tui.widgets.chain_tree import ROWS, row_text
from coi_tui.widgets.key_actions import Item, lay_out

from .helpers import demo
from .helpers import trip as open_list


async def test_a_tiny_terminal_asks_for_room_and_comes_back(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await t.resize(50, 10)
        assert "coi-tui needs 60x16; this is 50x10" in t.text
        assert len([line for line in t.lines if line.strip()]) == 1
        await t.resize(80, 24)
        assert t.bench.chain.address == "1/0"
        assert t.bench.focused is t.bench.chain


def kinds(kind: type[CoiScreen[Any]] = CoiScreen) -> Iterator[type[CoiScreen[Any]]]:
    """Every kind of screen and sheet that has keys."""
    for module in pkgutil.walk_packages(screens.__path__, f"{screens.__name__}."):
        importlib.import_module(module.name)
    for below in kind.__subclasses__():
        if below.PLACE:
            yield below
        yield from kinds(below)


def test_every_key_has_a_method_and_no_key_is_there_twice() -> None:
    found = set(kinds())
    assert len(found) > 20
    for kind in found:
        keys = [key for a in kind.ACTIONS for key in a.keys.split(",") if key]
        assert len(keys) == len(set(keys)), kind
        assert len({a.id for a in kind.ACTIONS}) == len(kind.ACTIONS), kind
        if kind.PLACE != "workbench":  # its keys are commands of its parts
            by_name = {
                *getattr(kind, "GOES_ON", ()),
                *("vote_left", "vote_right", "vote_tie"),
                *(ROW_KEYS if kind.PLACE == "content" else ()),
            }
            assert [
                a.id
                for a in kind.ACTIONS
                if a.id not in by_name
                and not any(hasattr(k, f"do_{a.id}") for k in found if k.PLACE == kind.PLACE)
            ] == [], kind
    assert sum(bool(action.keys) for action in WORKBENCH_ACTIONS) <= 41  # forty, and N beside n


@pytest.mark.parametrize("width", range(58, 130, 3))
def test_a_footer_of_any_width_fits(width: int) -> None:
    items = [Item(str(n), "x" * (n % 3 + 1), "word" * (n % 4 + 1)) for n in range(14)]
    tail = [Item("q", "q", "sessions"), Item("help", "?", "more")]
    body = lay_out(items, tail, width)
    assert sum(i.width for i in (*body, *tail)) + 2 * (len(body) + len(tail) - 1) <= width
    assert body == items[: len(body)]


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


async def test_a_notification_whose_time_ends_while_it_is_made_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual asks several times whether it is over and then takes the time left; a timer below
    zero would never come to rest."""
    async with open_list(tmp_path) as trip:
        for asked in range(12):
            start, ticks = time.time(), itertools.count(1)
            monkeypatch.setattr(
                "textual.notifications.time", lambda start=start, ticks=ticks: start + next(ticks)
            )
            trip.app.notify("Saved.", timeout=asked + 0.5)
            await trip.pilot.pause()
        monkeypatch.undo()
        await trip.press("question_mark")
        assert trip.app.is_running
        assert type(trip.app.screen).__name__ == "CommandSheet"


class Taker(Driver):
    """Notes who heeds ``^z`` at the moment that the terminal is taken, and when it is given
    back."""

    fileno = 0
    heeded: list[bool]

    def write(self, data: str) -> None:
        raise AssertionError(data)

    def disable_input(self) -> None:
        raise AssertionError

    def start_application_mode(self) -> None:
        self.heeded = [signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL]

    def stop_application_mode(self) -> None:
        self.heeded.append(signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL)


async def test_a_sleep_asked_for_while_the_terminal_is_taken_or_given_back_is_heeded() -> None:
    """It was lost under a program that leads its own session, and slept with the terminal half
    taken in a shell."""
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        driver = quiet(Taker)(App())
        driver.start_application_mode()
        driver.stop_application_mode()
        assert getattr(driver, "heeded", None) == [True, True]
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTSTP, before)
