"""The pin sheet says what a look-up would send, as one types and before it is sent."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from coi_tui.screens.papers.paper_sheets import PinSheet

from .helpers import Trip, demo


def told(t: Trip) -> str:
    return str(t.app.screen.query_one("#text", Static).render())


async def opened(t: Trip) -> PinSheet:
    await t.go("1")
    await t.press("p")
    return await t.on(PinSheet)


async def test_offline_it_says_that_nothing_leaves(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await opened(t)
        assert "nothing leaves" in told(t)
