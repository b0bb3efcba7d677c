"""Journeys A and B, key by key, offline: from a topic to the first idea, and steering one
branch."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.address import parse_address
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.papers import CandidatesScreen, FoundScreen, PinSheet
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Verdict

from .helpers import TOPIC, Trip, demo, trip


async def generate(t: Trip, key: str) -> None:
    """``g``, a line of the menu, Enter on the plan, and the end of the job."""
    await t.to(AskChoice, "g")
    await t.to(PlanSheet, key)
    assert not t.bench.controller.busy, "nothing runs before the plan is confirmed"
    await t.to(WorkbenchScreen, "enter")
    await t.ended()


async def test_journey_a_from_a_topic_to_the_first_idea(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        await t.to(TopicSheet, "n")
        await t.write(TOPIC)
        await t.press("tab")
        await t.write("evidence is checked too late")
        sheet = await t.to(PlanSheet, "enter")
        bench, session = t.bench, t.bench.session
        assert session.core.file.calls() == []
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
        assert session.state.slot(second).paper == chosen
        assert t.row(second).verdict is Verdict.ACCEPTED
        branch = first.partition("/")[0]
        await t.go(first)
        await generate(t, "c")
        grown = [s for s in session.state.filled(int(branch)) if s.pos]
        assert grown
        assert all(t.row(s.address).verdict is Verdict.UNDECIDED for s in grown)
        await t.to(ReaderScreen, "right_square_bracket", "o")
        await t.to(WorkbenchScreen, "escape")
        while any(
            session.state.slot(s.address).verdict != "accepted" for s in grown
        ):  # each paper, its card and the trends between
            at = bench.chain.address
            await t.press("a")
            await t.until(lambda at=at: t.row(at).verdict is Verdict.ACCEPTED, f"{at} accepted")  # type: ignore[misc]
            await t.press("right_square_bracket")
        assert all(session.state.slot(s.address).verdict == "accepted" for s in grown)
        await t.go(first)
        await generate(t, "i")
        idea = f"{branch}/idea"
        assert session.state.in_use(idea) is not None
        assert all(
            session.state.in_use(a) is not None
            for a in (*session.state.pairs(int(branch)), f"{branch}/dir")
        )
        await t.go(idea)
        await t.press("enter")
        assert bench.focused is bench.detail
        assert all(part in bench.detail.text for part in ("Title", "Summary", "Final", "Problem"))
        assert session.core.spent().money.total == 0


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
        old = session.state.slot("1/0").paper
        around = {s.address: s.paper for s in session.state.filled(1) if s.pos}
        calls = len(session.core.file.calls())
        await t.to(AskText, "x")
        await t.write("survey, no method")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: t.row("1/0").verdict is Verdict.EMPTY, "the empty slot")
        assert {i.paper for i in session.state.shelf if i.kind == "detached"} == set(
            around.values()
        )
        assert next(i.reason for i in session.state.shelf if i.paper == old) == "survey, no method"
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
        assert all(session.state.slot(a).paper for a in back if parse_address(a).part == "slot")
        assert len(session.core.file.calls()) == calls, "no call was made"
        # a neighbour goes, and one is pinned by hand
        pinned_at = min(session.state.filled(1), key=lambda s: s.pos).address
        place = pinned_at if pinned_at != "1/0" else "1/-1"
        if session.state.slot(place).paper:
            await t.to(AskText, "x", at=place)
            await t.to(WorkbenchScreen, "enter")
            await t.until(lambda: session.state.slot(place).paper is None, "the empty slot")
        gone = next(
            i for i in reversed(session.state.shelf) if i.branch == 1 and f"1/{i.pos:+d}" == place
        )
        paper = session.state.papers[gone.paper]
        await t.to(PinSheet, "p", at=place)
        await t.write(paper.ids.get("arXiv") or paper.title)
        found = await t.to(FoundScreen, "enter")
        await t.until(lambda: not found.why_off("choose"), "the preview")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: session.state.slot(place).verdict == "pinned", "the pin")
        assert session.state.slot(place).paper == paper.id
        assert t.row(place).verdict is Verdict.PINNED
        # a trend in one's own words
        trend = session.state.pairs(1)
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
        await t.to(WorkbenchScreen, "enter")
        await t.ended()
        assert not session.core.freshness(
            "1/dir"
        ).changed  # the trend in own words may wait for a decision, above it
        assert not session.core.freshness("1/idea").ok
        assert session.edits.text_of("1/idea") == mine, "one's own words are never replaced"
        await t.to(PlanSheet, "r", at="1/idea")
        await t.to(WorkbenchScreen, "enter")
        await t.ended()
        assert session.edits.text_of("1/idea") == mine
        assert len(session.state.cell("1/idea").versions) >= 3
        await t.to(HistoryScreen, "d")
        await t.change("a", lambda: isinstance(t.app.screen, WorkbenchScreen), "theirs in use")
        assert session.edits.text_of("1/idea") != mine
