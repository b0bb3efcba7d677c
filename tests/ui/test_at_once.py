"""Plans without a full sheet: the drafter runs at once with a strip, a model asks on a strip, finished branches stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.screens.runs.generate_sheets import GenerateSheet, StageSheet
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.runs.run_strip import RunStrip
from coi_tui.screens.sheets.confirm_sheet import ChangeSheet
from coi_tui.screens.sheets.text_sheets import ReasonSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.panes import StatusLines

from .helpers import Trip, demo


async def generate(t: Trip, *keys: str) -> None:
    await t.press("g")
    await t.on(GenerateSheet)
    await t.press(*keys)


async def test_a_plan_of_the_drafter_runs_at_once_with_progress_and_a_key_that_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    say = StatusLines.say

    def record(lines: StatusLines, text: str) -> None:
        told.append(text)
        say(lines, text)

    monkeypatch.setattr(StatusLines, "say", record)
    async with demo(tmp_path, stage="anchors", show_plans=False) as t:
        session = t.bench.session
        await t.go("1/0")
        await generate(t, "c")
        job = t.bench.controller.job
        assert job is not None, "no sheet stands between the key and its work"
        assert any("S stops it; nothing is charged or sent." in text for text in told)
        await t.ended()
        assert len(session.state.chain(1)) > 2
        assert job.done > 2
        assert job.progress().startswith(f"step {job.done} of about {job.steps} [#")


async def test_space_shows_the_plan_first(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors", show_plans=False) as t:
        await t.go("1/0")
        await generate(t, "space")
        await t.on(PlanSheet)
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert not t.bench.controller.busy
        await generate(t, "a")
        await t.on(StageSheet)
        await t.press("space")
        await t.on(PlanSheet)


async def test_a_plan_that_may_make_other_texts_stale_says_so_and_asks_once(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas", show_plans=False) as t:
        await t.go("1/dir")
        await t.press("r")
        strip = await t.on(RunStrip)
        assert "It may make stale 1/rivals and 1/idea." in strip.said()
        assert not t.bench.controller.busy
        await t.press("space")
        sheet = await t.on(PlanSheet)
        assert "It may make stale 1/rivals and 1/idea." in sheet.summary()
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.press("r")
        await t.on(RunStrip)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert len(t.bench.session.state.cell("1/dir").versions) == 2


@pytest.mark.parametrize("size", [(120, 36), (60, 16)])
async def test_rejecting_an_anchor_names_the_rows_that_it_empties(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        await t.go("1/0")
        await t.press("x")
        sheet = await t.on(ReasonSheet)
        assert sheet.effect.startswith("Empties 1/0; detaches 1/-")
        assert "makes stale" in sheet.effect
        assert "Empties 1/0; detaches" in t.text
        assert "Enter reject" in t.text


async def test_another_version_says_what_it_makes_stale_before_it_is_in_use(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        session = t.bench.session
        session.edits.save("1/dir", "Another direction.")
        session.edits.save("1/dir", "Yet another direction.")
        await session.runs.run(session.planner.to_refresh(["1/idea"]))
        t.bench.refresh_rows()
        await t.go("1/dir")
        await t.press("less_than_sign", "a")
        sheet = await t.on(ChangeSheet)
        assert sheet.text.startswith("Makes stale 1/rivals and 1/idea.")
        before = session.state.in_use("1/dir")
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert session.state.in_use("1/dir") == before
        await t.press("a")
        await t.on(ChangeSheet)
        await t.press("enter")
        await t.until(lambda: session.state.in_use("1/dir") != before, "the older version in use")


async def test_a_finished_branch_is_left_as_it_is_unless_it_is_ticked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors", show_plans=False) as t:
        session, branch = t.bench.session, 1
        session.decisions.set_settings({"length": 3, "forward": 1, "backward": 1})
        await session.runs.run(session.planner.to_stage("ideas"))
        session.decisions.set_settings({"length": 5, "forward": 2, "backward": 2})
        session.decisions.accept(f"{branch}/idea")
        t.bench.refresh_rows()
        plan = session.planner.to_stage("ideas")
        assert plan.left == (str(branch),)
        t.bench.runs.open_plan(plan, look=True)
        sheet = await t.on(PlanSheet)
        at = next(n for n, line in enumerate(sheet.full.lines) if line.branch)
        assert f"[ ] branch {branch}" in t.text
        sheet.query_one(MarkedList).highlighted = at
        await t.press("space")
        assert not sheet.plan.left
        await t.press("space")
        assert sheet.plan.left == (str(branch),)
        chain = session.state.chain(branch)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.ended()
        assert session.state.chain(branch) == chain
        assert session.core.freshness(f"{branch}/idea").ok
