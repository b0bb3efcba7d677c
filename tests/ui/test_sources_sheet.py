"""The sheet that orders sources of papers for the session; ``f`` at a neighbour."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from coi_tui.config import Keys, Settings
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.search_sheets import SourcesSheet
from tests.ui.helpers import demo

BOTH = ("openalex", "semantic_scholar")


async def test_the_order_of_the_session_is_set_and_taken_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        session = t.bench.session
        await t.bench.action_act("sources")
        sheet = await t.on(SourcesSheet)
        assert sheet.why_off("send") == "nothing was changed"
        line = sheet.query_one("#order", Input)
        line.value = "openalx"
        await t.until(lambda: "Did you mean openalex?" in t.text, "the nearest name")
        await t.press("ctrl+s")
        assert t.app.screen is sheet
        line.value = "Semantic Scholar, openalex"
        said = "Papers from Semantic Scholar, then OpenAlex."
        await t.until(lambda: said in " ".join(t.text.replace("║", " ").split()), "what would hold")
        await t.press("enter")
        await t.until(lambda: session.settings.order == BOTH[::-1], "the order")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        await t.press("u")
        await t.until(lambda: session.settings.order == ("semantic_scholar",), "the old order")


async def test_f_at_a_neighbour_chooses_another_source_and_plans_the_search(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        session.core.usual_settings = Settings(sources=BOTH, show_plans=True)
        session.core.keys = Keys(llm="sk-fake-0")
        session.decisions.set_settings({"offline": False})
        await t.go("1/+1")
        await t.press("f")
        sheet = await t.on(SourcesSheet)
        sheet.query_one("#order", Input).value = ", ".join(BOTH[::-1])
        await t.press("enter")
        await t.on(PlanSheet)
        assert session.settings.order == BOTH[::-1]
