"""The sheet that orders sources of papers for the session."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from coi_tui.screens.sheets.search_sheets import SourcesSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from tests.ui.helpers import demo

BOTH = ("openalex", "semantic_scholar")


async def test_the_order_of_the_session_is_set_and_taken_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        session = t.bench.session
        await t.bench.action_act("sources")
        sheet = await t.on(SourcesSheet)
        sheet.query_one(Input).value = "openalx"
        await t.press("enter")
        await t.until(lambda: "Did you mean openalex?" in t.text, "the nearest name")
        await t.on(WorkbenchScreen)
        await t.bench.action_act("sources")
        sheet = await t.on(SourcesSheet)
        sheet.query_one(Input).value = "Semantic Scholar, openalex"
        await t.press("enter")
        await t.until(lambda: session.settings.order == BOTH[::-1], "the order")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        await t.press("u")
        await t.until(lambda: session.settings.order == ("semantic_scholar",), "the old order")
