"""Exports: from the list of sessions as from the workbench, all files or none, and the path for the
clipboard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.screens import terminal as clipboard
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.sheets.export_sheet import CITATIONS, NOTES, ROWS, ExportSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.panes import Line
from tests.ui.helpers import Trip, demo, places, trip


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a program of the desktop was handed."""
    texts: list[str] = []

    def takes(text: str) -> str:
        texts.append(text)
        return "a program"

    monkeypatch.setattr(clipboard, "copy_with_tool", takes)
    return texts


def make(folder: Path, name: str) -> Session:
    return Session.create(
        name,
        f"the topic of {name} and its neighbours",
        paths=places(folder),
        settings=Settings(),
        keys=Keys(),
        offline=True,
    )


async def home_with(t: Trip, name: str) -> HomeScreen:
    home = await t.on(HomeScreen)
    await t.until(lambda: name in [p.name for p in home.peeks], f"{name} in the list")
    return home


def said(home: HomeScreen) -> str:
    return home.query_one("#said", Line).left


async def test_s_on_the_list_exports_without_opening_the_workbench(tmp_path: Path) -> None:
    make(tmp_path, "alpha").close()
    folder = places(tmp_path).sessions
    before = (folder / "alpha.coi.db").read_bytes()
    async with trip(tmp_path) as t:
        home = await home_with(t, "alpha")
        await t.press("s")
        sheet = await t.on(ExportSheet)
        warnings = sheet.query_one("#warnings", MarkedList)
        await t.until(lambda: warnings.texts, "the warnings")
        await t.press(*"jjjjj", "space", "enter")
        await t.on(HomeScreen)
        await t.until(lambda: "Written" in said(home), "the word")
        assert not any(isinstance(s, WorkbenchScreen) for s in t.app.screen_stack)
        assert "the topic of alpha" in (tmp_path / "alpha.md").read_text(encoding="utf-8")
        assert json.loads((tmp_path / "alpha.json").read_text(encoding="utf-8"))
        assert t.app.sessions.controllers == {}
    assert (folder / "alpha.coi.db").read_bytes() == before


async def test_y_on_the_workbench_copies_the_path_until_the_cursor_moves(
    tmp_path: Path, copied: list[str]
) -> None:
    async with demo(tmp_path) as t:
        await t.press("s")
        await t.on(ExportSheet)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: "y copies the path" in t.status, "the word")
        await t.press("y")
        await t.until(lambda: copied, "the copy")
        assert copied == [str(tmp_path / "demo.md")]
        await t.press("y")
        await t.until(lambda: len(copied) == 2, "the copy of the row")
        assert copied[1] == t.bench.detail.text


async def test_the_appendix_notes_and_citations_are_ticked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        t.bench.session.decide("note", "1/idea", "MY NOTE")
        await t.press("s")
        sheet = await t.on(ExportSheet)
        for name in (NOTES, CITATIONS):
            sheet.query_one("#lines", MarkedList).highlighted = ROWS.index(name)
            await t.press("space")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        written = (tmp_path / "demo.md").read_text(encoding="utf-8")
        assert written.startswith("---\ntitle: ")
        assert "\n### The chain of papers\n" in written
        assert "MY NOTE" in written


async def test_a_warning_leads_to_what_it_is_about(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        await t.press("s")
        sheet = await t.on(ExportSheet)
        warnings = sheet.query_one("#warnings", MarkedList)
        await t.until(lambda: sheet.found, "the warnings")
        first = sheet.found[0].addresses[0]
        assert first != t.bench.address
        warnings.focus()
        await t.until(lambda: "go there" in t.text, "the footer")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        await t.until(lambda: t.bench.address == first, "the row")
        assert not (tmp_path / "demo.md").exists()
