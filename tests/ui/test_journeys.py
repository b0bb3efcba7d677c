"""Journeys A, B and C, key by key, offline: from a topic to the first idea; steering one branch; compare
two ideas, refine the plan twice, export, and come back another day."""

from pathlib import Path

from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.paper_screens import CandidatesScreen, FoundScreen, PinSheet
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Verdict
from tests.support.desk import chains, version_at

from .helpers import TOPIC, trip


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
        held = version_at(session, "Q1")
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
        assert chains(session).slot(second).paper == chosen
        assert t.row(second).verdict is Verdict.ACCEPTED
        branch = first.partition("/")[0]
        await t.go(first)
        await t.plan("c")
        await t.run()
        grown = [s for s in chains(session).filled(int(branch)) if s.pos]
        assert grown
        assert all(t.row(s.address).verdict is Verdict.UNDECIDED for s in grown)
        await t.to(ReaderScreen, "right_square_bracket", "o")
        await t.to(WorkbenchScreen, "escape")
        while any(
            chains(session).slot(s.address).verdict != "accepted" for s in grown
        ):  # each paper, its card and the trends between
            at = bench.chain.address
            await t.press("a")
            await t.until(lambda at=at: t.row(at).verdict is Verdict.ACCEPTED, f"{at} accepted")  # type: ignore[misc]
            await t.press("right_square_bracket")
        assert all(chains(session).slot(s.address).verdict == "accepted" for s in grown)
        await t.go(first)
        await t.plan("i")
        await t.run()
        idea = f"{branch}/idea"
        assert session.state.in_use(idea) is not None
        assert all(
            session.state.in_use(a) is not None
            for a in (*chains(session).pairs(int(branch)), f"{branch}/dir")
        )
        await t.go(idea)
        await t.press("enter")
        assert bench.focused is bench.detail
        assert all(part in bench.detail.text for part in ("Title", "Summary", "Final", "Problem"))
        assert session.spent().money.total == 0
