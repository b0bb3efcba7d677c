"""Journeys A, B and C, key by key, offline: from a topic to the first idea; steering one branch; compare
two ideas, refine the plan twice, export, and come back another day."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import cell_ref, match_of
from coi_tui.present.cells import BOXES
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import APPENDIX, ExportSheet, TopicSheet
from coi_tui.screens.history_screen import HistoryScreen, LogScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.paper_screens import CandidatesScreen, FoundScreen, PinSheet
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.verdict_screens import ArenaScreen, ReviewScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Verdict
from coi_tui.widgets.fields import Tick

from .helpers import TOPIC, Trip, demo, trip


async def test_journey_a_from_a_topic_to_the_first_idea(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        await t.to(TopicSheet, "n")
        await t.write(TOPIC)
        await t.press("tab")
        await t.write("evidence is checked too late")
        sheet = await t.to(PlanSheet, "enter")
        bench, session = t.bench, t.bench.session
        assert session.file.calls() == []
        assert sheet.plan.goal.until == "anchors"
        await t.to(WorkbenchScreen, "escape")
        known = "3/0"
        await t.to(PinSheet, "p", at=known)
        await t.write("2201.11903")
        await t.to(FoundScreen, "enter")
        await t.to(WorkbenchScreen, "enter")
        await t.to(EditScreen, "e", at="Q1")
        await t.to(WorkbenchScreen, *"voting over sampled reasoning paths", "ctrl+s")
        await t.run_to("anchors")
        held = session.state.in_use("Q1")
        assert held is not None
        assert held.by_person, "a question of one's own stays"

        def anchors() -> list[str]:
            return [
                a
                for a, r in bench.chain.rows.items()
                if a.endswith("/0") and r.verdict is Verdict.UNDECIDED
            ]

        await t.until(anchors, "rows of proposed anchors")
        proposed = anchors()
        assert bench.chain.rows[known].verdict is Verdict.PINNED
        await t.press("right_square_bracket")
        first = bench.chain.address
        assert first in proposed
        await t.press("a")
        await t.until(lambda: t.row(first).verdict is Verdict.ACCEPTED, "the accept")
        second = next(a for a in bench.chain.rows if a.endswith("/0") and a not in (first, known))
        picker = await t.to(CandidatesScreen, "c", at=second)
        await t.until(lambda: picker.at is not None, "the rows")
        await t.until(lambda: not picker.why_off("choose"), "a paper that can be chosen")
        assert picker.chosen is not None
        chosen = picker.chosen.paper
        assert "If you use this" in picker.about_pane.text
        await t.to(WorkbenchScreen, "enter")
        assert Chains.of(session.state).slot(second).paper == chosen
        assert t.row(second).verdict is Verdict.ACCEPTED
        branch = first.partition("/")[0]
        await t.go(first)
        await t.plan("c")
        await t.run()
        grown = [s for s in Chains.of(session.state).filled(int(branch)) if s.pos]
        assert grown
        assert all(t.row(s.address).verdict is Verdict.UNDECIDED for s in grown)
        await t.to(ReaderScreen, "right_square_bracket", "o")
        await t.to(WorkbenchScreen, "escape")
        while any(
            Chains.of(session.state).slot(s.address).verdict != "accepted" for s in grown
        ):  # each paper, its card and the trends between
            at = bench.chain.address
            await t.press("a")
            await t.until(lambda at=at: t.row(at).verdict is Verdict.ACCEPTED, f"{at} accepted")  # type: ignore[misc]
            await t.press("right_square_bracket")
        assert all(Chains.of(session.state).slot(s.address).verdict == "accepted" for s in grown)
        await t.go(first)
        await t.plan("i")
        await t.run()
        idea = f"{branch}/idea"
        assert session.state.in_use(idea) is not None
        assert all(
            session.state.in_use(a) is not None
            for a in (*Chains.of(session.state).pairs(int(branch)), f"{branch}/dir")
        )
        await t.go(idea)
        await t.press("enter")
        assert bench.focused is bench.detail
        assert all(part in bench.detail.text for part in ("Title", "Summary", "Final", "Problem"))
        assert session.spent().money.total == 0


async def test_journey_b_steering_one_branch(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="novelty") as t:
        bench = t.bench
        session = bench.session
        session.edits.save(
            "1/idea", session.edits.text_of("1/idea").replace("## title\n", "## title\nMy ")
        )
        bench.refresh_rows()
        mine = session.edits.text_of("1/idea")
        # the anchor goes, with a reason; its neighbours wait on the shelf
        await t.go("1/0")
        old = Chains.of(session.state).slot("1/0").paper
        around = {s.address: s.paper for s in Chains.of(session.state).filled(1) if s.pos}
        calls = len(session.file.calls())
        await t.to(AskText, "x")
        await t.write("survey, no method")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: t.row("1/0").verdict is Verdict.EMPTY, "the empty slot")
        assert {i.paper for i in Chains.of(session.state).shelf if i.kind == "detached"} == set(
            around.values()
        )
        assert (
            next(i.reason for i in Chains.of(session.state).shelf if i.paper == old)
            == "survey, no method"
        )
        picker = await t.to(CandidatesScreen, "c")
        await t.until(lambda: picker.at is not None, "the rows")
        at = next(
            n
            for n, e in enumerate(picker.list.entries)
            if e.paper in session.state.papers
            and e.paper != old
            and (preview := picker.preview(session.state.papers[e.paper])).changes.of("returned")
            and not preview.problem
        )
        picker.lines.highlighted = at
        await t.until(
            lambda: "rings back" in picker.about_pane.text,
            "what fits",
        )
        back = list(
            picker.preview(session.state.papers[picker.items[at].paper]).changes.of("returned")
        )
        await t.to(WorkbenchScreen, "enter")
        assert t.row("1/0").verdict is Verdict.ACCEPTED
        assert all(
            Chains.of(session.state).slot(a).paper for a in back if cell_ref(a).kind == "slot"
        )
        assert len(session.file.calls()) == calls, "no call was made"
        # a neighbour goes, and one is pinned by hand
        pinned_at = min(Chains.of(session.state).filled(1), key=lambda s: s.pos).address
        place = pinned_at if pinned_at != "1/0" else "1/-1"
        if Chains.of(session.state).slot(place).paper:
            await t.to(AskText, "x", at=place)
            await t.to(WorkbenchScreen, "enter")
            await t.until(
                lambda: Chains.of(session.state).slot(place).paper is None, "the empty slot"
            )
        gone = next(
            i
            for i in reversed(Chains.of(session.state).shelf)
            if i.branch == 1 and f"1/{i.pos:+d}" == place
        )
        paper = session.state.papers[gone.paper]
        await t.to(PinSheet, "p", at=place)
        await t.write(paper.ids.get("arXiv") or paper.title)
        found = await t.to(FoundScreen, "enter")
        await t.until(lambda: not found.why_off("choose"), "the preview")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: Chains.of(session.state).slot(place).verdict == "pinned", "the pin")
        assert Chains.of(session.state).slot(place).paper == paper.id
        assert t.row(place).verdict is Verdict.PINNED
        # a trend in one's own words
        trend = Chains.of(session.state).pairs(1)
        if trend and session.state.in_use(trend[0]) is not None:
            await t.to(EditScreen, "e", at=trend[0])
            await t.to(WorkbenchScreen, *"my reading of it. ", "ctrl+s")
            assert t.row(trend[0]).by_you
        await t.go("1/idea")
        await t.press("w")
        assert "stale" in bench.detail.text.lower()
        await t.press("escape")
        # the idea is refreshed beside one's own, and merged
        plan = await t.to(PlanSheet, "R")
        assert not bench.controller.busy
        at = [line.address for line in plan.plan.lines].index("1/idea")
        await t.press(*["j"] * at, "space")  # the idea is left out of this run
        await t.run()
        assert not session.freshness(
            "1/dir"
        ).changed  # the trend in own words may wait for a decision, above it
        assert not session.freshness("1/idea").ok
        assert session.edits.text_of("1/idea") == mine, "one's own words are never replaced"
        await t.to(PlanSheet, "r", at="1/idea")
        await t.run()
        assert session.edits.text_of("1/idea") == mine
        assert len(session.state.cell("1/idea").versions) >= 3
        await t.to(HistoryScreen, "d")
        await t.change("a", lambda: isinstance(t.app.screen, WorkbenchScreen), "theirs in use")
        assert session.edits.text_of("1/idea") != mine


async def review_of(t: Trip, address: str) -> ReviewScreen:
    screen = await t.to(ReviewScreen, "enter", at=address)
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
        await t.to(ReviewScreen, "enter")
    await t.until(lambda: screen.items[at].cells[0] == BOXES.get(wanted, "[ ]"), wanted)


async def refine(t: Trip, query: str) -> None:
    """``F``: the search words are shown and can be changed, then the plan."""
    words = await t.to(AskText, "F")
    words.query_one("#reason", Input).value = query
    await t.press("enter")
    await t.run()


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
        arena = await t.to(ArenaScreen, "equals_sign")
        await t.until(lambda: arena.at is not None, "the match")
        for word in (idea, f"{two}/idea", "order A-B", "95 %", "leads"):
            assert word not in t.text, word
        await t.press("left", "0", "left", "0", "0")
        await t.until(lambda: len(session.state.votes) == 5, "the votes")
        await t.press("g")
        await t.run()
        match = match_of(one, two)
        assert session.state.in_use(match) is not None
        # a text made of both ideas has both as parents
        before, theirs = session.state.in_use(idea), session.state.in_use(f"{two}/idea")
        assert before is not None
        assert theirs is not None
        arena = await t.to(ArenaScreen, "enter", at=match)
        await t.until(lambda: arena.at is not None, "the match")
        assert "order A-B" in arena.about_pane.text, "what the model says is shown after the votes"
        text = session.edits.text_of(idea).replace("## final\n", "## final\nOf both. ")
        await arena.controller.decide(lambda: session.edits.save(idea, text, other=theirs.seq))
        merged = session.state.in_use(idea)
        assert merged is not None
        assert merged.parents == (before.seq, theirs.seq)
        await t.until(lambda: arena.at is not None, "the match")
        await t.to(WorkbenchScreen, "escape")
        await t.go(idea)
        await t.change("a", lambda: session.state.pick == one, "the pick")
        # a plan for the picked idea, and its review
        await t.to(AskChoice, "g", at=idea)
        await t.press("e")
        await t.run()
        await t.go(plan)
        await t.press("V")
        await t.run()
        # two points ticked, one of one's own, one dismissed with a reason; only what is ticked is
        # sent
        screen = await review_of(t, review)
        points = [int(p.key) for p in screen.items]
        assert {p.cells[0] for p in screen.items} == {"[ ]"}
        await mark(t, screen, 0, "space", "ticked")
        await mark(t, screen, 1, "space", "ticked")
        await t.to(AskText, "plus")
        await t.write("metrics: cost per question")
        await t.to(ReviewScreen, "enter")
        await t.until(lambda: len(screen.items) == len(points) + 1, "one's own point")
        await t.press("space")
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
        await t.run()
        screen = await review_of(t, review)
        own_at = next(i for i, p in enumerate(screen.items) if "yours" in p.cells[3])
        assert screen.items[own_at].cells[4] == "cost per question"
        assert screen.items[own_at].cells[0] == BOXES["ticked"], (
            "one's own is ticked from the first"
        )
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
        await t.to(WorkbenchScreen, "escape")
        # the export warns of what is not settled, and says where it was written
        sheet = await t.to(ExportSheet, "s")
        warned = [a for w in t.bench.session.exports.warnings() for a in w.addresses]
        assert f"{one}/nov" in warned, "the novelty report is of the idea before the merge"
        sheet.query_one(f"#{APPENDIX}", Tick).value = True
        await t.to(WorkbenchScreen, "enter")
        written = tmp_path / "demo.md"
        await t.until(written.exists, "the proposal")
        text = written.read_text(encoding="utf-8")
        assert "no budget" in text
        assert "cost per question" in text
        assert "is novel" not in text.lower()
        await t.to(HomeScreen, "q", at=plan)
    # another day
    async with trip(tmp_path, session="demo") as t:
        await t.on(WorkbenchScreen)
        await t.idle()
        session = t.bench.session
        assert t.bench.address == plan, "the cursor is where it was"
        log = await t.to(LogScreen, "l")
        await t.until(lambda: log.at is not None, "the decisions")
        await t.to(WorkbenchScreen, "escape")
        report = session.state.in_use(f"{one}/nov")
        await t.go(f"{one}/nov")
        await t.press("v")
        await t.run()
        again = session.state.in_use(f"{one}/nov")
        assert again != report, "only the novelty was checked again"
        assert len(session.state.cell(plan).versions) == 3
