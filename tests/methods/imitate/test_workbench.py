"""Imitate-and-Evolve by keys: another pair, another paradigm of a step, a point rebutted, a
revision rolled back, LaTeX written."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.methods.imitate.manuscript import sections_of
from coi_tui.methods.imitate.settings import ImitateSettings
from coi_tui.screens.sheets.export_sheet import ExportSheet
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.methods.nova.test_workbench import at, table
from tests.support.desk import Desk, ticking
from tests.support.script import HashModel
from tests.support.world import MemorySource, make_world
from tests.ui.helpers import Trip, places, trip


def write_manuscript(folder: Path) -> None:
    """A session with a manuscript of three sections, reviewed once."""
    bounds = ImitateSettings(papers=2, steps=3, hits=6)
    session = Session.create(
        "frogs",
        "sleep of frogs",
        paths=places(folder),
        settings=Settings(),
        keys=Keys(),
        clock=ticking(),
        method="imitate",
        bounds=bounds,
    )
    desk = Desk(session, HashModel(), MemorySource(make_world(), lists=True))
    assert desk.run("ideas").state == "done"
    session.close()


async def decided(t: Trip, address: str, row: str, key: str) -> None:
    """One key on one row of the table at an address, and back."""
    before = t.bench.session.state.in_use(address)
    await at(t, await table(t, address), row)
    await t.change(
        key,
        lambda: t.bench.session.state.in_use(address) != before,
        f"{key} on row {row} of {address}",
    )
    await t.press("escape")
    await t.on(WorkbenchScreen)


@pytest.mark.parametrize("size", [(80, 24)])
async def test_a_person_chooses_switches_rebuts_and_rolls_back(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    await asyncio.to_thread(write_manuscript, tmp_path)
    async with trip(tmp_path, size, session="frogs") as t:
        await t.on(WorkbenchScreen)

        def first() -> str:
            return sections_of(t.bench.session.state, "E1/1")[0].text

        def status(address: str) -> str:
            return t.bench.session.core.fresh[address].status

        revised = first()
        await decided(t, "E1/1/gate1", "1", "space")
        assert first() == t.bench.session.state.value("E1/1/section1#text") != revised
        assert status("E1/1/idea") == "stale"
        await decided(t, "E1/1/answers1", "2", "x")
        assert [row["name"] for row in t.bench.session.state.value("E1/1/answers1#rebutted")] == [
            "2"
        ]
        assert status("E1/1/gate1") == "stale"
        await decided(t, "E1/1/pair", "2", "space")
        assert (
            status("E1/1/outline1" if status("E1/1/outline1") != "fresh" else "E1/1/outline2")
            == "stale"
        )
        await t.go("E1/1/section1")
        await t.press("enter")
        screen: ContentScreen = await t.on(ContentScreen)
        assert first() in str(screen.items)
        await t.press("escape")
        await t.on(WorkbenchScreen)
        for _ in range(3):
            await t.press("u")
        await t.until(
            lambda: first() == revised and status("E1/1/idea") == "fresh", "everything undone"
        )
        await t.press("s")
        await t.on(ExportSheet)
        await t.press("down", "space", "enter")
        await t.on(WorkbenchScreen)
        file = tmp_path / "frogs.tex"
        await t.until(file.exists, "the manuscript in LaTeX")
        written = file.read_text(encoding="utf-8")
        titles = [section.title for section in sections_of(t.bench.session.state, "E1/1")]
        assert len(titles) == 3
        assert all(f"\\section{{{title}}}" in written for title in titles)
