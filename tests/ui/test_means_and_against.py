"""Means, and a search against an idea, by their keys."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.runs.plan_screens import PlanSheet
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


async def test_one_key_plans_a_search_against_the_idea(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="novelty") as t:
        session = t.bench.session
        before = session.state.in_use("1/nov")
        t.bench.chain.go("1/idea")
        await t.until(lambda: t.bench.detail.key == "1/idea", "the row")
        await t.command("against")
        sheet = await t.on(PlanSheet)
        assert sheet.plan.title == "Search against 1/idea"
        await t.press("enter")
        await t.until(lambda: session.state.in_use("1/nov") != before, "the further report")
        assert any(
            search["angle"]
            for search in session.state.in_use("1/nov").content["searches"]  # type: ignore[union-attr]
            if "angle" in search
        )
