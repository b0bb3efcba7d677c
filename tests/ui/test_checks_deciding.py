"""Checks of deciding and of access that no other file holds: 7, 34, 38 and 39, by their keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from coi_tui.config import DisplaySettings
from coi_tui.screens.base import FOOTER_KEYS
from coi_tui.screens.commands import WORKBENCH_ACTIONS, CommandSheet
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from coi_tui.widgets.key_actions import ActionFooter
from tests.support.state_dump import dump

from .helpers import Trip, demo


async def reject(t: Trip, address: str, reason: str = "") -> None:
    await t.go(address)
    await t.press("x")
    await t.on(AskText)
    await t.write(reason)
    await t.press("enter")
    await t.on(WorkbenchScreen)


async def test_a_decision_goes_on_to_the_next_that_waits_for_one(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        ideas = [row.address for row in t.bench.chain.rows.values() if row.asks]
        assert len(ideas) > 1
        assert len(t.bench.query_one(ActionFooter).items) <= FOOTER_KEYS
        await t.go(ideas[0])
        await t.press("a")
        assert t.bench.chain.address == ideas[1]
        t.bench.session.settings = t.bench.session.settings.model_copy(
            update={"display": DisplaySettings(go_on=False)}
        )
        await t.press("u")
        await t.go(ideas[0])
        await t.press("a")
        assert t.bench.chain.address == ideas[0]


def essence(session: Session) -> str:
    """What a person steers, without log, versions and spending."""
    return json.dumps(dump(session.state), sort_keys=True, default=str)


async def test_check_34_u_comes_back_to_the_start_also_across_a_restart_and_U_goes_forward(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="chains") as t:
        start = essence(t.bench.session)
        await t.go("1/0")
        await t.press("a")
        await reject(t, "2/0", "too old")
        await t.go("1/0")
        await t.command("protect")
        await t.command("note")
        await t.on(AskText)
        await t.press(*"core", "enter")
        await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("e")
        (await t.on(EditScreen)).query_one(TextArea).insert("more ")
        await t.press("ctrl+s")
        await t.on(WorkbenchScreen)
        await t.go("3/0")
        await t.command("fork")
        end = essence(t.bench.session)
        assert end != start
        await t.press("u", "u")
        middle = essence(t.bench.session)
    async with demo(tmp_path) as t:
        assert essence(t.bench.session) == middle
        await t.press("u", "u", "u", "u")
        assert essence(t.bench.session) == start
        assert t.bench.session.verify() == []
        await t.press("U", "U", "U")
    async with demo(tmp_path) as t:
        await t.press("U", "U", "U")
        assert essence(t.bench.session) == end
        await t.press("U")
        assert "nothing to redo" in t.status


async def test_check_39_every_action_is_in_the_list_of_commands(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        await t.press("colon")
        sheet = await t.on(CommandSheet)
        assert {item for item, _ in sheet.entries} == set(WORKBENCH_ACTIONS)
        without_keys = {a.id for a in WORKBENCH_ACTIONS if not a.keys}
        assert without_keys >= {"park", "note", "reject_everywhere"}


async def test_check_39_no_printable_key_acts_in_a_text_and_tab_leaves_it(tmp_path: Path) -> None:
    letters = "axcpfAKuULeErRgvVFbwhdoOTintjkzsSlmyYq1234"
    async with demo(tmp_path, stage="anchors") as t:
        before = t.bench.session.state.seq
        for name, kind in (("find", AskText), ("note", AskText)):
            await t.command(name)
            sheet = await t.on(kind)
            await t.press(*letters)
            assert t.app.screen is sheet
            assert sheet.query_one(Input).value == letters
            await t.press("escape")
            await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("e")
        screen = await t.on(EditScreen)
        text = screen.query_one(TextArea)
        await t.press(*letters)
        assert letters in text.text
        await t.press("tab")
        assert screen.focused is not text
        assert t.bench.session.state.seq == before


async def test_check_39_ctrl_c_copies_or_says_so_and_never_quits(
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
        await t.press("escape")
        await t.on(WorkbenchScreen)
        t.bench.text_select_all()
        chosen = t.bench.get_selected_text()
        assert chosen
        await t.press("ctrl+c")
        await t.until(lambda: "the selection" in t.status, "where the copy went")
        assert t.app.clipboard == chosen
