"""Making a session in four steps: nothing is sent before a plan is confirmed, and nothing is lost
on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.config import Keys, Settings
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.errors import UsageError
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.home.topic_sheet import NewSessionScreen, TopicSheet
from coi_tui.screens.papers.paper_sheets import PaperChoiceSheet
from coi_tui.screens.runs.run_sheets import PlanSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import new_session
from coi_tui.session.decisions.new_session_draft import (
    FILE,
    NewSessionDraft,
    drop_draft,
    read_draft,
    save_draft,
)
from coi_tui.session.session import Session
from coi_tui.session.watch import offline_topics
from coi_tui.session.wording import Verdict
from coi_tui.widgets.fields import MarkedList
from tests.ui.helpers import TOPIC, Trip, places, trip


async def begun(t: Trip, topic: str = TOPIC, hunch: str = "") -> NewSessionScreen:
    await t.press("n")
    await t.on(TopicSheet)
    await t.write(topic)
    await t.press("tab")
    await t.write(hunch)
    await t.press("enter")
    return await t.on(NewSessionScreen)


async def test_the_four_steps_and_the_free_search_at_their_end(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        wizard = await begun(t, hunch="evidence first")
        session = wizard.session
        assert session.core.file.calls() == []
        assert session.state.value("topic#hunch") is None, "the hunch is not read unless ticked"
        await t.press("g")
        sheet = await t.on(PlanSheet)
        assert not wizard.controller.busy
        assert sheet.plan.goal.until == "questions"
        await t.press("enter")
        await t.on(NewSessionScreen)
        await t.until(lambda: not wizard.controller.busy and "proposed" in t.text, "the questions")
        await t.press("down", "space")
        await t.until(lambda: session.state.cell("Q2").rejected, "question 2 left out")
        assert "[ ] 2" in t.text
        await t.press("space")
        await t.until(lambda: not session.state.cell("Q2").rejected, "question 2 in again")
        await t.press("e")
        await t.on(AskText)
        await t.press("ctrl+u", *"self consistency by voting", "enter")
        await t.on(NewSessionScreen)
        await t.until(lambda: "self consistency by voting  yours" in t.text, "the edited question")
        await t.press("plus")
        await t.write("tree search over reasoning")
        await t.press("enter")
        await t.until(lambda: len(session.state.branches) == 4, "a fourth branch")
        await t.press("ctrl+s")
        assert "CHAINS" in t.text
        length = t.app.screen.query_one("#length", Input)
        length.value = "3"
        await t.press("ctrl+s")
        assert "BUDGET" in t.text
        assert "Estimate for the whole run" in t.text
        assert {
            k: session.state.settings[k] for k in ("branches", "length", "forward", "backward")
        } == {
            "branches": 4,
            "length": 3,
            "forward": 1,
            "backward": 1,
        }
        await t.press("down")
        t.app.screen.query_one("#cap", Input).value = "5"
        await t.press("ctrl+s")
        assert new_session.pace(session).name == "stage"
        sheet = await t.on(PlanSheet)
        assert sheet.plan.goal.until == "chains"
        assert session.state.settings["cap_usd"] == 5
        assert not t.bench.controller.busy
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        await t.until(
            lambda: not bench.controller.busy and t.row("1/0").verdict is Verdict.UNDECIDED,
            "the anchors",
        )
        held = [session.state.in_use(f"Q{b}") for b in session.state.branches]
        assert [v.by_person for v in held if v] == [False, True, False, True]


async def test_several_papers_of_a_title_are_listed_and_none_is_guessed(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        wizard = await begun(t)
        field = wizard.query_one("#known", Input)
        field.focus()
        await t.write("language models")
        await t.press("enter")
        sheet = await t.on(PaperChoiceSheet)
        await t.until(lambda: "Which paper" in t.text, "the list")
        assert len(sheet.papers) > 1
        await t.press("escape")
        await t.on(NewSessionScreen)
        await t.until(lambda: field.value == "language models", "the text to stay")
        assert wizard.session.state.slot("1/0").paper is None
        await t.press("enter")
        sheet = await t.on(PaperChoiceSheet)
        await t.until(lambda: bool(sheet.query_one("#lines", MarkedList).texts), "the rows")
        await t.press("j", "j", "enter")
        await t.on(NewSessionScreen)
        await t.until(
            lambda: wizard.session.state.slot("1/0").paper == sheet.papers[2].id, "the third one"
        )
        assert field.value == ""


def test_questions_of_ones_own_fill_free_branches_then_make_new_ones(tmp_path: Path) -> None:
    with Session.create(
        "s",
        TOPIC,
        paths=places(tmp_path),
        settings=Settings(),
        keys=Keys(),
        bounds=CoiSettings(branches=1),
        offline=True,
    ) as session:
        assert [new_session.add_question(session, f"question number {n}") for n in range(1, 6)] == [
            1,
            2,
            3,
            4,
            5,
        ]
        with pytest.raises(UsageError):
            new_session.add_question(session, "one too many")
        session.undo_stack.undo()
        assert session.state.in_use("Q5") is None
        plan = new_session.free_start(session)
        assert plan is None or plan.goal.until == "anchors"


async def test_what_is_typed_is_kept_until_a_session_is_made_of_it(tmp_path: Path) -> None:
    file = places(tmp_path).data / FILE
    async with trip(tmp_path) as t:
        await t.press("n")
        await t.on(TopicSheet)
        await t.press(*"graphs of", "tab", *"they lie")
        await t.until(
            lambda: (w := read_draft(places(tmp_path))) and w.hunch == "they lie",
            "the draft without any further key",
        )
        assert file.stat().st_mode & 0o077 == 0, "a hunch is private"
    # as after a kill: another process, nothing was closed on purpose
    async with trip(tmp_path, (60, 16)) as t:
        await t.press("n")
        sheet = await t.on(TopicSheet)
        assert sheet.draft == NewSessionDraft("graphs of", "they lie")
        assert "restored from last time" in t.text
        await t.press(*" thought", "escape")
        await t.on(HomeScreen)
        await t.press("n")
        sheet = await t.on(TopicSheet)
        assert sheet.draft == NewSessionDraft("graphs of thought", "they lie"), (
            "Esc keeps the last key as well"
        )
        await t.press("enter")
        wizard = await t.on(NewSessionScreen)
        assert wizard.session.state.value("topic#text") == "graphs of thought"
        assert not file.exists()
        await t.press("escape")
        await t.on(HomeScreen)
        await t.press("n")
        assert (await t.on(TopicSheet)).draft.empty


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b"\xff\xfe", b'{"topic": 3}', b'{"topic": " "}', b"[" * 100_000]
)
def test_an_unreadable_draft_is_no_draft(tmp_path: Path, raw: bytes) -> None:
    places(tmp_path).data.mkdir(parents=True)
    (places(tmp_path).data / FILE).write_bytes(raw)
    assert read_draft(places(tmp_path)) is None


def test_a_draft_is_cleaned_and_dropped_only_by_its_own_session(tmp_path: Path) -> None:
    here = places(tmp_path)
    save_draft(here, NewSessionDraft("a\x1b[31m topic\ud800", "h\u202e", offline=True))
    assert read_draft(here) == NewSessionDraft("a topic\ufffd", "h", offline=True)
    drop_draft(here, NewSessionDraft("another"))
    assert read_draft(here) is not None
    drop_draft(here, NewSessionDraft("a topic\ufffd"))
    assert read_draft(here) is None
    drop_draft(here)


async def test_offline_the_topics_of_the_starter_library_are_offered_and_nothing_typed_is_replaced(
    tmp_path: Path,
) -> None:
    async with trip(tmp_path) as t:
        await t.press("n")
        field = (await t.on(TopicSheet)).query_one("#topic", Input)
        await t.until(lambda: "Down offers 15 topics" in t.text, "the offer")
        await t.press("down", "down")
        assert field.value == offline_topics()[1]
        await t.write("!")
        await t.press("down")
        assert field.value == f"{offline_topics()[1]}!"


async def test_enter_on_a_box_makes_the_session_and_ticks_nothing(tmp_path: Path) -> None:
    """Going on from the hunch by Tab and Enter must not send it to a model."""
    async with trip(tmp_path) as t:
        await t.press("n")
        sheet = await t.on(TopicSheet)
        await t.write(TOPIC)
        await t.press("tab")
        await t.write("private")
        await t.press("tab")
        assert sheet.focused is sheet.query_one("#send")
        await t.press("enter")
        wizard = await t.on(NewSessionScreen)
        assert wizard.session.state.settings.get("send_hunch") is not True
