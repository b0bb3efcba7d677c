"""The pin sheet says what a look-up would send, as one types and before it is sent."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input, Static

from coi_tui.screens.papers.paper_sheets import PinSheet

from .helpers import Trip, demo


def told(t: Trip) -> str:
    return str(t.app.screen.query_one("#leaves", Static).render())


async def opened(t: Trip) -> PinSheet:
    await t.go("1")
    await t.press("p")
    return await t.on(PinSheet)


async def test_offline_it_says_that_nothing_leaves(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        sheet = await opened(t)
        assert "nothing leaves" in told(t)
        sheet.query_one("#reason", Input).value = "2201.11903"
        await t.press("enter")
        await t.until(lambda: sheet.chosen is not None and sheet.ready, "the paper")
        assert told(t) == "Found; pinning sends nothing."
        await t.press("x")
        await t.until(lambda: "nothing leaves" in told(t), "the sentence for the other text")
