"""Novelty report, arena and review: one's own verdicts beside the model's, kept, undone,
exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.export.options import WITH_APPENDIX
from coi_tui.model.address import match_of
from coi_tui.model.content import IdeaContent
from coi_tui.screens.listing import Listing
from coi_tui.screens.papers.reader_screen import ReaderScreen
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.text_sheets import (
    NoteSheet,
    PointSheet,
    ReasonSheet,
    RefineQuerySheet,
)
from coi_tui.screens.texts.diff_screen import CompareScreen
from coi_tui.screens.texts.edit_screen import EditScreen
from coi_tui.screens.views.arena_screen import ArenaScreen
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.views.novelty_screen import NoveltyScreen
from coi_tui.screens.views.review_screen import ReviewScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.queries.comparisons import (
    FLIP,
    JUDGEMENTS,
    compared,
    criteria,
    human_standings,
)
from coi_tui.widgets.fields import TextField
from coi_tui.widgets.panes import DetailPane
from tests.support.state_dump import dump

from .helpers import Trip, demo


async def opened(t: Trip, address: str, kind: type[Listing[Any, Any]]) -> Listing[Any, Any]:
    await t.go(address)
    await t.press("enter")
    screen = await t.on(kind)
    await t.until(lambda: screen.at is not None, "the rows")
    return screen


async def test_check_31_ones_own_judgement_stands_beside_the_models_and_survives_a_re_check(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        before = dump(session.state)
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        paper = screen.items[screen.at or 0].paper
        fresh = {a: f.status for a, f in session.core.fresh.items()}
        await t.press("c", "c")
        await t.until(
            lambda: session.state.judged.get((branch, paper)) == JUDGEMENTS[1], "the judgement"
        )
        assert {a: f.status for a, f in session.core.fresh.items()} == fresh, (
            "nothing is stale by it"
        )
        await t.until(
            lambda: f"you: {JUDGEMENTS[1]}"[:13] in t.text, "the judgement beside the model's"
        )
        assert JUDGEMENTS[1] in session.exports.text("md", WITH_APPENDIX)
        assert "is novel" not in t.text.lower()
        await t.press("v")
        await t.on(PlanSheet)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert session.state.judged == {(branch, paper): JUDGEMENTS[1]}
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        await t.press("u", "u")
        await t.until(lambda: session.state.judged == {}, "the undo")
        assert dump(session.state)["judged"] == before["judged"]
        await t.press("enter")
        await t.on(ReaderScreen)
        await t.press("escape", "escape")
        await t.on(WorkbenchScreen)


async def test_check_32_the_models_view_waits_for_a_vote_and_flips_are_ties(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="selection") as t:
        session = t.bench.session
        address = next(a for a in t.bench.chain.rows if a.startswith("A/"))
        screen = await opened(t, address, ArenaScreen)
        assert isinstance(screen, ArenaScreen)
        about = screen.about_pane
        assert "JUDGE" not in about.text
        await t.press("left", "0", "right", "0")
        await t.until(lambda: len(session.state.votes) == 4, "four votes")
        assert "JUDGE" not in about.text
        assert f"{address[2]}/idea" not in t.text, "the names wait too"
        await t.press("0")
        await t.until(lambda: len(session.state.votes) == 5, "the votes")
        assert "JUDGE" in about.text
        judged = criteria(session.state, address)
        for c in judged:
            assert (
                FLIP in next(line for line in about.text.splitlines() if c.criterion in line)
            ) == c.flips
            assert not c.flips or c.result == 0, "if the order changes the winner, it is a tie"
        assert [c.vote for c in judged] == [int(address[2]), 0, int(address[4]), 0, 0]
        assert sum(s.points for s in human_standings(session.state)) == 5
        pick = session.state.pick
        await t.press("space", "u", "u", "u")
        await t.until(lambda: len(session.state.votes) == 2, "the undo")
        assert session.state.pick == pick, "no vote sets the pick"
        await t.press("a")
        await t.until(lambda: session.state.pick == int(address[2]), "the pick")
        await t.press("w")
        assert "no match is left to be judged" in t.text
        await t.press("enter")
        await t.on(CompareScreen)
        await t.press("escape")
        await t.on(ArenaScreen)


async def test_check_32_two_tagged_ideas_meet_blind_and_the_model_judges_after_the_vote(
    tmp_path: Path,
) -> None:
    """Journey C, its first keys: t, t, =, votes, then the model's judgement through a plan."""
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        one, two = session.state.ideas()[:2]
        for branch in (one, two):
            await t.go(f"{branch}/idea")
            await t.press("t")
        await t.press("equals_sign")
        screen = await t.on(ArenaScreen)
        await t.until(lambda: screen.at is not None, "the match")
        for word in (f"{one}/idea", f"{two}/idea", "JUDGE", "Elo", "leads"):
            assert word not in t.text, word
        await t.press("M")
        assert "nobody but you has judged this match yet" in t.text
        await t.press("enter")
        both = await t.on(CompareScreen)
        texts = {side: both.query_one(f"#{side}", DetailPane).text for side in ("left", "right")}
        for side, branch in zip(texts, (one, two), strict=True):
            idea = session.state.read(f"{branch}/idea", IdeaContent)
            assert idea is not None
            assert idea.final in texts[side]
        for word in (f"{one}/idea", f"{two}/idea", "drafter"):
            assert word not in t.text, "an address or a maker tells the method"
        await t.press("escape")
        await t.on(ArenaScreen)
        await t.press("left", "0", "right", "0", "0")
        await t.until(lambda: len(session.state.votes) == 5, "the votes")
        assert f"{one}/idea" in t.text
        assert "Nobody but you has judged this match" in screen.about_pane.text
        assert "JUDGE" not in screen.about_pane.text, "a verdict that nobody gave"
        await t.press("g")
        sheet = await t.on(PlanSheet)
        assert [line.address for line in sheet.plan.lines] == [match_of(one, two)]
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: session.state.in_use(match_of(one, two)) is not None, "the judgement")
        assert len(session.state.votes) == 5, "a judgement takes no vote away"


