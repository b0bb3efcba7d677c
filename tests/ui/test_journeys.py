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
    await t.press("g")
    await t.on(AskChoice)
    await t.press(key)
    await t.on(PlanSheet)
    assert not t.bench.controller.busy, "nothing runs before the plan is confirmed"
    await t.press("enter")
    await t.on(WorkbenchScreen)
    await t.ended()


async def test_journey_a_from_a_topic_to_the_first_idea(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        await t.press("n")
        await t.on(TopicSheet)
        await t.write(TOPIC)
        await t.press("tab")
        await t.write("evidence is checked too late")
        await t.press("enter")
        sheet = await t.on(PlanSheet)
        bench, session = t.bench, t.bench.session
        assert session.core.file.calls() == []
        assert sheet.plan.goal.until == "anchors"
        await t.press("escape")
        await t.on(WorkbenchScreen)
        known = "3/0"
        await t.go(known)
        await t.press("p")
        await t.on(PinSheet)
        await t.write("2201.11903")
        await t.press("enter")
        await t.on(FoundScreen)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.go("Q1")
        await t.press("e")
        await t.on(EditScreen)
        await t.press(*"voting over sampled reasoning paths", "ctrl+s")
        await t.on(WorkbenchScreen)
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
        await t.go(second)
        await t.press("c")
        picker = await t.on(CandidatesScreen)
        await t.until(lambda: picker.at is not None, "the rows")
        await t.until(lambda: not picker.why_off("choose"), "a paper that can be chosen")
        assert picker.chosen is not None
        chosen = picker.chosen.paper
        assert "If you use this" in picker.about_pane.text
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert session.state.slot(second).paper == chosen
        assert t.row(second).verdict is Verdict.ACCEPTED
        branch = first.partition("/")[0]
        await t.go(first)
        await generate(t, "c")
        grown = [s for s in session.state.filled(int(branch)) if s.pos]
        assert grown
        assert all(t.row(s.address).verdict is Verdict.UNDECIDED for s in grown)
        await t.press("right_square_bracket", "o")
        await t.on(ReaderScreen)
        await t.press("escape")
        await t.on(WorkbenchScreen)
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
        await t.press("x")
        await t.on(AskText)
        await t.write("survey, no method")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: t.row("1/0").verdict is Verdict.EMPTY, "the empty slot")
        assert {i.paper for i in session.state.shelf if i.kind == "detached"} == set(
            around.values()
        )
        assert next(i.reason for i in session.state.shelf if i.paper == old) == "survey, no method"
        await t.press("c")
        picker = await t.on(CandidatesScreen)
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
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.row("1/0").verdict is Verdict.ACCEPTED
        assert all(session.state.slot(a).paper for a in back if parse_address(a).part == "slot")
        assert len(session.core.file.calls()) == calls, "no call was made"
        # a neighbour goes, and one is pinned by hand
        pinned_at = min(session.state.filled(1), key=lambda s: s.pos).address
        place = pinned_at if pinned_at != "1/0" else "1/-1"
        if session.state.slot(place).paper:
            await t.go(place)
            await t.press("x")
            await t.on(AskText)
            await t.press("enter")
            await t.on(WorkbenchScreen)
            await t.until(lambda: session.state.slot(place).paper is None, "the empty slot")
        gone = next(
            i for i in reversed(session.state.shelf) if i.branch == 1 and f"1/{i.pos:+d}" == place
        )
        paper = session.state.papers[gone.paper]
        await t.go(place)
        await t.press("p")
        await t.on(PinSheet)
        await t.write(paper.ids.get("arXiv") or paper.title)
        await t.press("enter")
        found = await t.on(FoundScreen)
        await t.until(lambda: not found.why_off("choose"), "the preview")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: session.state.slot(place).verdict == "pinned", "the pin")
        assert session.state.slot(place).paper == paper.id
        assert t.row(place).verdict is Verdict.PINNED
        # a trend in one's own words
        trend = session.state.pairs(1)
        if trend and session.state.in_use(trend[0]) is not None:
            await t.go(trend[0])
            await t.press("e")
            await t.on(EditScreen)
            await t.press(*"my reading of it. ", "ctrl+s")
            await t.on(WorkbenchScreen)
            assert t.row(trend[0]).by_you
        await t.go("1/idea")
        await t.press("w")
        assert "stale" in bench.detail.text.lower()
        await t.press("escape")
        # the idea is refreshed beside one's own, and merged
        await t.press("R")
        plan = await t.on(PlanSheet)
        assert not bench.controller.busy
        at = [line.address for line in plan.plan.lines].index("1/idea")
        await t.press(*["j"] * at, "space")  # the idea is left out of this run
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert not session.core.freshness(
            "1/dir"
        ).changed  # the trend in own words may wait for a decision, above it
        assert not session.core.freshness("1/idea").ok
        assert session.edits.text_of("1/idea") == mine, "one's own words are never replaced"
        await t.go("1/idea")
        await t.press("r")
        await t.on(PlanSheet)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert session.edits.text_of("1/idea") == mine
        assert len(session.state.cell("1/idea").versions) >= 3
        await t.press("d")
        await t.on(HistoryScreen)
        await t.change("a", lambda: isinstance(t.app.screen, WorkbenchScreen), "theirs in use")
        assert session.edits.text_of("1/idea") != mine
