"""Searching again, sorting and filtering candidates, and taking back one decision of the log."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from coi_tui.config import Keys, Settings
from coi_tui.screens.papers.paper_lists import CandidatesScreen
from coi_tui.screens.papers.reader_screen import ReaderScreen
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.text_sheets import FilterSheet, WordsSheet
from coi_tui.screens.texts.history_screen import LogScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.queries.row import Verdict
from coi_tui.session.session import Session

from .helpers import TOPIC, demo, places


async def test_f_searches_the_anchor_with_other_words_after_a_plan(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        before = session.state.in_use("1/0.cands")
        await t.go("1/0")
        await t.press("a")
        await t.go("1/0")
        await t.press("f")
        sheet = await t.on(WordsSheet)
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
        await t.press("y")
        years = [e.year or 0 for e in screen.list.entries]
        assert years == sorted(years, reverse=True)
        await t.press("n")
        cites = [e.citations if e.citations is not None else -1 for e in screen.list.entries]
        assert cites == sorted(cites, reverse=True)
        await t.press("m")
        assert [e.paper for e in screen.list.entries] == ranked
        word = screen.list.entries[2].title.split()[0].lower()
        await t.press("slash")
        await t.on(FilterSheet)
        await t.write(word)
        await t.press("enter")
        await t.on(CandidatesScreen)
        assert 0 < len(screen.list.entries) < len(ranked)
        await t.press("slash")
        await t.on(FilterSheet)
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
        await t.on(WordsSheet)


async def test_another_source_is_chosen_for_one_session_and_undone(tmp_path: Path) -> None:
    keys = Keys(llm="sk-fake-0", semantic_scholar="fake-s2")
    with Session.create(
        "s", TOPIC, paths=places(tmp_path), settings=Settings(), keys=keys
    ) as session:
        session.sources.set("openalex")
        assert session.planner.to_stage("anchors").source == "OpenAlex"
        session.undo_stack.undo()
        assert session.planner.to_stage("anchors").source == "Semantic Scholar"


async def test_one_decision_is_taken_back_from_the_log_and_the_rest_stays(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        for branch in (1, 2):
            await t.go(f"{branch}/0")
            await t.press("a")
            await t.until(
                lambda b=branch: t.row(f"{b}/0").verdict is Verdict.ACCEPTED,  # type: ignore[misc]
                "the accept",
            )
        await t.press("l")
        log = await t.on(LogScreen)
        await t.until(lambda: log.at is not None, "the rows")
        log.lines.highlighted = next(
            n
            for n, line in enumerate(log.items)
            if line.action == "accept" and line.address == "1/0"
        )
        await t.press("r")
        await t.on(ConfirmSheet)
        await t.press("enter")
        await t.on(LogScreen)
        assert session.state.slot("1/0").verdict == "accepted"
        await t.press("r")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(LogScreen)
        await t.until(lambda: session.state.slot("1/0").verdict == "proposed", "the taking back")
        assert session.state.slot("2/0").verdict == "accepted"
        assert "Reverted" in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert t.row("1/0").verdict is Verdict.UNDECIDED
