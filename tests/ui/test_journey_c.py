"""Journey C, key by key, offline: compare two ideas, refine the plan twice, export, and come back
another day."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.model.address import match_of
from coi_tui.present.cells import BOXES
from coi_tui.screens.forms import APPENDIX, ExportSheet
from coi_tui.screens.history_screen import LogScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.verdict_screens import ArenaScreen, ReviewScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.fields import Tick

from .helpers import Trip, demo, trip


async def approve(t: Trip) -> None:
    """Enter on the plan, and the end of its job."""
    await t.on(PlanSheet)
    controller = t.bench.controller
    assert not controller.busy, "nothing runs before the plan is confirmed"
    before = controller.job
    await t.press("enter")
    await t.on(WorkbenchScreen)
    await t.until(lambda: controller.job is not before, "the job to begin")
    await t.ended()


async def review_of(t: Trip, address: str) -> ReviewScreen:
    await t.go(address)
    await t.press("enter")
    screen = await t.on(ReviewScreen)
    await t.until(lambda: screen.at is not None, "the points")
    return screen


async def mark(t: Trip, screen: ReviewScreen, at: int, key: str, wanted: str) -> None:
    """Put the cursor on a point and press its key."""
    screen.lines.highlighted = at
    await t.until(lambda: screen.at == at, "the row")
    await t.press(key)
    if key == "x":
        await t.on(AskText)
        await t.write("no budget")
        await t.press("enter")
        await t.on(ReviewScreen)
    await t.until(lambda: screen.items[at].cells[0] == BOXES.get(wanted, "[ ]"), wanted)


async def refine(t: Trip, query: str) -> None:
    """``F``: the search words are shown and can be changed, then the plan."""
    await t.press("F")
    words = await t.on(AskText)
    words.query_one("#reason", Input).value = query
    await t.press("enter")
    await approve(t)


@pytest.mark.usefixtures("reviewer")
async def test_journey_c_compare_refine_twice_export_and_come_back(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        session = t.bench.session
        one, two = session.state.ideas()[:2]
        idea, plan, review = f"{one}/idea", f"{one}/exp", f"{one}/review"
        # two tagged ideas meet; their names, ratings and the judge's view wait for the votes
        for branch in (one, two):
            await t.go(f"{branch}/idea")
            await t.press("t")
        await t.press("equals_sign")
        arena = await t.on(ArenaScreen)
        await t.until(lambda: arena.at is not None, "the match")
        for word in (idea, f"{two}/idea", "order A-B", "Elo", "leads"):
            assert word not in t.text, word
        await t.press("left", "0", "left", "0", "0")
        await t.until(lambda: len(session.state.votes) == 5, "the votes")
        await t.press("g")
        await approve(t)
        match = match_of(one, two)
        assert session.state.in_use(match) is not None
        # a text made of both ideas has both as parents
        before, theirs = session.state.in_use(idea), session.state.in_use(f"{two}/idea")
        assert before is not None
        assert theirs is not None
        await t.go(match)
        await t.press("enter")
        arena = await t.on(ArenaScreen)
        await t.until(lambda: arena.at is not None, "the match")
        assert "order A-B" in arena.about_pane.text, "what the model says is shown after the votes"
        text = session.edits.text_of(idea).replace("## final\n", "## final\nOf both. ")
        await arena.controller.decide(lambda: session.edits.save(idea, text, other=theirs.seq))
        merged = session.state.in_use(idea)
        assert merged is not None
        assert merged.parents == (before.seq, theirs.seq)
        await t.until(lambda: arena.at is not None, "the match")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.go(idea)
        await t.change("a", lambda: session.state.pick == one, "the pick")
        # a plan for the picked idea, and its review
        await t.go(idea)
        await t.press("g")
        await t.on(AskChoice)
        await t.press("e")
        await approve(t)
        await t.go(plan)
        await t.press("V")
        await approve(t)
        # two points ticked, one of one's own, one dismissed with a reason; only what is ticked is
        # sent
        screen = await review_of(t, review)
        points = [int(p.key) for p in screen.items]
        assert {p.cells[0] for p in screen.items} == {"[ ]"}
        await mark(t, screen, 0, "space", "ticked")
        await mark(t, screen, 1, "space", "ticked")
        await t.press("plus")
        await t.on(AskText)
        await t.write("metrics: cost per question")
        await t.press("enter")
        await t.on(ReviewScreen)
        await t.until(lambda: len(screen.items) == len(points) + 1, "one's own point")
        await mark(t, screen, len(points) - 1, "x", "dismissed")
        await refine(t, "reporting cost")
        first, second = session.state.cell(plan).versions
        used = session.state.in_use(plan)
        assert used is not None
        assert used.seq == first, "the new version waits beside the old one"
        made = session.state.versions[second].content
        assert sorted(a["point"] for a in made["answers"]) == points[:2]
        assert made["support"]["queries"] == ["reporting cost"]
        screen = await review_of(t, plan)
        assert "v1 -> v2 (not in use)" in t.lines[0]
        await t.press("a")
        await t.until(
            lambda: session.state.in_use(plan) == session.state.versions[second],
            "the adopted version",
        )
        assert {p.cells[2] for p in screen.items} == {"done", "dismissed", "not addressed"}
        # a second round keeps the dismissed point dismissed and one's own point one's own
        await t.press("V")
        await approve(t)
        screen = await review_of(t, review)
        own_at = next(i for i, p in enumerate(screen.items) if "yours" in p.cells[3])
        assert screen.items[own_at].cells[4] == "cost per question"
        await mark(t, screen, own_at, "space", "ticked")
        await refine(t, "")
        assert len(session.state.cell(plan).versions) == 3
        screen = await review_of(t, plan)
        await t.press("a")
        await t.until(
            lambda: (
                session.state.in_use(plan)
                == session.state.versions[session.state.cell(plan).versions[-1]]
            ),
            "the third version",
        )
        await t.press("escape")
        await t.on(WorkbenchScreen)
        # the export warns of what is not settled, and says where it was written
        await t.press("s")
        sheet = await t.on(ExportSheet)
        warned = [a for w in t.bench.session.exports.warnings() for a in w.addresses]
        assert f"{one}/nov" in warned, "the novelty report is of the idea before the merge"
        sheet.query_one(f"#{APPENDIX}", Tick).value = True
        await t.press("enter")
        await t.on(WorkbenchScreen)
        written = tmp_path / "demo.md"
        await t.until(written.exists, "the proposal")
        text = written.read_text(encoding="utf-8")
        assert "no budget" in text
        assert "cost per question" in text
        assert "is novel" not in text.lower()
        await t.go(plan)
        await t.press("q")
        await t.on(HomeScreen)
    # another day
    async with trip(tmp_path, session="demo") as t:
        await t.on(WorkbenchScreen)
        await t.idle()
        session = t.bench.session
        assert t.bench.address == plan, "the cursor is where it was"
        await t.press("l")
        log = await t.on(LogScreen)
        await t.until(lambda: log.at is not None, "the decisions")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        report = session.state.in_use(f"{one}/nov")
        await t.go(f"{one}/nov")
        await t.press("v")
        await approve(t)
        again = session.state.in_use(f"{one}/nov")
        assert again != report, "only the novelty was checked again"
        assert len(session.state.cell(plan).versions) == 3
