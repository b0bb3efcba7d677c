"""The sameness of the ideas is read where they are compared, at two sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.verdict_screens import ArenaScreen

from .helpers import demo

SIZES = pytest.mark.parametrize("size", [(120, 36), (80, 24)])


@SIZES
async def test_the_arena_says_how_alike_the_ideas_are(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        for address in ("1/idea", "2/idea"):
            await t.go(address)
            await t.press("t")
        screen = await t.to(ArenaScreen, "equals_sign")
        await t.until(lambda: screen.alike, "the measure")
        await t.idle()
        shown = " ".join(t.text.split())
        assert screen.alike.split(":")[0] in shown
        assert "Votes" in shown, "what is voted on stays in view"
