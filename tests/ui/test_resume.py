"""Reopening: the same row, the same folds, the same unfinished text; on this machine or on
another one."""

from __future__ import annotations

import shutil
from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.session.session import Session
from tests.support.state_dump import dump
from tests.ui.helpers import Trip, demo, places, trip


async def settled(t: Trip, bench: WorkbenchScreen) -> None:
    await t.until(lambda: bench.place.recalled, "the place to be taken up")


async def test_check_03_reopening_restores_cursor_and_folds(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        bench = t.bench
        await settled(t, bench)
        await t.go("2")
        await t.press("space")  # folded
        await t.go("1/idea")
        await t.press("q")
        await t.on(HomeScreen)
    async with trip(tmp_path, session="demo") as t:
        bench = await t.on(WorkbenchScreen)
        await settled(t, bench)
        assert bench.chain.address == "1/idea"
        assert bench.chain.nodes["2"].is_collapsed


async def test_check_03_an_open_draft_is_open_again(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        await settled(t, t.bench)
        await t.go("1/dir")
        await t.press("e")
        edit = await t.on(EditScreen)
        await t.press(*" and more")
        typed = edit.text
        t.app.screen.keep_open_work()  # type: ignore[attr-defined]  # what leaving does; a kill is test_kills' matter
    async with trip(tmp_path, session="demo") as t:
        edit = await t.on(EditScreen)
        assert edit.text == typed
        assert "unsaved draft" in t.text
        await t.press("escape")
        bench = await t.on(WorkbenchScreen)
        await t.until(
            lambda: wording.note(bench.chain.rows["1/dir"]) == "draft", "the mark of the draft"
        )
        assert "draft is not saved yet" in wording.sentence(bench.chain.rows["1/dir"])
        await t.press("q")
        await t.on(HomeScreen)
    async with trip(
        tmp_path, session="demo"
    ) as t:  # left with Esc: nothing is opened by itself, the row says so
        bench = await t.on(WorkbenchScreen)
        await settled(t, bench)
        assert t.app.screen is bench
        assert wording.note(bench.chain.rows["1/dir"]) == "draft"


async def test_check_04_a_copied_file_opens_offline_with_every_text_and_the_same_staleness(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path / "here", stage="experiment") as t:
        session = t.bench.session
        direction = session.edits.text_of("1/dir")
        session.edits.save("1/dir", direction.replace("## text\n", "## text\nA sentence of mine. "))
        state, fresh = dump(session.state), {a: f.status for a, f in session.core.fresh.items()}
        texts = {row.address: session.queries.detail(row.address) for row in session.queries.rows()}
        assert "stale" in fresh.values()
        source = session.core.file.path
    there = places(tmp_path / "there").sessions
    there.mkdir(parents=True)
    shutil.copy(source, there / source.name)
    shutil.rmtree(tmp_path / "here")  # neither the library nor the other folder is there any more
    async with trip(tmp_path / "there", session="demo") as t:
        bench = await t.on(WorkbenchScreen)
        again = bench.session
        assert again.read_only_reason == ""
        assert dump(again.state) == state
        assert {a: f.status for a, f in again.core.fresh.items()} == fresh
        assert {
            row.address: again.queries.detail(row.address) for row in again.queries.rows()
        } == texts
        await t.go("1/0")
        assert texts["1/0"].title[:30] in t.text


async def test_check_05_a_session_open_elsewhere_is_read_only_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.press("q")
    with Session.open("demo", paths=places(tmp_path), settings=Settings(), keys=Keys()) as holder:
        before = dump(holder.state)
        files = {
            p: p.read_bytes() for p in places(tmp_path).sessions.iterdir() if p.suffix == ".db"
        }
        async with trip(tmp_path, session="demo") as t:
            bench = await t.on(WorkbenchScreen)
            await settled(t, bench)
            assert "Read-only" in t.text
            assert "read-only" in t.lines[0]
            await t.go("1/0")
            for key in ("a", "x", "u", "L", "m", "e", "p", "g", "A"):
                await t.press(key)
                assert t.app.screen is bench or key == "g", f"{key} opened something"
                if t.app.screen is not bench:
                    await t.press("escape")
            await t.press("j", "space", "q")
            await t.on(HomeScreen)
        assert dump(holder.state) == before
        assert {p: p.read_bytes() for p in files} == files
    with Session.open("demo", paths=places(tmp_path), settings=Settings(), keys=Keys()) as session:
        assert dump(session.state) == before
