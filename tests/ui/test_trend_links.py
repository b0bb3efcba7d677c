"""A trend that found no link, told of one by its key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen
from tests.methods.test_unknown_links import unlinked

from .helpers import trip

TREND = "1/0..+1"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a session whose trends found no link."""
    (tmp_path / "data" / "sessions").mkdir(parents=True)
    made = unlinked(tmp_path / "made").closed()
    shutil.copy(made, tmp_path / "data" / "sessions" / "links.coi.db")
    return tmp_path


async def test_the_key_says_that_there_is_a_link_and_u_takes_it_back(home: Path) -> None:
    async with trip(home, session="links") as t:
        await t.on(WorkbenchScreen)
        await t.idle()
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
