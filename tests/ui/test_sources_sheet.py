"""The sheet that orders sources of papers, for the session and for a row's question; ``f`` at a neighbour."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.config import Keys, Settings
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.search_sheets import SourcesSheet
from coi_tui.screens.texts.history_screen import LogScreen
from tests.ui.helpers import demo

BOTH = ("openalex", "semantic_scholar")


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_the_order_of_session_and_question_is_set_shown_in_the_log_and_taken_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="anchors") as t:
        session = t.bench.session
        await t.go("2/0")
        await t.bench.action_act("sources")
        sheet = await t.on(SourcesSheet)
        assert sheet.why_off("send") == "nothing was changed"
        assert "as in this session" in t.text
        sheet.query_one("#order0", Input).value = "Semantic Scholar, openalex"
        sheet.query_one("#order2", Input).value = "openalex"
        await t.until(
            lambda: "Question 2: OpenAlex." in " ".join(t.text.replace("║", " ").split()),
            "what would hold",
        )
        await t.press("enter")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        await t.until(lambda: session.core.orders == {2: ("openalex",)}, "the question's order")
        assert session.settings.order == ("semantic_scholar", "openalex")
        await t.press("l")
        log = await t.on(LogScreen)
        await t.until(lambda: len(log.items) > 1, "the rows")
        assert [(line.action, line.address, line.about) for line in log.items[:2]] == [
            ("settings", "Q2", "papers from OpenAlex"),
            ("settings", "session", "papers from Semantic Scholar, then OpenAlex"),
        ]
        await t.press("escape")
        await t.until(lambda: t.app.screen is t.bench, "the log to close")
        await t.press("u")
        await t.until(lambda: session.core.orders == {}, "the question's order to be taken back")
        assert session.settings.order == ("semantic_scholar", "openalex")
        await t.press("u")
        await t.until(
            lambda: session.settings.order == ("semantic_scholar",),
            "the session's order to be taken back",
        )


async def test_a_name_of_no_source_is_said_and_keeps_the_sheet_open(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.go("topic")
        await t.bench.action_act("sources")
        sheet = await t.on(SourcesSheet)
        assert not sheet.query("#order1")
        sheet.query_one("#order0", Input).value = "openalx"
        await t.until(lambda: "Did you mean openalex?" in t.text, "the nearest name")
        await t.press("ctrl+s")
        assert t.app.screen is sheet
        await t.press("escape")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        assert "stays as it was" in t.status


async def test_f_at_a_neighbour_prefers_the_other_source_where_its_order_stands(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        session.core.usual_settings = Settings(sources=BOTH)
        session.core.keys = Keys(llm="sk-fake-0")
        session.decisions.set_settings({"offline": False})
        session.sources.set("openalex, semantic_scholar", 1)
        await t.go("1/+1")
        await t.press("f")
        await t.on(ConfirmSheet)
        assert "Search Semantic Scholar first?" in t.text
        assert "for question 1 alone" in " ".join(t.text.split())
        await t.press("y")
        await t.until(lambda: session.core.orders == {1: BOTH[::-1]}, "the choice")
        assert session.settings.order == BOTH
