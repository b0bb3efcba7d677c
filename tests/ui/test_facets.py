"""Journeys at two sizes: a facet is edited and the literature follows, the sameness of the ideas is
read, questions are answered before a draft."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from coi_tui.methods.ideas.ask_first import ASKED
from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.verdict_screens import ArenaScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Status

from .helpers import Trip, demo

SIZES = pytest.mark.parametrize("size", [(120, 36), (80, 24)])


async def write_in(t: Trip, address: str, part: int, text: str) -> None:
    """Edit a part of a text by keys, and save it."""
    editor = await t.to(EditScreen, "e", at=address)
    await t.press(*["tab"] * part)
    assert isinstance(editor.focused, TextArea)
    await t.write(text)
    await t.to(WorkbenchScreen, "ctrl+s")
    await t.idle()


@SIZES
async def test_an_edited_facet_has_one_row_for_its_literature(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        before = set(t.bench.chain.rows)
        parts = list(
            t.bench.session.edits.filled("1/idea", t.bench.session.edits.text_of("1/idea"))
        )
        await write_in(t, "1/idea", parts.index("mechanism"), "Walruses sort retrieved passages. ")
        assert set(t.bench.chain.rows) - before == {"1/lit"}
        assert t.row("1/lit").status is Status.STALE
        assert "1/lit" in t.status
        assert "walruses" in str(t.bench.session.state.value("1/idea#mechanism")).lower()
        await t.to(PlanSheet, "r", at="1/lit")
        await t.run()
        assert t.row("1/lit").status is Status.FRESH
        assert t.bench.session.state.value("1/lit#searches")
        await t.to(ContentScreen, "enter", at="1/lit")
        await t.to(WorkbenchScreen, "escape")
        await t.press("u", "u")  # the search, then the edit that it was for
        await t.until(lambda: set(t.bench.chain.rows) == before, "the row to go")


@SIZES
async def test_the_arena_says_how_alike_the_ideas_are(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        for address in ("1/idea", "2/idea"):
            await t.go(address)
            await t.press("t")
        screen = await t.to(ArenaScreen, "equals_sign")
        await t.until(lambda: screen.alike, "the measure")
        await t.idle()
        shown = " ".join(t.text.split())
        assert screen.alike.split(":")[0] in shown
        assert "Votes" in shown, "what is voted on stays in view"


@SIZES
async def test_questions_are_asked_and_answered(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size, stage="ideas") as t:
        await t.go("1/idea")
        await t.plan("question_mark")
        await t.run()
        asked = f"1/{ASKED}"
        assert t.row(asked).made
        await write_in(t, asked, 0, "Nurses on night shifts. ")
        assert t.row("1/dir").status is Status.STALE
        assert t.row("2/idea").status is Status.FRESH
        await t.press("u")
        await t.until(
            lambda: t.row("1/dir").status is Status.FRESH, "the direction to be as before"
        )
        assert isinstance(t.app.screen, WorkbenchScreen)
        await t.to(AskChoice, "g")
