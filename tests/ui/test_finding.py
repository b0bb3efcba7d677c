"""Finding the way: words, addresses, tags, copies, the mouse."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens import terminal as clipboard
from coi_tui.screens.sheets.text_sheets import FindSheet
from coi_tui.screens.texts.diff_screen import CompareScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import row_wording
from coi_tui.session.queries.rows import Index

from .helpers import Trip, calls_of, demo


def focus(t: Trip) -> str:
    """The name of the pane that has the focus."""
    return str(t.bench.focused.id) if t.bench.focused is not None else ""


async def find(t: Trip, words: str) -> None:
    await t.press("slash")
    sheet = await t.on(FindSheet)
    sheet.query_one(Input).value = words
    await t.press("enter")
    await t.on(WorkbenchScreen)
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
        assert "n next" not in t.text
        assert isinstance(t.app.screen, WorkbenchScreen)
        await t.press("n")
        assert "nothing is sought" in t.status


def test_two_thousand_texts_are_searched_with_few_steps_each() -> None:
    """The search itself runs in a thread; even so the keys wait for the interpreter, so it may not
    do much a text."""
    words = "some words of a long abstract that goes on " * 30
    made = Index(
        1,
        tuple((f"1/{n}", (("", f"title {n}"), ("ABSTRACT", words + str(n)))) for n in range(2000)),
    )
    found: list[str] = []
    assert calls_of(lambda: found.extend(m.address for m in made.find("goes on 1999"))) < 2000 * 15
    assert found == ["1/1999"]


async def test_go_in_the_palette_jumps(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        await t.press("colon")
        await t.until(lambda: t.app.screen is not t.bench, "the palette")
        await t.press(*"go 1/-1")
        await t.until(lambda: "go 1/-1" in t.text and "predecessor" in t.text, "the jump")
        await t.press("enter")
        await t.until(
            lambda: isinstance(t.app.screen, WorkbenchScreen) and t.bench.chain.address == "1/-1",
            "the row",
        )
        await t.press("colon")
        await t.until(lambda: t.app.screen is not t.bench, "the palette")
        await t.press(*"go 7/+1")
        await t.until(lambda: "There is no 7/+1 in this session" in t.text, "the sentence")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.bench.chain.address == "1/-1"
        wanted = t.row("2/0")
        await t.press("colon")
        await t.until(lambda: t.app.screen is not t.bench, "the palette")
        await t.press(*wanted.title[:30].upper())
        await t.until(lambda: f"2/0  {wanted.title[:20]}" in t.text, "the title")
        await t.press("enter")
        await t.until(
            lambda: isinstance(t.app.screen, WorkbenchScreen) and t.bench.chain.address == "2/0",
            "the row of that title",
        )


async def test_parking_and_rejecting_everywhere_from_the_palette(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("2/0")
        await t.bench.action_act("park")
        assert row_wording.note(t.row("2")) == "set aside"
        await t.bench.action_act("park")
        assert row_wording.note(t.row("2")) != "set aside"
        await t.press("u", "u")
        assert t.bench.session.state.parked == frozenset()
        paper = t.bench.session.state.slot("2/0").paper
        await t.bench.action_act("reject_everywhere")
        await t.until(lambda: t.app.screen is not t.bench)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert paper in t.bench.session.state.rejected(1)


async def test_two_tagged_rows_are_compared(tmp_path: Path) -> None:
    async with demo(tmp_path, (120, 36), stage="trends") as t:
        first, second = t.bench.session.state.pairs(1)[:2]
        await t.press("equals_sign")
        assert "tag two rows with t first" in t.status
        for address in (first, second):
            await t.go(address)
            await t.press("t")
        assert t.status.startswith(f"Tagged {second}. = compares it with {first}")
        assert sum("=? trend" in line for line in t.lines) == 2
        await t.press("equals_sign")
        screen = await t.on(CompareScreen)
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
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.go(first)
        await t.press("t")
        assert t.bench.text_actions.tagged == [second]


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


def told_in(path: str | Path) -> tuple[str, int]:
    """What a file holds, and what others may do with it."""
    return Path(path).read_text(), Path(path).stat().st_mode & 0o077


async def test_a_copy_says_which_program_took_it(tmp_path: Path, programs: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        program(programs, "pbcopy", f"/bin/cat > {tmp_path}/taken")
        await t.go("1/0")
        await t.press("y")
        assert t.status == "Copied the text of 1/0 with pbcopy."
        assert told_in(tmp_path / "taken")[0] == t.bench.detail.text
        await t.command("copy_cited")
        text = told_in(tmp_path / "taken")[0]
        paper = t.bench.session.state.papers[str(t.bench.session.state.slot("1/0").paper)]
        assert text.startswith(f"## {paper.title}")
        assert ", ".join(paper.authors) in text
        assert f"({paper.year})" in text
        assert f"<https://arxiv.org/abs/{paper.ids['arXiv']}>" in text
        assert t.app.clipboard == text, "the terminal is asked as well"


async def test_without_a_program_the_copy_is_in_a_file(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path) as t:
        monkeypatch.setattr(clipboard, "COPIES", tmp_path)
        program(programs, "pbcopy", "exit 3")
        await t.press("y")
        written = t.status.rsplit("it is also in ", 1)[1]
        assert told_in(written) == (t.bench.detail.text, 0)
        assert written.rsplit("/", 1)[1] in t.text, "the path can be read on the screen"


def test_a_program_that_hangs_is_given_up(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(programs, "pbcopy", "exec /bin/sleep 30")
    monkeypatch.setattr(clipboard, "PATIENCE", 0.2)
    assert clipboard.hand_over("text") == ""
    monkeypatch.setenv("DISPLAY", ":0")
    program(programs, "xclip", "/bin/cat >/dev/null")
    assert clipboard.hand_over("text") == "xclip"
    assert os.environ["PATH"] == str(programs)


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


async def test_a_click_on_a_box_ticks(tmp_path: Path) -> None:
    from coi_tui.screens.sheets.confirm_sheet import AcceptSheet

    async with demo(tmp_path, stage="cards") as t:
        await t.go("1/0")
        await t.press("A")
        sheet = await t.on(AcceptSheet)
        before = set(sheet.ticked)
        await t.pilot.click("#lines", offset=(4, 0))
        await t.pilot.pause()
        assert sheet.ticked ^ before == {sheet.items[0].address}
        await t.pilot.click("#lines", offset=(30, 0))
        await t.pilot.pause()
        assert sheet.ticked ^ before == {sheet.items[0].address}, "elsewhere a click only selects"
