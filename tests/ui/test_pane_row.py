"""Borders between panes: moved by keys and by the mouse, kept, and held to what there is room for."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.widgets.pane_row import LEAST_FIRST, LEAST_MAIN, LEAST_THIRD, Shares, Sizes, Third, height, moved, widths
from tests.ui.helpers import Trip, demo


@pytest.mark.parametrize("total", [80, 100, 117, 120, 200, 400])
@pytest.mark.parametrize("third", list(Third))
@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.99])
def test_panes_of_any_share_leave_room_for_each_other(total: int, third: Third, share: float) -> None:
    first, last = widths(Shares(share, share, share), total, third)
    assert first >= LEAST_FIRST
    assert total - first - last >= LEAST_MAIN
    assert last >= LEAST_THIRD if third is Third.BESIDE else not last
    assert 5 <= height(Shares(below=share), 26) <= 18


def test_a_share_is_the_same_at_every_size_and_nothing_is_set_by_itself() -> None:
    shares = Shares(first=0.5)
    assert widths(shares, 120, Third.NONE) == (60, 0)
    assert widths(shares, 200, Third.BELOW) == (100, 0)
    assert widths(Shares(), 200, Third.BESIDE) == (0, 0)
    assert height(Shares(), 30) == 0


def test_the_pane_with_the_focus_grows_until_there_is_no_room() -> None:
    sizes = Sizes(120, 60, 0, 30, 10)
    assert moved(Shares(), sizes, Third.NONE, "first", 1) == Shares(first=64 / 120)
    assert moved(Shares(), sizes, Third.NONE, "main", 1) == Shares(first=56 / 120)
    assert moved(Shares(), sizes, Third.NONE, "third", 1) == Shares(first=56 / 120), "it stands in the place of the second"
    assert moved(Shares(), sizes, Third.BELOW, "third", -1) == Shares(below=8 / 30)
    beside = Sizes(120, 46, 28, 30, 30)
    assert moved(Shares(), beside, Third.BESIDE, "third", 1) == Shares(first=46 / 120, third=32 / 120), "the first one stays as it is"
    full = Shares(first=0.9)
    assert moved(full, Sizes(120, 90, 0, 30, 0), Third.NONE, "first", 1) == full


@pytest.mark.parametrize("kept", [None, [], 7, {"first": "wide"}, {"first": 4.0, "third": -0.1, "below": True}, {"first": float("nan")}])
def test_what_cannot_be_a_share_counts_as_not_kept(kept: object) -> None:
    assert Shares.of(kept) == Shares()
    assert Shares.of(Shares(0.25, 0.5, 0.75).as_data()) == Shares(0.25, 0.5, 0.75)


async def drag(t: Trip, begin: tuple[int, int], end: tuple[int, int]) -> None:
    await t.pilot.mouse_down("#panes", offset=begin)
    await t.pilot.hover("#panes", offset=end)
    await t.pilot.mouse_up("#panes", offset=end)
    await t.pilot.pause()


async def test_borders_move_by_mouse_and_by_keys_and_stay_so_at_the_next_opening(tmp_path: Path) -> None:
    async with demo(tmp_path, (120, 36)) as t:
        chain, inspector = t.bench.chain, t.bench.inspector
        edge, top = chain.region.right - 1, inspector.region.y
        await drag(t, (edge, 5), (edge + 6, 5))
        await t.until(lambda: chain.region.width == edge + 7, "the new width")
        await t.pilot.hover("#panes", offset=(20, 5))
        assert chain.region.width == edge + 7, "the drag has ended"
        await drag(t, (edge + 20, top - 1), (edge + 20, top - 5))
        await t.until(lambda: inspector.region.y == top - 4, "the inspector is taller")
        await t.press("1", "minus", "minus")
        await t.until(lambda: chain.region.width == edge - 1, "two steps narrower, though the keys came at once")
        await t.press("3", "plus")
        await t.until(lambda: inspector.region.y == top - 6, "a step taller")
        await t.press("1", *["minus"] * 12)
        await t.until(lambda: chain.region.width == LEAST_FIRST, "no narrower than that")
        assert "no room" in t.status
        await t.resize(60, 16)
        await t.until(lambda: chain.region.width == 60, "one pane takes all")
        await t.press("plus")
        assert "only one pane" in t.status
        await t.resize(80, 24)
        await t.until(lambda: chain.region.width == LEAST_FIRST, "as narrow as before")
        await t.resize(120, 36)
        await t.until(lambda: inspector.display and inspector.region.y == top - 6, "all panes again")
        await t.press("plus")
        await t.until(lambda: chain.region.width == LEAST_FIRST + 4, "a step wider")
        await t.press("q")
        await t.on(HomeScreen)
    async with demo(tmp_path, (120, 36)) as t:
        await t.until(lambda: t.bench.chain.region.width == LEAST_FIRST + 4, "the width of the last time")
        await t.until(lambda: t.bench.inspector.region.y == top - 6, "the height of the last time")
        await t.bench.act("usual_sizes")
        await t.until(lambda: (t.bench.chain.region.right - 1, t.bench.inspector.region.y) == (edge, top), "as they usually are")
