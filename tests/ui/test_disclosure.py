"""The pin sheet says what a look-up would send, as one types and before it is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, Static

from coi_tui.config import Keys
from coi_tui.screens.papers.paper_sheets import PinSheet

from .helpers import Trip, demo
from .test_layout import SIZES, whole_footer


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


@pytest.mark.parametrize("size", SIZES)
async def test_it_follows_what_is_typed_and_asks_nobody(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await t.resize(*size)
        session: Any = t.bench.session
        session.core.journal.state.settings["offline"] = False
        session.core.keys = Keys(semantic_scholar="a-key")
        asked: list[str] = []

        async def look_up(text: str) -> None:
            asked.append(text)

        monkeypatch.setattr(session.papers, "look_up", look_up)
        sheet = await opened(t)
        await t.press(*"10.1000/x")
        assert "Semantic Scholar gets the DOI" in told(t)
        sheet.query_one("#reason", Input).value = "chains of ideas"
        await t.until(
            lambda: "If the title is not known here" in told(t), "the sentence for a title"
        )
        await t.pilot.pause()
        whole_footer(t)
        assert asked == []
