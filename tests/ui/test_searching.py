"""Searching again, sorting and filtering candidates, and taking back one decision of the log."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from coi_tui.screens.papers import CandidatesScreen
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen

from .helpers import demo


async def test_f_searches_the_anchor_with_other_words_after_a_plan(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        before = session.state.in_use("1/0.cands")
        await t.go("1/0")
        await t.press("a")
        await t.go("1/0")
        await t.press("f")
        sheet = await t.on(AskText)
        sheet.query_one(Input).value = "dense passage retrieval"
        await t.press("enter")
        await t.on(PlanSheet)
        assert session.state.value("Q1#text") == "dense passage retrieval"
        assert session.state.in_use("1/0.cands") == before
        accepted = session.state.slot("1/0").paper
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        after = session.state.in_use("1/0.cands")
        assert after is not None
        assert before is not None
        assert after.seq != before.seq
        assert session.state.slot("1/0").paper == accepted
        await t.go("topic")
        await t.press("f")
        assert "go to a paper's row" in t.status


async def test_candidates_are_sorted_filtered_read_and_searched_again(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await t.press("c")
        screen = await t.on(CandidatesScreen)
        await t.until(lambda: screen.at is not None, "the rows")
        ranked = [e.paper for e in screen.list.entries]
        await t.press("m")
        years = [e.year or 0 for e in screen.list.entries]
        assert years == sorted(years, reverse=True)
        await t.press("m")
        cites = [e.citations if e.citations is not None else -1 for e in screen.list.entries]
        assert cites == sorted(cites, reverse=True)
        await t.press("m")
        assert [e.paper for e in screen.list.entries] == ranked
        word = screen.list.entries[2].title.split()[0].lower()
        await t.press("slash")
        await t.on(AskText)
        await t.write(word)
        await t.press("enter")
        await t.on(CandidatesScreen)
        assert 0 < len(screen.list.entries) < len(ranked)
        await t.press("slash")
        await t.on(AskText)
        await t.press("ctrl+u", "enter")
        await t.on(CandidatesScreen)
        await t.until(
            lambda: screen.at is not None and len(screen.list.entries) == len(ranked), "all of them"
        )
        await t.press("o")
        await t.on(ReaderScreen)
        await t.press("escape")
        await t.on(CandidatesScreen)
        await t.press("f")
        await t.on(AskText)
