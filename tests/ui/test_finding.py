"""Finding, tagging, copying, exporting."""

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens import terminal
from coi_tui.screens.forms import NOTES, ExportSheet
from coi_tui.screens.history_screen import CompareScreen
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.widgets.fields import Tick
from tests.support.desk import chains

from .helpers import Trip, demo


def focus(t: Trip) -> str:
    """The name of the pane that has the focus."""
    return str(t.bench.focused.id) if t.bench.focused is not None else ""


async def find(t: Trip, words: str) -> None:
    sheet = await t.to(AskText, "slash")
    sheet.query_one(Input).value = words
    await t.to(WorkbenchScreen, "enter")
    await t.pilot.pause()


async def test_find_counts_goes_on_comes_back_and_ends(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await find(t, "zyzzyva")
        assert t.bench.search.sought == ""
        assert "“zyzzyva” is no address and in no title" in t.status
        await find(t, "reasoning")
        rows = [m.address for m in t.bench.search.matches]
        assert len(rows) > 5
        assert t.bench.chain.address == rows[0] == "topic"
        assert f"“reasoning”  1 of {len(rows)}" in t.text
        await t.press("n")
        assert t.bench.chain.address == rows[1]
        assert f"2 of {len(rows)}" in t.text
        await t.press("escape")
        assert "n N  Esc" not in t.text
        assert isinstance(t.app.screen, WorkbenchScreen)
        await t.press("n")
        assert "nothing is sought" in t.status


async def test_two_tagged_rows_are_compared(tmp_path: Path) -> None:
    async with demo(tmp_path, (120, 36), stage="trends") as t:
        first, second = chains(t.bench.session).pairs(1)[:2]
        await t.press("equals_sign")
        assert "tag two rows with t first" in t.status
        for address in (first, second):
            await t.go(address)
            await t.press("t")
        assert t.status.startswith(f"Tagged {second}. = compares it with {first}")
        assert sum("=? trend" in line for line in t.lines) == 2
        screen = await t.to(CompareScreen, "equals_sign")
        assert [p.key for p in (screen.query_one("#left"), screen.query_one("#right"))] == [  # type: ignore[attr-defined]
            first,
            second,
        ]
        await t.resize(60, 16)
        await t.until(
            lambda: screen.query_one("#right").region.y > screen.query_one("#left").region.y,
            "one above the other",
        )
        assert t.lines[-1].rstrip().endswith("? more")
        await t.to(WorkbenchScreen, "escape")
        await t.go(first)
        await t.press("t")
        assert t.bench.texts.tagged == [second]


# -- copies


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


async def test_a_copy_says_which_program_took_it(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        program(programs, "pbcopy", f"/bin/cat > {tmp_path}/taken")
        await t.go("1/0")
        await t.press("y")
        assert t.status == "Copied the text of 1/0 with pbcopy."
        assert (tmp_path / "taken").read_text() == t.bench.detail.text
        assert t.app.clipboard == t.bench.detail.text, "the terminal is asked as well"
        monkeypatch.setattr(terminal, "PATIENCE", 0.2)
        program(programs, "pbcopy", "exec /bin/sleep 30")
        await t.press("y")
        await t.until(lambda: "OSC 52" in t.status, "the word that no program took it")


# -- the mouse


def line_of(t: Trip, address: str) -> tuple[int, int]:
    """Where the row stands in the tree's widget, by its label."""
    chain = t.bench.chain
    return (14, chain.nodes[address].line - int(chain.scroll_offset.y) + 1)


@pytest.mark.painted
async def test_click_selects_and_double_click_opens(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.pilot.click("#chain", offset=line_of(t, "2/0"))
        assert t.bench.chain.address == "2/0"
        assert focus(t) == "chain"
        await t.pilot.double_click("#chain", offset=line_of(t, "1/0"))
        await t.pilot.pause()
        assert t.bench.chain.address == "1/0"
        assert focus(t) == "detail"
        unfolded = t.bench.chain.nodes["1"].is_expanded
        await t.pilot.click("#chain", offset=(2, line_of(t, "1")[1]))
        await t.pilot.pause()
        assert t.bench.chain.nodes["1"].is_expanded != unfolded, "a click on ▾ folds"


async def test_the_appendix_and_notes_are_ticked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="experiment") as t:
        t.bench.session.decide("note", "1/idea", "MY NOTE")
        sheet = await t.to(ExportSheet, "s")
        sheet.query_one(f"#{NOTES}", Tick).value = True
        await t.to(WorkbenchScreen, "enter")
        written = (tmp_path / "demo.md").read_text(encoding="utf-8")
        assert "\n## Appendix\n" in written
        assert "MY NOTE" in written
