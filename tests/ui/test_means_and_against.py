"""Means, a plan against them, and a search against an idea, by their keys."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.means import MeansCheck, means_of
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.means_sheet import MeansSheet
from coi_tui.screens.views.review_screen import ReviewScreen
from tests.ui.helpers import demo


async def test_means_are_said_in_the_review_and_the_plan_is_checked_against_them(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, (80, 24), stage="review") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if session.state.in_use(f"{b}/review"))
        t.bench.chain.go(f"{branch}/review")
        await t.until(lambda: t.bench.detail.key == f"{branch}/review", "the row")
        await t.press("enter")
        review = await t.on(ReviewScreen)
        assert "say first what means you have" in review.why_off("check_means")
        await t.press("M")
        sheet = await t.on(MeansSheet)
        assert sheet.why_off("send") == "nothing was changed"
        await t.write("2 GPUs")
        await t.press("enter")
        await t.until(lambda: means_of(session.state).compute == "2 GPUs", "the means")
        assert "Your means: compute: 2 GPUs" in t.text
        await t.press("C")
        plan = await t.on(PlanSheet)
        assert plan.plan.title == f"Check {branch}/exp against your means"
        await t.press("enter")
        await t.until(
            lambda: session.state.read(f"{branch}/check", MeansCheck) is not None, "the check"
        )


async def test_one_key_plans_a_search_against_the_idea(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="novelty") as t:
        session = t.bench.session
        before = session.state.in_use("1/nov")
        t.bench.chain.go("1/idea")
        await t.until(lambda: t.bench.detail.key == "1/idea", "the row")
        await t.press("P")
        sheet = await t.on(PlanSheet)
        assert sheet.plan.title == "Search against 1/idea"
        assert "at most 6 queries" in sheet.plan.lines[0].why
        await t.press("enter")
        await t.until(lambda: session.state.in_use("1/nov") != before, "the further report")
        assert any(
            search["angle"]
            for search in session.state.in_use("1/nov").content["searches"]
            if "angle" in search
        )  # type: ignore[union-attr]