@pytest.mark.usefixtures("reviewer")
async def test_review_points_are_ticked_dismissed_and_undone(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="review") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if session.state.in_use(f"{b}/review"))
        before = dict(session.state.points)
        screen = await opened(t, f"{branch}/review", ReviewScreen)
        assert isinstance(screen, ReviewScreen)
        first = screen.items[0].n
        await t.until(lambda: "\n- " in screen.about_pane.text, "what the last refinement removed")
        drawn = screen.about_pane.query_one(Static).render()
        assert isinstance(drawn, Content)
        assert "\n- " in drawn.plain, "no bullet of a list"
        await t.press("space")
        await t.until(lambda: session.state.points != before, "the tick")
        await t.press("x")
        await t.on(ReasonSheet)
        await t.write("no budget")
        await t.press("enter")
        await t.on(ReviewScreen)
        await t.until(
            lambda: {p.n: p.mark for p in screen.items}[first] == "dismissed", "the dismissal"
        )
        assert "DISMISSED" in t.text
        assert "no budget" in session.exports.text("md", WITH_APPENDIX)
        await t.press("u", "u")
        await t.until(lambda: session.state.points == before, "the undo")
        await t.press("F")
        assert t.app.screen is screen, "nothing is ticked, so nothing is sent"
        assert "no review point is ticked" in t.text
        await t.press("space")
        await t.until(lambda: session.state.points != before, "the tick")
        await t.press("F")
        await t.on(RefineQuerySheet)
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert not t.bench.controller.busy


