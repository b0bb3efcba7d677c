"""Decisions on rows, the way back, the list of commands, the shelf and the log."""

import shutil
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, TextArea

from coi_tui.config import DisplaySettings
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.criteria import Criteria
from coi_tui.screens.base import FOOTER_KEYS
from coi_tui.screens.commands import WORKBENCH_ACTIONS, CommandSheet
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import CriteriaSheet
from coi_tui.screens.paper_screens import CandidatesScreen, ShelfScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AcceptSheet, AskChoice, AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.decisions.criteria_change import criteria_of
from coi_tui.session.wording import Verdict
from coi_tui.widgets.key_actions import ActionFooter
from tests.methods.test_unknown_links import unlinked
from tests.session.test_five_methods import made as made
from tests.session.test_operators import ONE_OF_EACH
from tests.support.desk import chains
from tests.support.state_dump import dump

from .helpers import Trip, demo


def at_home(made: Path, data: Path) -> None:
    """Put the session with the ideas of every method where the program finds it."""
    (data / "sessions").mkdir(parents=True)
    shutil.copy(made, data / "sessions" / "demo.coi.db")


@pytest.mark.parametrize("parent", ONE_OF_EACH[:2])
async def test_the_key_makes_a_row_and_u_takes_it_away(
    made: Path, tmp_path: Path, parent: str
) -> None:
    at_home(made, tmp_path / "data")
    async with demo(tmp_path) as t:
        before = list(t.bench.chain.rows)
        await t.to(AskChoice, "D", at=f"{parent}/idea")
        await t.to(PlanSheet, "enter")
        await t.run()
        row = t.row("D1/1/idea")
        assert row.made
        assert f"of {parent}" in row.source
        await t.press("u")
        await t.until(lambda: list(t.bench.chain.rows) == before, "the row to go")


