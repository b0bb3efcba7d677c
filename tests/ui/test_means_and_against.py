"""Means, and a search against an idea, by their keys."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.texts.edit_screen import EditScreen
from tests.ui.helpers import demo


async def test_means_are_written_as_a_text_and_make_the_plan_stale(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="experiment") as t:
        session = t.bench.session
        await t.command("means")
        await t.on(EditScreen)
        await t.write("2 GPUs")
        await t.press("ctrl+s")
        await t.until(lambda: "Stale now: 1/exp" in t.text, "what it makes stale")
        assert session.core.freshness("1/exp").changed == ("means#text",)
