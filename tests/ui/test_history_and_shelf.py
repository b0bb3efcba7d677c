"""The shelf, the versions of a text, and the log of decisions."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.history_screen import LogScreen
from coi_tui.screens.papers import CandidatesScreen, ShelfScreen
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen

from .helpers import Trip, demo


async def rejected(t: Trip, address: str, why: str) -> str:
    """Reject the paper at an address; gives its id."""
    await t.go(address)
    paper = t.bench.session.state.slot(address).paper
    assert paper is not None
    await t.press("x")
    await t.on(AskText)
    await t.write(why)
    await t.press("enter")
    await t.on(WorkbenchScreen)
    return paper


async def test_check_09_a_rejected_paper_is_reopened_from_the_shelf(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        paper = await rejected(t, "1/0", "survey")
        assert paper in t.bench.session.state.rejected(1)
        await t.go("X")
        await t.press("enter")
        screen = await t.on(ShelfScreen)
        await t.until(lambda: screen.about_pane.key, "the text")
        assert "rejected from 1/0" in t.text
        assert "survey" in t.text
        await t.press("a")
        await t.until(
            lambda: "Reopened" in t.text and len(screen.items) == 0, "the shelf to be empty"
        )
        assert paper not in t.bench.session.state.rejected(1)
        assert "No paper was rejected" in t.text
        await t.press("enter")
        assert "no paper was rejected" in t.text
        await t.press("u")
        await t.until(lambda: len(screen.items) == 1, "the paper to be back")
        await t.press("c")
        picker = await t.on(CandidatesScreen)
        assert picker.address == "1/0"
        await t.press("escape")
        await t.on(WorkbenchScreen)


async def test_the_log_marks_what_was_undone_and_goes_to_a_row(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await t.press("a", "u")
        await rejected(t, "2/0", "not [b]this[/b]")
        await t.go("topic")
        await t.press("l")
        screen = await t.on(LogScreen)
        await t.until(lambda: screen.about_pane.key, "the text")
        assert [line.action for line in screen.items[:3]] == ["reject", "undo", "accept"]
        assert "undone" in t.text
        assert "not [b]this[/b]" in t.text
        await t.press("j", "j", "enter")
        await t.on(WorkbenchScreen)
        assert t.bench.chain.address == "1/0"
