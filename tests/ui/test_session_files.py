"""Session files: archived, imported, restored, reopened, copied, read-only."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens import home as module
from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.session.session import Session
from coi_tui.store.summary import peek
from tests.support.desk import bare
from tests.support.state_dump import dump

from .helpers import Trip, demo, places, trip

NAMES = ("alpha", "beta", "gamma")


def make(folder: Path, *names: str) -> None:
    for name in names:
        Session.create(
            name,
            f"the topic of {name} and its neighbours",
            bare(folder),
            offline=True,
        ).close()


async def on(t: Trip, name: str) -> HomeScreen:
    home = await t.on(HomeScreen)
    await t.until(lambda: name in [p.name for p in home.items], f"{name} in the list")
    home.query_one("#lines").highlighted = [p.name for p in home.items].index(name)  # type: ignore[attr-defined]
    await t.pilot.pause()
    return home


async def test_putting_away_hides_and_x_brings_back(tmp_path: Path) -> None:
    make(tmp_path, *NAMES)
    async with trip(tmp_path) as t:
        home = await on(t, "beta")
        await t.press("x")
        await t.until(lambda: len(home.items) == 2, "it to be hidden")
        assert "1 archived" in t.text
        assert peek(places(tmp_path).sessions / "beta.coi.db").archived
        await t.press("z")
        await on(t, "beta")
        assert "(archived) beta" in t.text
        await t.press("x")
        await t.until(
            lambda: not peek(places(tmp_path).sessions / "beta.coi.db").archived, "it to be back"
        )
        bench = await t.to(WorkbenchScreen, "enter")
        assert bench.session.verify() == []


async def test_a_file_someone_sent_is_copied_in_and_stays_where_it_is(tmp_path: Path) -> None:
    make(tmp_path / "other", "alpha")
    sent = tmp_path / "from [red] a colleague.coi.db"
    shutil.copy(places(tmp_path / "other").sessions / "alpha.coi.db", sent)
    before = sent.read_bytes()
    async with trip(tmp_path) as t:
        await t.to(AskText, "i")
        await t.write(str(sent))
        home = await t.to(HomeScreen, "enter")
        await t.until(lambda: len(home.items) == 1, "the session")
        assert "Imported as from-red-a-colleague" in t.text
        assert sent.read_bytes() == before
        bench = await t.to(WorkbenchScreen, "enter")
        assert bench.session.state.value("topic#text") == "the topic of alpha and its neighbours"


async def test_a_damaged_session_is_restored_from_its_last_whole_copy(tmp_path: Path) -> None:
    make(tmp_path, "alpha")
    with Session.open("alpha", bare(tmp_path)) as session:
        session.file.back_up()
        state, path = dump(session.state), session.file.path
    path.write_bytes(path.read_bytes()[:900] + b"\x00" * 6000)
    async with trip(tmp_path) as t:
        home = await t.on(HomeScreen)
        await t.until(lambda: "offers to restore it" in t.text, "the state of the row")
        await t.to(ConfirmSheet, "enter")
        await t.to(HomeScreen, "enter")  # no is the default
        assert home.items[0].state == "damaged"
        await t.to(ConfirmSheet, "enter")
        await t.to(HomeScreen, "y")
        await t.until(
            lambda: bool(home.items) and home.items[0].state == "ok", "the session to be whole"
        )
        bench = await t.to(WorkbenchScreen, "enter")
        assert dump(bench.session.state) == state
        assert list(path.parent.glob("alpha.coi.db.replaced-*")), "the damaged file is kept"


async def settled(t: Trip, bench: WorkbenchScreen) -> None:
    await t.until(lambda: bench.place.recalled, "the place to be taken up")


async def test_reopening_restores_cursor_and_folds(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        bench = t.bench
        await settled(t, bench)
        await t.go("2")
        await t.press("space")  # folded
        await t.to(HomeScreen, "q", at="1/idea")
    async with trip(tmp_path, session="demo") as t:
        bench = await t.on(WorkbenchScreen)
        await settled(t, bench)
        assert bench.chain.address == "1/idea"
        assert bench.chain.nodes["2"].is_collapsed


async def test_an_open_draft_is_open_again(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        await settled(t, t.bench)
        edit = await t.to(EditScreen, "e", at="1/dir")
        await t.press(*" and more")
        typed = edit.text
        t.app.screen.keep_open_work()  # type: ignore[attr-defined]  # what leaving does; a kill is test_kills' matter
    async with trip(tmp_path, session="demo") as t:
        edit = await t.on(EditScreen)
        assert edit.text == typed
        assert "unsaved draft" in t.text
        bench = await t.to(WorkbenchScreen, "escape")
        await t.until(
            lambda: wording.note(bench.chain.rows["1/dir"]) == "draft", "the mark of the draft"
        )
        assert "draft is not saved yet" in wording.sentence(bench.chain.rows["1/dir"])
        await t.to(HomeScreen, "q")
    async with trip(
        tmp_path, session="demo"
    ) as t:  # left with Esc: nothing is opened by itself, the row says so
        bench = await t.on(WorkbenchScreen)
        await settled(t, bench)
        assert t.app.screen is bench
        assert wording.note(bench.chain.rows["1/dir"]) == "draft"


async def test_a_session_open_elsewhere_is_read_only_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.press("q")
    with Session.open("demo", bare(tmp_path)) as holder:
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
            for key in ("a", "x", "u", "L", "e", "p", "g", "A"):
                await t.press(key)
                assert t.app.screen is bench or key == "g", f"{key} opened something"
                if t.app.screen is not bench:
                    await t.press("escape")
            await t.to(HomeScreen, "j", "space", "q")
        assert dump(holder.state) == before
        assert {p: p.read_bytes() for p in files} == files
    with Session.open("demo", bare(tmp_path)) as session:
        assert dump(session.state) == before


async def test_a_session_is_renamed_and_duplicated(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        make(tmp_path, "demo")
        home = t.app.screen
        assert isinstance(home, HomeScreen)
        home.reload()
        await t.until(lambda: home.items, "the session")
        await t.pilot.pause()
        sheet = await t.to(AskText, "r")
        sheet.query_one(Input).value = "drawing trees"
        await t.to(HomeScreen, "enter")
        await t.until(lambda: [p.name for p in home.items] == ["drawing trees"], "the new name")
        await t.press("D")
        await t.until(lambda: len(home.items) == 2, "the copy")
        assert {p.name for p in home.items} == {"drawing trees", "drawing-trees"}
        assert {p.reason for p in home.items} == {""}


@asynccontextmanager
async def deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Trip, HomeScreen, Path]]:
    """The list of sessions just after its only one was deleted, with time to bring it back."""
    monkeypatch.setattr(module, "UNDO_S", 1000.0)
    make(tmp_path, "demo")
    async with trip(tmp_path) as t:
        home = t.app.screen
        assert isinstance(home, HomeScreen)
        await t.until(lambda: home.items, "the session")
        await t.command("delete")
        yield t, home, places(tmp_path).sessions / "demo.coi.db"


async def test_a_deleted_session_comes_back_or_goes_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with deleted(tmp_path, monkeypatch) as (t, home, file):
        assert not home.items
        assert "u brings it back" in t.text
        assert file.exists()
        await t.press("u")
        assert [p.name for p in home.items] == ["demo"]
        monkeypatch.setattr(module, "UNDO_S", 0.01)
        await t.command("delete")
        await t.until(lambda: not file.exists(), "the end of its time")
        await t.press("u")
        assert "nothing was deleted just now" in t.text


async def test_leaving_ends_the_time_in_which_a_deleted_session_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with deleted(tmp_path, monkeypatch) as (t, _home, file):
        assert file.exists()
        await t.app.action_quit()
        assert not file.exists()


async def test_a_conflict_copy_says_so_in_the_list(tmp_path: Path) -> None:
    make(tmp_path, "demo")
    file = places(tmp_path).sessions / "demo.coi.db"
    shutil.copy(file, file.with_name("demo.coi (Ann's conflicted copy 2026-11-20).db"))
    async with trip(tmp_path) as t:
        await t.until(lambda: "one of two files" in t.text, "the mark")
        assert "the same session as demo" in t.text
        home = t.app.screen
        assert isinstance(home, HomeScreen)
        await t.to(WorkbenchScreen, "enter")
