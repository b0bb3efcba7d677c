"""Making a session in four steps: nothing is sent before a plan is confirmed, and nothing is lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.config import CoiSettings, Keys, Settings
from coi_tui.model.errors import UsageError
from coi_tui.screens.bench.workbench import Workbench
from coi_tui.screens.home.home import HomeScreen
from coi_tui.screens.home.new_sheet import NewSheet
from coi_tui.screens.home.wizard import QuestionSheet, Wizard
from coi_tui.screens.runs.plan_sheet import PlanSheet
from coi_tui.session.decide import starting
from coi_tui.session.decide.hints import alike, topic_hint
from coi_tui.session.facade import Session
from tests.ui.helpers import TOPIC, Trip, places, trip


async def begun(t: Trip, topic: str = TOPIC, hunch: str = "") -> Wizard:
    await t.press("n")
    await t.on(NewSheet)
    await t.press(*topic, "enter", *hunch, "enter")
    return await t.on(Wizard)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_check_01_from_nothing_to_the_questions_without_a_call(tmp_path: Path, size: tuple[int, int]) -> None:
    async with trip(tmp_path, size) as t:
        assert "No sessions yet" in t.text
        wizard = await begun(t)
        assert "Step 2 of 4" in t.text
        assert "QUESTIONS" in t.text
        assert wizard.session.file.calls() == []
        assert wizard.desk.job is None
        assert t.lines[-1].rstrip().endswith("? more") or "Esc" in t.lines[-1]


async def test_the_four_steps_and_the_free_search_at_their_end(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        wizard = await begun(t, hunch="evidence first")
        session = wizard.session
        assert session.state.value("topic#hunch") is None, "the hunch is not read unless ticked"
        await t.press("g")
        sheet = await t.on(PlanSheet)
        assert not wizard.desk.busy
        assert sheet.plan.goal.until == "questions"
        await t.press("enter")
        await t.on(Wizard)
        await t.until(lambda: not wizard.desk.busy and "proposed by the drafter" in t.text, "the questions")
        await t.press("down", "space")
        await t.until(lambda: session.state.cell("Q2").rejected, "question 2 left out")
        assert "[ ] 2" in t.text
        await t.press("space")
        await t.until(lambda: not session.state.cell("Q2").rejected, "question 2 in again")
        await t.press("e")
        await t.on(QuestionSheet)
        await t.press("ctrl+u", *"self consistency by voting", "enter")
        await t.on(Wizard)
        await t.until(lambda: "self consistency by voting  yours" in t.text, "the edited question")
        await t.press("plus")
        await t.press(*"tree search over reasoning", "enter")
        await t.until(lambda: len(session.state.branches) == 4, "a fourth branch")
        await t.press("ctrl+s")
        assert "CHAINS" in t.text
        length = t.app.screen.query_one("#length", Input)
        length.value = "3"
        await t.press("ctrl+s")
        assert "BUDGET" in t.text
        assert "Estimate to the end" in t.text
        assert {k: session.state.settings[k] for k in ("branches", "length", "forward", "backward")} == {
            "branches": 4, "length": 3, "forward": 1, "backward": 1,
        }  # fmt: skip
        await t.press("down", "space")
        assert starting.pace(session) == "stage"
        t.app.screen.query_one("#cap", Input).value = "5"
        await t.press("ctrl+s")
        sheet = await t.on(PlanSheet)
        assert sheet.plan.goal.until == "chains"
        assert session.state.settings["cap_usd"] == 5
        assert not t.bench.desk.busy
        await t.press("enter")
        bench = await t.on(Workbench)
        await t.until(lambda: not bench.desk.busy and t.row("1/0").marks[0] == "?", "the anchors")
        held = [session.state.in_use(f"Q{b}") for b in session.state.branches]
        assert [v.by_person for v in held if v] == [False, True, False, True]


async def test_esc_goes_back_and_the_draft_is_a_session(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await begun(t)
        await t.press("ctrl+s", "ctrl+s")
        assert "BUDGET" in t.text
        await t.press("escape")
        assert "CHAINS" in t.text
        await t.press("escape", "escape")
        home = await t.on(HomeScreen)
        await t.until(lambda: bool(home.peeks), "the session in the list")
        assert home.peeks[0].topic == TOPIC
        assert not t.app.desks


async def test_a_known_paper_is_where_a_branch_starts(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        wizard = await begun(t)
        field = wizard.query_one("#known", Input)
        field.focus()
        await t.press(*"2201.11903", "enter")
        await t.until(lambda: wizard.session.state.slot("1/0").verdict == "pinned", "the pin")
        assert "Branch 1 starts from it" in t.text
        await t.press(*"no such paper at all zzz", "enter")
        await t.until(lambda: field.value == "no such paper at all zzz", "the text to stay")


async def test_a_bad_number_is_told_and_nothing_moves(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        wizard = await begun(t)
        await t.press("ctrl+s")
        wizard.query_one("#branches", Input).value = "9"
        await t.press("ctrl+s")
        assert "CHAINS" in t.text
        assert "branches" in t.text
        assert wizard.session.state.settings["branches"] == 3


def test_hints_about_topics() -> None:
    assert "surveys" in topic_hint("language models")
    assert "narrow" in topic_hint("word " * 80)
    assert topic_hint(TOPIC) == topic_hint("") == ""
    assert alike(TOPIC, [("old", TOPIC.upper()), ("other", "protein folding")]) == "old"
    assert alike(TOPIC, [("other", "protein folding")]) == alike("a", [("b", "a")]) == ""


def test_questions_of_ones_own_fill_free_branches_then_make_new_ones(tmp_path: Path) -> None:
    with Session.create(
        "s", TOPIC, paths=places(tmp_path), settings=Settings(), keys=Keys(), bounds=CoiSettings(branches=1), offline=True
    ) as session:
        assert [starting.add_question(session, f"question number {n}") for n in range(1, 6)] == [1, 2, 3, 4, 5]
        with pytest.raises(UsageError):
            starting.add_question(session, "one too many")
        session.undo()
        assert session.state.in_use("Q5") is None
        plan = starting.free_start(session)
        assert plan is None or plan.goal.until == "anchors"