TREND = "1/0..+1"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a session whose trends found no link."""
    (tmp_path / "data" / "sessions").mkdir(parents=True)
    made = unlinked(tmp_path / "made").closed()
    shutil.copy(made, tmp_path / "data" / "sessions" / "demo.coi.db")
    return tmp_path


async def test_the_key_says_that_there_is_a_link_and_u_takes_it_back(home: Path) -> None:
    async with demo(home) as t:
        assert t.row("1/+1").title.startswith("no link known")
        await t.go(TREND)
        await t.until(lambda: "L says so" in t.bench.detail.text, "what can be done")
        await t.to(AskText, "L")
        await t.to(WorkbenchScreen, "enter")
        assert t.row(TREND).title.startswith("no link"), "nothing was said"
        await t.to(AskText, "L")
        await t.write("Both ask before they guess.")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: t.row(TREND).title == "Both ask before they guess.", "the words")
        await t.press("u")
        await t.until(lambda: t.row(TREND).title.startswith("no link"), "the label again")


async def reject(t: Trip, address: str, reason: str = "") -> None:
    await t.to(AskText, "x", at=address)
    await t.write(reason)
    await t.to(WorkbenchScreen, "enter")


async def test_a_decision_goes_on_to_the_next_that_waits_for_one(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="directions") as t:
        texts = [row.address for row in t.bench.chain.rows.values() if row.needs_decision]
        assert len(texts) > 1
        assert len(t.bench.query_one(ActionFooter).items) <= FOOTER_KEYS
        await t.go(texts[0])
        await t.press("a")
        assert t.bench.chain.address == texts[1]
        t.bench.session.settings = t.bench.session.settings.model_copy(
            update={"display": DisplaySettings(go_on=False)}
        )
        await t.press("u")
        await t.go(texts[0])
        await t.press("a")
        assert t.bench.chain.address == texts[0]


async def test_u_goes_back_also_after_a_restart_and_U_forward(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        start = dump(t.bench.session.state)
        await t.go("1/0")
        await t.press("a")
        await reject(t, "2/0", "too old")
        end = dump(t.bench.session.state)
    async with demo(tmp_path) as t:
        await t.press("u", "u")
        assert dump(t.bench.session.state) == start
        await t.press("U", "U")
        assert dump(t.bench.session.state) == end
        await t.press("U")
        assert "nothing to redo" in t.status


async def test_every_action_is_in_the_list_of_commands(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        sheet = await t.to(CommandSheet, "colon")
        assert {item for item, _ in sheet.entries} == set(WORKBENCH_ACTIONS)
        without_keys = {a.id for a in WORKBENCH_ACTIONS if not a.keys}
        assert without_keys >= {"set_aside", "note", "reject_everywhere"}


async def test_no_printable_key_acts_in_a_text_and_tab_leaves_it(tmp_path: Path) -> None:
    letters = "axcpfAKuULeErRgvVFbwhdoOTintjkzsSlmyYq1234"
    async with demo(tmp_path, stage="anchors") as t:
        before = t.bench.session.state.seq
        for name, kind in (("find", AskText), ("note", AskText)):
            await t.command(name)
            sheet = await t.on(kind)
            await t.press(*letters)
            assert t.app.screen is sheet
            assert sheet.query_one(Input).value == letters
            await t.to(WorkbenchScreen, "escape")
        screen = await t.to(EditScreen, "e", at="topic")
        text = screen.query_one(TextArea)
        await t.press(*letters)
        assert letters in text.text
        await t.press("tab")
        assert screen.focused is not text
        assert t.bench.session.state.seq == before


async def test_ctrl_c_copies_or_says_so_and_never_quits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with demo(tmp_path, stage="anchors") as t:
        await t.press("ctrl+c", "ctrl+c", "ctrl+c")
        assert t.app.is_running
        assert t.status == "Nothing is selected to copy. S stops runs, ^q quits."
        await t.command("note")
        await t.on(AskText)
        await t.press("ctrl+c")
        assert t.app.is_running
        await t.to(WorkbenchScreen, "escape")
        t.bench.text_select_all()
        chosen = t.bench.get_selected_text()
        assert chosen
        await t.press("ctrl+c")
        await t.until(lambda: "the selection" in t.status, "where the copy went")
        assert t.app.clipboard == chosen


def long_branch(t: Trip) -> int:
    """A branch with at least two papers."""
    state = t.bench.session.state
    return int(next(b for b in state.branches_of("") if len(Chains.of(state).chain(b)) > 1))


async def test_accept_all_lists_and_leaves_out_what_was_read_only_from_a_summary(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session, branch = t.bench.session, long_branch(t)
        proposed = [s.address for s in chains(session).filled(branch) if s.verdict == "proposed"]
        session.decide("protect", proposed[-1])
        t.bench.refresh_rows()
        sheet = await t.to(AcceptSheet, "A", at=str(branch))
        assert [p.address for p in sheet.items if not p.is_text] == proposed
        assert {p.off for p in sheet.items} >= {"protected by you"}
        assert not sheet.ticked & set(proposed), (
            "all of the demo's papers are known from summaries only"
        )
        assert "left out by default" in t.text
        log = session.state.seq
        for address in sheet.ticked | set(proposed[:2]):
            sheet.query_one(OptionList).highlighted = [p.address for p in sheet.items].index(
                address
            )
            await t.press("space")
        assert "Accepts 2 papers; " in t.text
        await t.to(WorkbenchScreen, "enter")
        assert [t.row(a).verdict for a in proposed[:2]] == [Verdict.ACCEPTED] * 2
        assert session.state.seq == log + 2
        assert "and 1 more" in session.undo_labels()[0]
        await t.press("u")
        assert [t.row(a).verdict for a in proposed[:2]] == [Verdict.UNDECIDED] * 2


async def test_a_rejected_paper_is_reopened_from_the_shelf(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        paper = chains(t.bench.session).slot("1/0").paper
        await reject(t, "1/0", "survey")
        assert paper in chains(t.bench.session).rejected(1)
        screen = await t.to(ShelfScreen, "enter", at="X")
        await t.until(lambda: screen.about_pane.key, "the text")
        assert "rejected from 1/0" in t.text
        assert "survey" in t.text
        await t.press("a")
        await t.until(
            lambda: "Reopened" in t.text and len(screen.items) == 0, "the shelf to be empty"
        )
        assert paper not in chains(t.bench.session).rejected(1)
        assert "No paper was rejected" in t.text
        await t.press("enter")
        assert "no paper was rejected" in t.text
        await t.press("u")
        await t.until(lambda: len(screen.items) == 1, "the paper to be back")
        picker = await t.to(CandidatesScreen, "c")
        assert picker.address == "1/0"
        await t.to(WorkbenchScreen, "escape")


async def test_criteria_are_set_from_the_sheet_and_taken_back(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.bench.action_act("criteria")
        sheet = await t.on(CriteriaSheet)
        assert sheet.why_off("send") == "nothing was changed"
        assert "Minimum citations" in t.text  # every line has room
        await t.press("space", "tab", *"2018-")
        await t.press("enter")
        await t.until(lambda: t.app.screen is t.bench, "the sheet to close")
        state = t.bench.session.state
        assert criteria_of(state) == Criteria(no_surveys=True, year_from=2018)
        assert "no surveys" in t.status
        await t.press("u")
        await t.until(lambda: not criteria_of(t.bench.session.state), "the change to be taken back")