@pytest.mark.usefixtures("reviewer")
async def test_check_33_only_ticked_points_are_sent_and_what_no_answer_is_given_to_is_not_addressed(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        for address in ("1/exp", "1/review"):
            t.bench.runs.start(session.planner.to_make([address], address))
            await t.ended()
        screen = await opened(t, "1/exp", ReviewScreen)
        assert isinstance(screen, ReviewScreen)
        numbers = [p.n for p in screen.items]
        assert {p.fate for p in screen.items} == {"open"}
        fresh = {a: f.status for a, f in session.core.fresh.items()}
        await t.press("plus")
        await t.on(PointSheet)
        await t.write("metrics: cost per question")
        await t.press("enter")
        await t.on(ReviewScreen)
        await t.until(lambda: screen.count == len(numbers) + 1, "one's own point")
        own = screen.items[-1]
        assert (own.own, own.part, own.point, own.n) == (
            True,
            "metrics",
            "cost per question",
            max(numbers) + 1,
        )
        assert {a: f.status for a, f in session.core.fresh.items()} == fresh, (
            "nothing is stale by it"
        )
        screen.lines.highlighted = screen.count - 1
        await t.until(lambda: screen.at == screen.count - 1, "the row")
        await t.press("space")
        await t.until(lambda: screen.items[-1].mark == "ticked", "the tick")
        await t.press("F")
        words = await t.on(RefineQuerySheet)
        line = words.query_one("#reason", Input)
        line.value = "reporting cost"
        await t.press("enter")
        sheet = await t.on(PlanSheet)
        assert f"points {own.n}, after a search for “reporting cost”" in sheet.full.title
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        first, newest = session.state.cell("1/exp").versions
        used = session.state.in_use("1/exp")
        assert used is not None
        assert used.seq == first, "the new version waits beside the old one"
        plan = session.state.versions[newest]
        assert plan.content["support"]["queries"] == ["reporting cost"]
        assert [a["point"] for a in plan.content["answers"]] == [own.n], (
            "only what was ticked reached the request"
        )
        assert "cost per question" in plan.content["metrics"]

        again = await opened(t, "1/exp", ReviewScreen)
        assert isinstance(again, ReviewScreen)
        assert "v1 -> v2 (not in use)" in t.lines[0]
        assert "SCORE" in again.about_pane.text
        assert {p.fate for p in again.items} == {"open", "ticked"}
        await t.press("a")
        await t.until(
            lambda: {p.fate for p in again.items} == {"not addressed", "done"},
            "the adopted version",
        )
        assert again.why_off("adopt") == "it is already in use"
        assert {p.n: p.fate for p in again.items} == {
            **dict.fromkeys(numbers, "not addressed"),
            own.n: "done",
        }
        assert "NOT ADDRESSED" in t.text
        assert "added by the researcher" in session.exports.text("md", WITH_APPENDIX)
        assert "v1 -> v2" in t.lines[0]
        assert any(
            line.startswith("+ ") and "cost per question" in line
            for line in again.about_pane.text.splitlines()
        )

        session.judgements.mark_point(1, numbers[0], "tick")
        t.bench.runs.start(session.planner.to_refine("1/exp"))
        await t.until(
            lambda: len(session.state.cell("1/exp").versions) == 3 and not t.bench.controller.busy,
            "the third version",
        )
        await t.until(
            lambda: "v2 -> v3 (not in use" in t.lines[0], "the changes of the third version"
        )
        await t.press("less_than_sign")
        await t.until(lambda: "v1 -> v2   " in t.lines[0], "the changes of the version in use")
        await t.press("less_than_sign")
        await t.until(lambda: "v1 (not in use" in t.lines[0], "the first version")
        assert again.why_off("older") == "this is the first version"


async def test_keys_that_follow_each_other_at_once_all_count(tmp_path: Path) -> None:
    """The list is drawn anew after each judgement; a key that comes before it is drawn is meant for
    the same row."""
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        paper = screen.items[screen.at or 0].paper
        for _ in range(2):
            screen.load()  # not drawn yet
            await screen.action_act("judge")
        assert session.state.judged.get((branch, paper)) == JUDGEMENTS[1]


async def test_the_claims_are_shown_as_a_table_and_edited_and_kept(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        assert screen.items[0].marks in t.text
        assert any(
            name.startswith("CLAIM 1 mechanism: ") for name, _ in screen.told(screen.at or 0)[2]
        )
        await t.press("t")
        table = await t.on(ContentScreen)
        await t.until(lambda: table.at is not None, "the table")
        assert "column 1 of " in t.text
        await t.press("right", "escape")
        await t.on(NoveltyScreen)
        await t.press("e")
        editor = await t.on(EditScreen)
        assert "- mechanism: " in t.text
        editor.query_one(
            "#text", TextField
        ).text = "- mechanism: gates drop passages\n- setting: question answering"
        await t.press("ctrl+s")
        await t.on(NoveltyScreen)
        await t.until(
            lambda: session.core.freshness(f"{branch}/nov").status == "stale", "the stale report"
        )
        assert session.edits.text_of(f"{branch}/claims").startswith("- mechanism: gates")


async def test_check_31_own_verdict_and_a_note_on_a_paper_by_keys(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        screen = await opened(t, f"{branch}/nov", NoveltyScreen)
        assert isinstance(screen, NoveltyScreen)
        paper = screen.items[screen.at or 0].paper
        await t.press("C", "C")
        await t.until(lambda: session.state.own_verdict(branch) == "partial", "the verdict")
        assert "yours: partial" in t.lines[0]
        await t.press("n")
        await t.on(NoteSheet)
        await t.press(*"cite", "enter")
        await t.until(lambda: session.state.judged_notes.get((branch, paper)) == "cite", "the note")
        assert "The researcher's note: cite." in session.exports.text("md", WITH_APPENDIX)
        await t.press("u", "u", "u")
        await t.until(
            lambda: session.state.judged_notes == {} and not session.state.own_verdict(branch),
            "the undo",
        )


async def test_check_29_a_failed_search_stands_in_the_first_line_of_the_report(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if compared(session.state, b))
        made = session.state.in_use(f"{branch}/nov")
        assert made is not None
        why = "1 of 5 searches failed. The search “gates” in Semantic Scholar: it did not answer."
        empty = {**made.content, "verdict": "INCONCLUSIVE", "why": why, "papers": []}
        session.state.versions[made.seq] = made.model_copy(update={"content": empty})
        session.state.forget()
        await t.go(f"{branch}/nov")
        await t.press("enter")
        screen = await t.on(NoveltyScreen)
        await t.until(lambda: screen.count == 0 and "INCONCLUSIVE" in t.lines[0], "the report")
        assert "1 of 5 searches failed." in t.lines[0]
        assert "it did not answer" in t.text
